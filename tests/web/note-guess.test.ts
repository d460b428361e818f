// Guessing a covered number: what stays covered, and what is said of a guess.
import { describe, expect, test } from "vitest";
import type { Config } from "../../web/config/config.js";
import { coveredLayout, verdictOf, withCoveredOperand } from "../../web/elements/note/guess.js";
import { layoutOf, type NoteLayout } from "../../web/elements/note/layout.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn } from "../../web/i18n/words.js";
import { formatNote } from "../../web/marks/numbers.js";
import { labOf } from "../../web/page/open-lab.js";
import { computed, configOf, sessionOf } from "./labs-sessions.js";
import { opCases } from "./note-op-cases.js";
import { explained, nodeWords, root, row } from "./note-words.js";

const words = wordsIn("en");

const scaled = explained(
  "scale",
  "weights",
  [0, 2],
  [
    row("value", [["scores", [0, 2], 6]], { value: 6 }),
    row("divisor", [root(4)], { value: 2 }),
    row("result", [], { value: 3 }),
  ],
);
const softmax = {
  ...explained(
    "softmax",
    "weights",
    [0, 1],
    [
      row("value", [["scores", [0, 0], 1], ["scores", [0, 1], 2]], {}), // prettier-ignore
      row("minus_max", [-1, 0], { value: 2 }),
      row("exp", [0.368, 1], { value: 1.368 }),
      row("quotient", [0.269, 0.731], { value: 0.731 }),
    ],
  ),
  slips: { max: 7.389 },
};

const layout = (explanation: Parameters<typeof layoutOf>[0]): NoteLayout =>
  layoutOf(explanation, nodeWords, words);
const verdict = (guess: number, explanation: typeof softmax | typeof scaled) =>
  verdictOf(guess, explanation, layout(explanation));
const read = ({ lines }: NoteLayout): string[][] => lines.map(({ cells }) => cells.map(({ text }) => text));

describe("a guess", () => {
  test("is right within two per cent, and within 0.005 of a small number", () => {
    for (const guess of [3, 3.05, 2.95]) expect(verdict(guess, scaled)).toEqual({ kind: "right" });
    expect(verdict(0.735, softmax)).toEqual({ kind: "right" });
    expect(verdict(3.2, scaled)).toEqual({ kind: "near" });
    expect(verdict(30, scaled)).toEqual({ kind: "smaller" });
    expect(verdict(1, scaled)).toEqual({ kind: "larger" });
  });

  test("that forgets the division is the number of the line before it", () => {
    expect(verdict(6, scaled)).toEqual({ kind: "line", line: 0 });
    expect(verdict(1, softmax)).toEqual({ kind: "line", line: 3 });
    // The divisor is no number that the computation has come to.
    expect(verdict(2, scaled)).toEqual({ kind: "larger" });
  });

  test("that forgets the maximum, or the sign, is told so", () => {
    expect(verdict(7.4, softmax)).toEqual({ kind: "largest" });
    expect(verdict(-3, scaled)).toEqual({ kind: "sign" });
  });

  test("of an infinite number is right only for the same infinity", () => {
    const hidden = explained("mask", "weights", [0, 1], [row("result", [], { value: -Infinity })]);
    expect(verdictOf(-Infinity, hidden, layout(hidden))).toEqual({ kind: "right" });
    expect(verdictOf(-1e9, hidden, layout(hidden)).kind).not.toBe("right");
  });
});

