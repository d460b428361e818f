// The note of a gradient as data, from the core's own gradients: upstream × local, sums over uses, and both ends of the chain.
import { afterAll, describe, expect, test } from "vitest";
import type { Config } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { copyText } from "../../web/elements/note/copy.js";
import { gradientLayout } from "../../web/elements/note/gradient.js";
import type { NoteLine } from "../../web/elements/note/layout.js";
import { plainText } from "../../web/elements/note/places.js";
import { ops } from "../../web/elements/note/rows.js";
import { wordsIn } from "../../web/i18n/words.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { TransformerSession } from "../../web/session/worker/transformer-session.js";
import {
  gradientReader,
  gradientNote,
  noGradientNote,
  type GradientNote,
} from "../../web/marks/gradient-reading.js";
import type { PlacedTensor, Scene, Snapshot } from "../../web/marks/scene.js";
import { legendPlace } from "../../web/marks/score-lines.js";
import { configOf, labOf, labs, wholeCore } from "./labs-sessions.js";

const words = wordsIn("en");
const sessions: TransformerSession[] = [];
function session(): TransformerSession {
  const made = new TransformerSession(wholeCore, wholeBuilds);
  sessions.push(made);
  return made;
}
afterAll(() => sessions.forEach((one) => one.delete()));

const causal = configOf<"attention">("four-words", { mask: "causal" }) as Config;
const of = { node: "output", index: [2, 1] };

function noteOf(node: string, index: number[], from = of): GradientNote {
  return gradientNote(from, session().explainGradient(causal, from, node, index));
}

/** A line as text: "∂ scaled | −0.182". */
function read(line: NoteLine): string {
  const label = `${line.sign ? `${line.sign} ` : ""}${plainText(line.label).replaceAll("\u2009", " ")}`;
  return [label, ...line.cells.map((cell) => `${cell.text}${cell.after ? ` ${cell.after}` : ""}`)].join(
    " | ",
  );
}

function layout(note: GradientNote, opened: number | null = null, language: "en" | "zh-CN" = "en") {
  const words = wordsIn(language);
  const nodeWords = (node: string) => labOf(causal).nodeWords(causal, node, words, new Map());
  const made = gradientLayout(note, opened, nodeWords, words);
  return { ...made, read: made.lines.map(read) };
}

describe("one use", () => {
  test("of many terms is a sum of products", () => {
    const { address, sentence, read, from, isGradient } = layout(noteOf("masked", [2, 0]));
    expect(address).toBe("∂masked[2, 0]");
    expect(sentence).toBe("−0.182 = gradient of output[2, 1] by masked[2, 0]");
    expect(read).toEqual([
      "∂ weight of word 3 | 1 | 1 | 2 | 0",
      "× slope of softmax | 0.182 | −1.78e−4 | −0.182 | 0",
      "products | 0.182 + | −1.78e−4 + | −0.364 + | 0",
      "sum | −0.182",
    ]);
    expect(from).toMatchObject([{ node: "weights", index: [2, 0], gradient: true }]);
    expect(isGradient).toBe(true);
  });

  test("a run of cells in a tensor is named by its line", () => {
    expect(layout(noteOf("weights", [2, 0])).read).toEqual([
      "∂ output of word 3 | 0 | 1 | 0",
      "× value of word 1 | 1 | 1 | 0",
      "products | 0 + | 1 + | 0 = | 1",
    ]);
  });

  test("with one term is a product, and a number that was only rearranged is not multiplied", () => {
    expect(layout(noteOf("scores", [2, 0])).read).toEqual([
      "∂ scaled | −0.182",
      "× 1 ÷ √3 | 0.577",
      "product | −0.105",
    ]);
    expect(layout(noteOf("scaled", [2, 0])).read[1]).toBe("× kept (1) or hidden (0) | 1");
    const moved = layout(noteOf("K", [0, 0]));
    expect(moved.read).toEqual(["from | ∂K_T[0, 0] = | −0.420"]);
    expect(moved.foot).toBe("note.foot.nothing");
  });
});

describe("several uses", () => {
  const note = noteOf("X", [0, 0]);
  test("are a line each, and their sum", () => {
    const { read, lines, showsOneUse, from } = layout(note);
    expect(read).toEqual([
      "through Q | 0",
      "+ through K | −1.260",
      "+ through V | 0.239",
      "sum over its uses | −1.021",
    ]);
    expect(lines.map(({ cells }) => cells[0]!.use)).toEqual([0, 1, 2, undefined]);
    expect(lines.map(({ tone }) => tone)).toEqual(["query", "key", "value", null]);
    expect(showsOneUse).toBe(false);
    expect(from.map(({ node }) => node)).toEqual(["Q", "K", "V"]);
  });

  test("can be opened one at a time, with their own result", () => {
    const { read, showsOneUse, address } = layout(note, 1);
    expect(read).toEqual([
      "∂ key of word 1 | −0.420 | 0 | −0.210",
      "× W_K, row 0 | 2 | 2 | 2",
      "products | −0.840 + | 0 + | −0.420 = | −1.260",
    ]);
    expect(showsOneUse).toBe(true);
    expect(address).toBe("∂X[0, 0]");
  });

  test("are copied completely, as JSON and in NumPy's notation", () => {
    const json = JSON.parse(copyText(note, "json")) as GradientNote;
    expect(json.of).toEqual(of);
    expect(json.uses).toEqual(note.uses);
    expect(copyText(note, "numpy")).toMatch(
      /^∂X\[0, 0\] = -1\.021\d+\nupstream: \[0\. 0\. 0\.\]\nlocal: \[2\. 0\. 2\.\]\n/,
    );
  });
});

