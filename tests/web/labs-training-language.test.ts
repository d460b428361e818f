// The language of the training lab: in links that were written before it had French, and in its settings.
import { expect, test } from "vitest";
import { encode } from "../../web/config/codec.js";
import type { ConfigOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import type { TrainingNumbers } from "../../web/config/labs/training.js";
import { wordsIn } from "../../web/i18n/words.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { computed, configOf, labOf } from "./labs-sessions.js";
import { tokensOf } from "../../web/labs/training/tokens.js";

const en = wordsIn("en");
const read = (link: string): { numbers: TrainingNumbers; kinds: string[] } => {
  const { config, notices } = decode(link);
  return { numbers: config.numbers as TrainingNumbers, kinds: notices.map(({ kind }) => kind) };
};

// They were written by the page before translations had a language.
test.each([
  ["v=1&c&lab=training&task=text&samples=%E6%B3%A8%E6%84%8F&language=zh&c=0tk6ufo", "zh"],
  [
    "v=1&c&lab=training&task=text&samples=%E6%B3%A8%E6%84%8F,%E8%AF%8D&step=3&language=zh&window=16&c=09gp7s6",
    "zh",
  ],
  ["v=1&c&lab=training&task=translation&language=en&c=18f724f", "en"],
  ["v=1&c&lab=training&language=zh&c=1lk9vgj", "zh"],
])("the checksum of %s is still right", (link, language) => {
  const { numbers, kinds } = read(link);
  expect(kinds).toEqual([]);
  expect(numbers.language).toBe(language);
});

test("a language that the task does not have is left out, and the samples of the link stay", () => {
  const translation = read("v=1&lab=training&task=translation&language=zh&samples=他_爱_我");
  expect(translation.numbers.language).toBeUndefined();
  expect(translation.numbers.samples).toEqual(["他_爱_我"]);
  expect(translation.kinds).toEqual(["field"]);
  const text = read("v=1&lab=training&task=text&language=fr&samples=abc");
  expect(text.numbers.language).toBeUndefined();
  expect(text.numbers.samples).toEqual(["abc"]);
  const { notices } = decode("v=1&lab=training&task=text&language=fr");
  expect(notices[0]).not.toHaveProperty("used");
});

test.each([
  ["task=text&language=zh", ["注意"]],
  ["task=translation&language=fr", ["the_old_black_cat_sleeps", "the_black_cat_follows_a_dog"]],
  ["task=translation", ["我_昨天_看见_的_猫", "我_爱_你"]],
])("samples that %s lacks are in its language, and can be asked", (fields, samples) => {
  const { config, notices } = decode(`v=1&lab=training&beside=none&${fields}`);
  expect(notices).toEqual([]);
  expect((config.numbers as TrainingNumbers).samples).toEqual(samples);
  expect(computed(config).snapshots.has("asked_0.answer")).toBe(true);
  expect(decode(encode(config)).config.numbers).toEqual(config.numbers);
});

test("a decoder translates into French too", () => {
  const { config } = decode("v=1&lab=training&task=translation&language=fr&model=decoder&beside=none");
  const { snapshots } = computed(config);
  expect(tokensOf(snapshots, "asked_0.expected")).toEqual(["le", "vieux", "chat", "noir", "dort"]);
});

test("setting the language asks in it, setting it again keeps the reader's samples, and a task forgets it", () => {
  const french = configOf<"training">("learn-french");
  const lab = labOf(french);
  const set = (numbers: TrainingNumbers, control: string, value: string): TrainingNumbers => {
    const answer = lab.change(numbers, control, value, en);
    if (isRefused(answer)) throw new Error(answer.refused);
    return answer;
  };
  const own = set(french.numbers, "samples", "a_dog_sings");
  expect(set(own, "language", "fr").samples).toEqual(["a_dog_sings"]);
  const english = set(own, "language", "en");
  expect(english.language).toBeUndefined();
  expect(english.samples).toEqual(["我_昨天_看见_的_猫", "我_爱_你"]);
  expect(set(own, "task", "text").language).toBeUndefined();
});

test("a sentence of nine words fits in a link, and one of 65 characters is refused", () => {
  const french = configOf<"training">("learn-french");
  const samples = ["the_small_black_horse_follows_the_small_white_horse"];
  const config = { ...french, example: null, numbers: { ...french.numbers, samples } };
  const { config: again, notices } = decode(encode(config));
  expect(notices).toEqual([]);
  expect((again as unknown as ConfigOf<"training">).numbers.samples).toEqual(samples);
  const answer = labOf(french).change(french.numbers, "samples", "a".repeat(65), en);
  expect(answer).toEqual({
    refused: `Samples: expected at most 64 characters each, got ${"a".repeat(65)}.`,
  });
});

test("parameters of another shape are refused, and those of the steps stand in their place", () => {
  const { config, notices } = decode("v=1&ex=old-black-cat&parameters=1,2;3,4");
  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatchObject({ field: "parameters", expected: { shape: "(288, 8)" } });
  expect(notices[0]).not.toHaveProperty("used");
  expect(config.numbers).not.toHaveProperty("parameters", expect.anything());
});

test("a warm-up that the schedule does not allow is refused, and never changed silently", () => {
  const run = configOf<"training">("learn-to-reverse", { schedule: "cosine", warmup: 50, steps: 400 });
  const { change } = labOf(run);
  // The first key of "60": the steps stay, and so does the warm-up.
  expect(change(run.numbers, "steps", "6", en)).toEqual({
    refused: "Warm-up: with a cosine expected fewer than the 6 steps of the run, got 50.",
  });
  expect(change(run.numbers, "steps", "60", en)).toMatchObject({ steps: 60, warmup: 50 });
  expect(change({ ...run.numbers, schedule: "constant" }, "steps", "6", en)).toMatchObject({ steps: 6 });
  expect(change(run.numbers, "warmup", "400", en)).toHaveProperty("refused");
  expect(change({ ...run.numbers, schedule: "noam" }, "warmup", "0", en)).toHaveProperty("refused");
});
