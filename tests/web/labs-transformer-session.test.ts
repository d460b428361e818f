// Questions that only the whole core answers, for a Config of any lab: programs, gradients of one cell, files.
import { afterAll, describe, expect, test } from "vitest";
import type { Config, Edit } from "../../web/config/config.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { TransformerSession } from "../../web/session/worker/transformer-session.js";
import { configOf, wholeCore } from "./labs-sessions.js";

const sessions: TransformerSession[] = [];
function session(): TransformerSession {
  const made = new TransformerSession(wholeCore, wholeBuilds);
  sessions.push(made);
  return made;
}
afterAll(() => sessions.forEach((one) => one.delete()));

const words = configOf<"attention">("four-words", { mask: "causal" }) as Config;
const edited = (edits: Edit[]): Config => ({ ...words, numbers: { ...words.numbers, edits } }) as Config;
const of = { node: "output", index: [2, 1] };

describe("a program", () => {
  test("is written for the given Config, in both languages", () => {
    const one = session();
    expect(one.program(words, "numpy")).toContain("import numpy as np");
    expect(one.program(words, "pytorch")).toContain("import torch");
    const program = one.program(edited([{ node: "W_V", index: [0, 1], value: 0.625 }]), "numpy");
    expect(program).toContain("0.625");
    expect(one.program(configOf("letter") as Config, "numpy")).toContain("CLS");
  });

  test("for a refused Config is refused with the core's message, and the next one is written", () => {
    const one = session();
    expect(() => one.program(edited([{ node: "X", index: [9, 9], value: 1 }]), "numpy")).toThrow("[9, 9]");
    expect(one.program(words, "numpy")).toContain("W_V");
  });
});

describe("the gradient of one cell", () => {
  test("equals the difference quotients of the numbers themselves", () => {
    const one = session();
    const gradients = new Map(one.gradients(words, of).map((node) => [node.name, node]));
    expect([...gradients.keys()]).toEqual(
      expect.arrayContaining(["X", "W_Q", "W_K", "W_V", "Q", "K", "V", "scores", "weights", "output"]),
    );
    expect(gradients.has("mask"), "a mask has none").toBe(false);
    const outputOf = (config: Config): number => {
      const { snapshots } = one.compute(config, true);
      return snapshots.find(({ name }) => name === "output")!.data[2 * 3 + 1]!;
    };
    const step = 1e-5;
    for (const leaf of ["X", "W_Q", "W_K", "W_V"]) {
      const { shape, data } = gradients.get(leaf)!;
      const value = one.compute(words, true).snapshots.find(({ name }) => name === leaf)!.data;
      for (let place = 0; place < data.length; place += 1) {
        const index = [Math.floor(place / shape[1]!), place % shape[1]!];
        const [above, below] = [step, -step].map((by) =>
          outputOf(edited([{ node: leaf, index, value: value[place]! + by }])),
        );
        expect(data[place]!, `${leaf}[${index.join()}]`).toBeCloseTo((above! - below!) / (2 * step), 6);
      }
    }
  });

  test("is 1 at the cell itself and 0 beside it", () => {
    const output = session()
      .gradients(words, of)
      .find(({ name }) => name === "output")!;
    expect(output.shape).toEqual([4, 3]);
    expect([...output.data]).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  });

  test("is explained cell by cell, also for another cell and for other numbers", () => {
    const one = session();
    const cells = (config: Config, from: typeof of) => {
      for (const { name, shape, data } of one.gradients(config, from)) {
        const index = shape.map((size) => size - 1);
        const explained = one.explainGradient(config, from, name, index);
        expect([name, explained.value]).toEqual([name, data.at(-1)]);
      }
    };
    cells(words, of);
    cells(words, { node: "scores", index: [3, 0] });
    cells(edited([{ node: "X", index: [0, 0], value: 3 }]), of);
    cells(configOf("two-heads") as Config, { node: "output", index: [0, 0, 0] });
    const full = one.explainGradient(words, of, "W_V", [0, 1], true);
    expect(full.uses[0]!.node).toBe("V");
  });

  test("is 0 for a node that the cell does not depend on; a mask and a missing cell are refused", () => {
    const one = session();
    const beside = one.gradients(words, { node: "V", index: [0, 0] });
    expect(beside.find(({ name }) => name === "W_V")!.used).toBe(true);
    const unused = beside.find(({ name }) => name === "W_Q")!;
    expect([unused.used, new Set(unused.data)]).toEqual([false, new Set([0])]);
    const explained = one.explainGradient(words, { node: "V", index: [0, 0] }, "W_Q", [0, 0]);
    expect(explained).toMatchObject({
      value: 0,
      uses: [],
      sum: { role: "unreached", operands: [], value: 0 },
    });
    expect(() => one.explainGradient(words, of, "mask", [0, 0])).toThrow('"mask", which is a mask');
    expect(() => one.gradients(words, { node: "V", index: [4, 0] })).toThrow("[4, 0]");
    expect(() => one.gradients(words, { node: "nothing", index: [0] })).toThrow("nothing");
  });
});

describe("a file", () => {
  test("contains the numbers of a node, and is read back unchanged", () => {
    const one = session();
    const { snapshots } = one.compute(words);
    for (const name of ["weights", "mask"]) {
      const bytes = one.file(words, name, "npy");
      expect(String.fromCharCode(...bytes.slice(1, 6))).toBe("NUMPY");
      const { shape, data } = snapshots.find((node) => node.name === name)!;
      expect(one.readNpy(bytes)).toEqual({ shape, data });
    }
    expect(() => one.readNpy(Uint8Array.of(1, 2, 3))).toThrow("no .npy");
  });
});

describe("byte pairs", () => {
  test("are learned from the text that is split, the most frequent pair first, never across words", () => {
    const one = session();
    expect(one.bytePairs("low lower lowest", 0)).toEqual({
      pieces: [..."low\u2423lower\u2423lowest"],
      merges: 0,
    });
    expect(one.bytePairs("low lower lowest", 1).pieces.slice(0, 3)).toEqual(["lo", "w", "\u2423"]);
    expect(one.bytePairs("low lower lowest", 100)).toEqual({
      pieces: ["low", "\u2423lowe", "r", "\u2423lowe", "s", "t"],
      merges: 4,
    });
    expect(one.bytePairs("", 5)).toEqual({ pieces: [], merges: 0 });
  });

  test("of bytes that are not whole characters are shown by their numbers", () => {
    expect(session().bytePairs("\u4F60\u4F60\u597D", 2).pieces).toEqual([
      "\u4F60",
      "\u4F60",
      "<E5>",
      "<A5>",
      "<BD>",
    ]);
    expect(() => session().bytePairs("a", -1)).toThrow("bytePairVocabulary: size is 255");
  });
});

describe("the snapshots that the page receives", () => {
  test("contain every node after a question about other numbers, and only the changed ones after a question about the same numbers", () => {
    const one = session();
    one.compute(words);
    one.program(words, "numpy");
    one.gradients(words, of);
    const edit = edited([{ node: "W_V", index: [0, 0], value: 4 }]);
    const first = one.compute(edit);
    expect([first.all, first.snapshots.map(({ name }) => name)]).toEqual([false, ["W_V", "V", "output"]]);
    one.program(words, "numpy");
    const second = one.compute(edit);
    expect(second.all).toBe(true);
    const fresh = session().compute(edit).snapshots;
    expect(second.snapshots).toEqual(fresh);
  });
});