test("the gradient begins at the number itself, and cells that the number does not depend on have none", () => {
  expect(layout(noteOf("output", [2, 1])).read).toEqual(["the number itself | 1"]);
  expect(layout(noteOf("output", [0, 0])).read).toEqual(["another number of its tensor | 0"]);
  const score = { node: "scores", index: [0, 2] };
  const none = noGradientNote(score, { node: "V", index: [0, 0] }, 0, ["Q", "K_T"]);
  const laidOut = layout(none);
  expect(laidOut.read).toEqual([
    "scores[0, 2] is not computed from this, but from queries · keys, transposed",
  ]);
  expect(laidOut.sentence).toBe("scores[0, 2] is not computed from V[0, 0]");
  expect(laidOut.from).toEqual([]);
  expect(layout(none, null, "zh-CN").read).toEqual(["scores[0, 2] 不由这个数算出，而由查询 · 键的转置算出"]);
});

test("in every lab every row has words, and every number shown comes from the core", () => {
  // Labels are compared in Chinese, where no label equals the name of its row.
  const chinese = wordsIn("zh-CN");
  let rows = 0;
  for (const lab of Object.values(labs)) {
    const config = defaults(lab.id) as Config;
    const one = session();
    const { snapshots } = one.compute(config);
    const computed = new Map(snapshots.map((snapshot) => [snapshot.name, snapshot]));
    const from = lab.opening(config as never, computed);
    if (computed.get(from.node)!.op === "leaf") continue;
    for (const { name, shape } of one.gradients(config, from)) {
      const explained = one.explainGradient(config, from, name, shape.map(() => 0)); // prettier-ignore
      const note = gradientNote(from, explained);
      const known = new Set(
        [...note.rows.flatMap((row) => [...row.operands, row, row.rest ?? {}]), note].map((item) =>
          "value" in item ? item.value : undefined,
        ),
      );
      for (const opened of [null, ...note.uses.keys()]) {
        const said = (node: string) => lab.nodeWords(config as never, node, chinese, computed);
        for (const { role, label, cells } of gradientLayout(note, opened, said, chinese).lines) {
          rows += 1;
          const text = plainText(label);
          expect([lab.id, name, role, text in (ops["gradient"]?.rows ?? {}) || text === ""]).toEqual([
            lab.id, name, role, false,
          ]); // prettier-ignore
          for (const { kind, exact } of cells.filter((cell) => cell.kind !== "text" && cell.kind !== "rest"))
            expect([kind, known.has(Number(exact.replaceAll("\u2212", "-")))]).toEqual([kind, true]);
        }
      }
    }
  }
  expect(rows).toBeGreaterThan(60);
});

describe("on the stage", () => {
  const tensor = (node: string, family: string): PlacedTensor => ({
    id: node, node, at: [null, null], x: 0, y: 0, cellWidth: 30, cellHeight: 30, role: "activation", fill: "parameter",
    family, symbol: { text: node }, name: node, letters: "", caption: "below", step: 0,
  }); // prettier-ignore
  const legend = (family: string, width: number) => ({ family, fill: "parameter" as const, x: 0, y: 0, width, text: family }); // prettier-ignore
  const scene: Scene = {
    width: 300, height: 100, wires: [], operators: [], labels: [], curves: [], images: [], note: null,
    tensors: [tensor("Q", "first"), tensor("V", "first"), tensor("A", "second")],
    legends: [legend("first", 300), legend("second", 300)],
  }; // prettier-ignore
  const numbers: Snapshot = { name: "Q", op: "", inputs: [], shape: [1, 1], data: Float64Array.of(2), edited: [] }; // prettier-ignore
  const made = gradientReader(new Map([["Q", numbers]]), "scores[0, 2]", words)(scene);

  test("the numbers use the scale of activations; a tensor without gradients is empty, with a remark", () => {
    const [q, v, a] = made.tensors;
    expect(q).toMatchObject({ fill: "activation", reading: { numbers, name: "gradient", parameter: true } });
    expect([v?.reading?.numbers, a?.reading?.numbers]).toEqual([null, null]);
    expect(a?.reading?.remark).toBe("not used to compute it");
  });

  test("the legend names the number, in short form where there is little room, and an empty family has none", () => {
    expect(made.legends).toHaveLength(1);
    const [item] = made.legends;
    expect(legendPlace(item!, 1, words).text).toBe("gradient of scores[0, 2]");
    expect(legendPlace({ ...item!, width: 180 }, 1, words).text).toBe("∂scores[0, 2]");
    expect(legendPlace({ ...item!, width: 90 }, 1, words).text).toBe("");
  });
});

test("with additive attention, uses go through the tensors that a reader knows, not through rearranging ones", () => {
  const additive = configOf<"attention">("additive") as Config;
  const one = session();
  const made = one.compute(additive);
  if (made.error !== undefined) throw new Error(made.error);
  const from = { node: "output", index: [0, 0] };
  const uses = (node: string, index: number[]) => {
    const { value, uses: all } = one.explainGradient(additive, from, node, index);
    expect(all).toHaveLength(1);
    const [use] = all;
    expect(use!.rows.at(-1)!.value).toBeCloseTo(value, 12);
    const nodes = [...use!.rows.flatMap(({ operands }) => operands), ...use!.sources].map((at) => at.node);
    return [use!.node, use!.op, ...new Set(nodes.filter((name) => name !== ""))];
  };
  expect(uses("v", [0])).toEqual(["scores", "matmul", "scores", "hidden"]);
  expect(uses("Q", [0, 0])).toEqual(["sum", "add", "sum"]);
  expect(uses("K", [1, 0])).toEqual(["sum", "add", "sum"]);
  expect(uses("hidden", [0, 1, 0])).toEqual(["scores", "matmul", "scores", "v"]);
});
