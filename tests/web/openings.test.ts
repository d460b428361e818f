// The state in which a lab opens from the header and the contents, and the meaning of a version 1 link without fields.
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import { examples } from "../../web/examples/index.js";
import { defaults, firstExamples } from "../../web/config/defaults.js";
import type { LabId } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { Entries } from "../../web/page/entries.js";
import { exampleIn } from "../../web/page/in-language.js";
import { openingOf } from "../../web/page/openings.js";
import { labOf } from "../../web/page/open-lab.js";
import { hasCell } from "../../web/page/cells.js";
import { computed } from "./labs-sessions.js";

const ids = Object.keys(firstExamples) as LabId[];

describe.each(ids)("%s", (lab) => {
  test.each(["en", "zh-CN"] as const)("opens in %s with the state of its own link", (language) => {
    const { labs } = new Entries().of(wordsIn(language), { lang: null, theme: null });
    const opening = openingOf(lab, language);
    expect(opening.view.lab).toBe(lab);
    expect(labs.find(({ id }) => id === lab)!.address).toBe(`#${encode(opening)}`);
    expect(decode(encode(opening)).config).toEqual(opening);
    const { snapshots } = computed(opening as never);
    expect(hasCell(snapshots, opening.view.cell ?? labOf(opening).opening(opening, snapshots))).toBe(true);
  });

  test("a link with no field but the lab means its first example", () => {
    expect(decode(`lab=${lab}`).config.numbers).toEqual(defaults(lab).numbers);
    expect(decode(`lab=${lab}`).config.view.cell).toEqual(defaults(lab).view.cell);
  });
});

test("words are placed on the map, two heads read a sentence, five optimizers race on a bowl", () => {
  expect(openingOf("words", "en").example).toBe("kingdom-on-a-map");
  expect(openingOf("multi-head", "en").example).toBe("one-word-two-looks");
  expect(openingOf("optimizers", "en").example).toBe("five-on-a-bowl");
});

test("BERT opens at the likeliest word of the gap", () => {
  const opening = openingOf("bert", "en");
  const { snapshots } = computed(opening as never);
  const steps = labOf(opening).steps(opening, wordsIn("en"), snapshots);
  expect(opening.example).toBe("both-sides");
  expect(opening.view.cell).toEqual(steps.find(({ id }) => id === "score")!.cell);
});

describe("examples in Chinese", () => {
  const other = examples.filter(({ id, config }) => exampleIn(id, "zh-CN") !== config);
  const latin = (numbers: object): string[] =>
    JSON.stringify(Object.values(numbers)).match(/"[a-z]+"/gi) ?? [];

  test.each(other.map(({ id }) => id))("%s has Chinese words, which its link holds", (id) => {
    const english = exampleIn(id, "en")!;
    const chinese = exampleIn(id, "zh-CN")!;
    expect(english).toBe(examples.find((one) => one.id === id)!.config);
    expect(chinese.example).toBeNull();
    expect(decode(encode(chinese))).toEqual({ config: chinese, notices: [] });
    expect(latin(chinese.numbers).length).toBeLessThan(
      latin({ tokens: ["the", "dog", "bites", "the", "man"], ...english.numbers }).length,
    );
    const shapes = (config: typeof english) =>
      [...computed(config as never).snapshots].map(([name, { shape }]) => [name, shape]);
    expect(shapes(chinese)).toEqual(shapes(english));
  });

  test("an example whose numbers are printed in a document stays as it is", () => {
    for (const { printed, config } of other)
      expect([config.view.lab, printed]).toEqual([config.view.lab, []]);
  });

  test("BERT and word2vec give the same results in Chinese as in English, because their words are in the same places", () => {
    for (const [id, node] of [
      ["masked-mat", "probabilities"],
      ["small-kingdom", "scores"],
    ] as const) {
      const [english, chinese] = (["en", "zh-CN"] as const).map((language) =>
        computed(exampleIn(id, language) as never).snapshots.get(node),
      );
      expect(english!.data.length).toBeGreaterThanOrEqual(10);
      expect(chinese!.data).toEqual(english!.data);
    }
  });
});