describe("the note of a covered number", () => {
  test("shows given numbers and covers the computed ones, until more lines are opened", () => {
    expect(read(coveredLayout(layout(softmax), 0)).slice(1)).toEqual([
      ["1", "2"],
      ["?", "?"],
      ["?", "?"],
      ["?", "?"],
    ]);
    expect(read(coveredLayout(layout(softmax), 3)).slice(1)).toEqual([
      ["1", "2"],
      ["−1", "0"],
      ["?", "?"],
      ["?", "?"],
    ]);
  });

  test.each(opCases)("of %s contains the result nowhere, not even in a title", (_, explanation) => {
    for (let open = 0; open <= explanation.rows.length + 2; open++) {
      const { lines, sentence } = coveredLayout(layout(explanation), open);
      const results = lines.flatMap(({ cells }) => cells.filter(({ kind }) => kind === "result"));
      expect(results.map(({ text, exact }) => text + exact)).toEqual(results.map(() => "?"));
      expect(sentence).toBe("");
    }
  });

  test("of a copied number names its place and not the number", () => {
    const copied = explained("transpose", "K_T", [0, 1], [row("from", [["Q", [1, 0], 4.5]], { value: 4.5 })]);
    expect(JSON.stringify(coveredLayout(layout(copied), 0).lines)).not.toContain('"4.5');
    expect(read(coveredLayout(layout(copied), 0))).toEqual([["Q[1, 0]", "?"]]);
  });

  test("stays covered as an operand of another", () => {
    const shown = withCoveredOperand(layout(softmax), softmax, { node: "scores", index: [0, 1] });
    expect(read(shown)[1]).toEqual(["1", "?"]);
    expect(read(shown).at(-1)).toEqual(["0.269", "0.731"]);
    expect(shown.sentence).toBe("");
  });

  test("stays covered as another weight of the same softmax, and as a copy", () => {
    const weight = { node: "weights", index: [0, 0] };
    expect(read(withCoveredOperand(layout(softmax), softmax, weight)).at(-1)).toEqual(["?", "0.731"]);
    const copied = explained("transpose", "K_T", [0, 1], [row("from", [["Q", [1, 0], 4.5]], { value: 4.5 })]);
    const shown = withCoveredOperand(layout(copied), copied, { node: "Q", index: [1, 0] });
    expect(read(shown)).toEqual([["Q[1, 0]", "?"]]);
  });

  test("is the same where the covered number does not occur", () => {
    const whole = layout(softmax);
    expect(withCoveredOperand(whole, softmax, { node: "V", index: [0, 1] })).toBe(whole);
  });
});

test("the core says what softmax gives without the maximum subtracted", () => {
  const config = configOf<"attention">("four-words") as Config;
  const session = sessionOf(config);
  session.compute(config);
  const { slips, rows } = session.explain("weights", [0, 0]);
  expect(slips!["max"]).toBeCloseTo(Math.exp(rows[0]!.operands[0]!.value), 10);
  expect(session.explain("scores", [0, 0]).slips).toBeUndefined();
  session.delete();
});

test.each(examples)(
  "the first line of computed numbers of $id is covered, whatever the operation",
  ({ config }) => {
    const all = config as Config;
    const { snapshots } = computed(all);
    const session = sessionOf(all);
    session.compute(all);
    const named = (node: string) => labOf(all).nodeWords(all, node, words, snapshots);
    for (const { name, op, shape, data } of snapshots.values()) {
      if (op === "leaf" || data.length === 0 || data.length > 4096) continue;
      const explanation = session.explain(
        name,
        shape.map((size) => size - 1),
      );
      const whole = layoutOf(explanation, named, words);
      const shown = coveredLayout(whole, 0);
      expect([name, op, shown.lines.some(({ cells }) => cells.some(({ text }) => text === "?"))]).toEqual([
        name,
        op,
        true,
      ]);
      if (Number.isNaN(explanation.value)) continue;
      expect([name, op, verdictOf(explanation.value, explanation, whole).kind]).toEqual([name, op, "right"]);
      // A label may contain a number of an earlier step, but not the result.
      const text = formatNote(explanation.value);
      const labels = shown.lines.map(({ label }) => JSON.stringify(label));
      const isTelling = text.length > 3 && labels.some((label) => label.includes(text));
      expect([name, op, isTelling ? labels : []]).toEqual([name, op, []]);
    }
    session.delete();
  },
  60_000,
);
