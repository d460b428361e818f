// The image lab with given parameters: those of a model that tells classes apart.
import { describe, expect, test } from "vitest";
import type { VitNumbers } from "../../web/config/config.js";
import { parameterCount, parameterShapes } from "../../web/config/labs/vit.js";
import { repairNumbers } from "../../web/config/rules.js";
import { problems } from "../../web/config/validate.js";
import { wordsIn } from "../../web/i18n/words.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { computed, configOf, labs } from "./labs-sessions.js";

const lab = labs.vit;
const en = wordsIn("en");

const start = configOf<"vit">("harbour-encoder", {
  size: 16,
  patch: 8,
  dim: 4,
  layers: 2,
  heads: 2,
  classes: ["boat, left", "boat, right", "sun"],
});
const parameters = [Array.from({ length: parameterCount(start.numbers) }, (_, at) => Math.sin(at))];
const given: VitNumbers = { ...start.numbers, parameters };

test("they are those of the leaves, one after the other, and the answer follows from the row of CLS", () => {
  const { snapshots } = computed({ ...start, numbers: given });
  const leaves = Object.keys(parameterShapes(given)).map((node) => [...snapshots.get(node)!.data]);
  expect(leaves.flat()).toEqual(parameters[0]);
  const [row, weight, bias] = ["norm", "head.weight", "head.bias"].map((node) => snapshots.get(node)!.data);
  const logits = [0, 1, 2].map((one) =>
    [0, 1, 2, 3].reduce((sum, at) => sum + weight![one * 4 + at]! * row![at]!, bias![one]!),
  );
  const exps = logits.map((logit) => Math.exp(logit));
  const total = exps[0]! + exps[1]! + exps[2]!;
  snapshots
    .get("probabilities")!
    .data.forEach((share, at) => expect(share).toBeCloseTo(exps[at]! / total, 12));
});

describe("a change of the settings", () => {
  const set = (control: string, value: string, numbers = given): VitNumbers | string => {
    const answer = lab.change(numbers, control, value, en);
    return isRefused(answer) ? answer.refused : (answer as VitNumbers);
  };

  test("keeps them where they fit: another image, other heads, and a larger image with the same positions", () => {
    expect(set("image", "face")).toEqual({ ...given, image: { sample: "face" } });
    expect(set("heads", "4")).toEqual({ ...given, heads: 4 });
    const larger = { ...given, size: 32, positionSize: 16 };
    expect(set("size", "32")).toEqual(larger);
    expect(set("size", "16", larger as VitNumbers)).toEqual(given);
  });

  test.each([
    ["patch", "4"],
    ["dim", "8"],
    ["layers", "1"],
    ["positionSize", "32"],
  ])("is refused where they do not: %s %s", (control, value) => {
    expect(set(control, value)).toMatch(/^Parameters: expected \d+ numbers for such layers, got \d+ trained/);
  });

  test.each([
    ["layers", "0"],
    ["compare", "pixels"],
    ["cls", "off"],
  ])("is refused where no layers would read them: %s %s", (control, value) => {
    expect(set(control, value)).toMatch(
      /^Trained parameters need encoder layers, projections and a class token/,
    );
    const { controls } = lab.sentence({ ...start, numbers: given }, en);
    const options = controls.find(({ id }) => id === control)!.options!;
    expect(options.find((option) => option.value === value)!.disabled).toMatch(/^Trained parameters need/);
  });

  test("to drawn ones leaves the image as it was edited", () => {
    const edits = [
      { node: "image", index: [0, 1, 1], value: 9 },
      { node: "b_E", index: [0], value: 1 },
    ];
    const { parameters: _given, classes: _names, ...drawn } = given;
    expect(set("parameters", "drawn", { ...given, edits })).toEqual({ ...drawn, edits: [edits[0]] });
    expect(set("parameters", "given")).toEqual(given);
  });
});

test.each([
  ["too few numbers", { parameters: [[1, 2, 3]] }, "parameters"],
  ["two classes of one name", { parameters, classes: ["sun", "sun", "boat"] }, "classes"],
  ["no classes", { parameters, classes: undefined }, "parameters"],
  ["no layers", { parameters, layers: 0 }, "parameters"],
  ["layers that cannot read them", { parameters, compare: "pixels" }, "layers"],
  ["classes alone", {}, "classes"],
] as [string, Partial<VitNumbers>, string][])("%s: refused, and repaired", (_name, other, field) => {
  const numbers = Object.fromEntries(
    Object.entries({ ...start.numbers, ...other }).filter(([, value]) => value !== undefined),
  ) as unknown as VitNumbers;
  expect(problems("vit", numbers).map((problem) => problem.field)).toContain(field);
  expect(problems("vit", repairNumbers("vit", numbers, start.numbers))).toEqual([]);
});

test("two classes of one name keep the parameters; one of them gets a number", () => {
  const { classes, ...repaired } = repairNumbers(
    "vit",
    { ...given, classes: ["sun", "sun", "sun 2"] },
    start.numbers,
  );
  expect(classes).toEqual(["sun", "sun 2", "sun 2 2"]);
  expect(repaired).toEqual({ ...given, classes: undefined });
});

test("an answer that is no number names no class", () => {
  const { snapshots } = computed({
    ...start,
    numbers: { ...given, parameters: [parameters[0]!.map(() => 1e300)] },
  });
  expect(lab.steps(start, en, snapshots).at(-1)!.sentence).toMatch(/a probability\.$/);
  const sure = computed({ ...start, numbers: given }).snapshots;
  expect(lab.steps(start, en, sure).at(-1)!.sentence).toMatch(/Largest: (boat, left|boat, right|sun)\.$/);
});
