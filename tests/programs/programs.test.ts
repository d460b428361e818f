// Programs that the core writes, run under the system's NumPy: for every example, and for every operation and model.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { NumbersOf, LabId } from "../../web/config/config.js";
import { load, type Core, type Graph } from "../../web/core/index.js";
import { examples } from "../../web/examples/index.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "build/programs");
const python = process.env["NUMPY_PYTHON"] ?? "python3";
const writer = process.env["PROGRAM_WRITER"] ?? join(root, "build/native/write_programs");

interface Run {
  path: string;
  code: number;
  printed: string;
}

function outputOf(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** Runs programs in one Python process. */
function runs(paths: string[]): Run[] {
  const printed = outputOf(python, [join(import.meta.dirname, "run.py"), ...paths]);
  const done = printed
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Run);
  expect(done.map(({ path }) => path)).toEqual(paths);
  return done;
}

const filesOf = (path: string): string[] => readdirSync(path).map((name) => join(path, name));
const failed = (done: Run[]) => done.filter(({ code }) => code !== 0);

/** The graph of an example as its lab builds it. */
function exampleGraph(core: Core, { config }: (typeof examples)[number]): Graph {
  const graph = core.graph({ observe: true });
  const build = wholeBuilds[config.view.lab] as (core: Core, graph: Graph, numbers: NumbersOf[LabId]) => void;
  build(core, graph, config.numbers as NumbersOf[LabId]);
  for (const { node, index, value } of config.numbers.edits) graph.setCell(node, index, value);
  return graph;
}

/** `text` with the first number of its first comparison that is not NaN changed by a millionth. */
function withWrongNumber(text: string): string {
  const start = text.indexOf("\ngood = True");
  const [before, after] = [text.slice(0, start), text.slice(start)];
  const off = (value: number) => value + 1e-6 * Math.max(1, Math.abs(value));
  const wrong = after.replace(
    /(np\.full\(\([\d, ]*\), |np\.array\((?:np\.nan|[[\],\s])*)(-?[\d.]+(?:e-?\d+)?)|("\s*)([0-9a-f]{16})/,
    (_, array: string, digits: string, quote: string, hex: string) => {
      if (array !== undefined) return array + off(Number(digits));
      const bytes = Buffer.from(hex, "hex");
      bytes.writeDoubleLE(off(bytes.readDoubleLE()));
      return quote + bytes.toString("hex");
    },
  );
  expect(wrong).not.toBe(after);
  return before + wrong;
}

let core: Core;
beforeAll(async () => {
  const found = spawnSync(python, ["-c", "import numpy"], { encoding: "utf8" });
  if (found.status !== 0)
    throw new Error(
      `${python} has no NumPy: install the package python3-numpy, or set NUMPY_PYTHON to a Python that has it`,
    );
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "examples"), { recursive: true });
  mkdirSync(join(folder, "falsified"));
  outputOf(writer, [folder]);
  core = await load({ build: "simd" });
});

describe("the examples", () => {
  test("each program computes the numbers of its lab within 1e-9, and finds one wrong number", () => {
    expect(examples.length).toBeGreaterThanOrEqual(10);
    for (const example of examples) {
      const graph = exampleGraph(core, example);
      const text = graph.program({ language: "numpy" });
      graph.delete();
      expect(text).toContain("RTOL, ATOL = 1e-9, 1e-12");
      writeFileSync(join(folder, "examples", `${example.id}.py`), text);
      writeFileSync(join(folder, "falsified", `${example.id}.py`), withWrongNumber(text));
    }
    const good = runs(filesOf(join(folder, "examples")));
    expect(failed(good)).toEqual([]);
    expect(good.map(({ printed }) => printed).every((line) => /largest deviation \d/.test(line))).toBe(true);
    const wrong = runs(filesOf(join(folder, "falsified")));
    expect(wrong.map(({ path, code }) => [path, code])).toEqual(wrong.map(({ path }) => [path, 1]));
    expect(wrong.every(({ printed }) => printed.includes("too large"))).toBe(true);
  });

  test("the exit code of a program says whether the numbers are equal", () => {
    const status = (path: string) => spawnSync(python, [path], { encoding: "utf8" }).status;
    expect(status(join(folder, "examples/four-words.py"))).toBe(0);
    expect(status(join(folder, "falsified/four-words.py"))).toBe(1);
  });

  test("the text follows the lab: leaves are drawn, typed or looked up as in the lab, with one line per node", () => {
    const text = readFileSync(join(folder, "examples/four-words.py"), "utf8");
    expect(text).toContain(
      [
        "X = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=np.float64)  # (4, 3)",
        "random = np.random.RandomState(42)",
        "W_Q = random.randint(0, 3, (3, 3)).astype(np.float64)  # (3, 3)",
        "W_K = random.randint(0, 3, (3, 3)).astype(np.float64)  # (3, 3)",
        "W_V = random.randint(0, 3, (3, 3)).astype(np.float64)  # (3, 3)",
        "Q = X @ W_Q  # (4, 3)",
      ].join("\n"),
    );
    expect(text.match(/^import .*/gm)).toEqual(["import numpy as np"]);
  });
});

test("leaves of every origin, with edited cells, in both precisions", () => {
  for (const precision of ["float64", "float32"] as const) {
    const graph = core.graph({ precision });
    const random = core.randomState([3, 1, 4]);
    random.permutation(5);
    random.randn(3);
    const a = graph.draw("a", random, "randn", { shape: [4, 6], sqrtDivisor: 6 });
    random.uint32(2);
    const b = graph.draw("b", random, "uniform", { shape: [4, 6], low: -0.1, high: 0.7 });
    const c = graph.draw("c", random, "randint", { shape: [], low: -3, high: 9 });
    const words = graph.tokenVectors("words", ["the", 'quoted "cat"', "猫", "the"], 42, 6);
    const table = graph.draw("table", random, "randn", { shape: [30, 20], divisor: 3 });
    graph.setCell(a, [1, 2], 0.1);
    graph.setCell(words, [3, 5], -1e-7);
    graph.setCell(c, [], 2.5);
    for (let place = 0; place < 30; place += 1) graph.setCell(table, [place, 7], 1 / (place + 3));
    graph.setCell(table, [0, 0], 0.3);
    graph.setCell(table, [0, 1], 0.3);
    graph.setCell(table, [0, 2], 0.3);
    const nodes = [graph.add(graph.add(a, b), graph.add(words, c)), table, c];
    const text = graph.program({ language: "numpy", nodes });
    graph.delete();
    random.delete();
    writeFileSync(join(folder, "examples", `leaves-${precision}.py`), text);
    writeFileSync(join(folder, "falsified", `leaves-${precision}.py`), text.replace("= 0.1", "= 0.2"));
  }
  const named = (place: string) =>
    ["float64", "float32"].map((name) => join(folder, place, `leaves-${name}.py`));
  expect(failed(runs(named("examples")))).toEqual([]);
  expect(failed(runs(named("falsified"))).length).toBe(2);
});

describe("every operation, and whole models", () => {
  const programs = () => filesOf(join(folder, "numpy"));

  test("each use of each operation is tested, in both precisions", () => {
    const names = readFileSync(join(folder, "operations.txt"), "utf8").trim().split("\n");
    expect(names.length).toBeGreaterThan(40);
    const files = programs().join("\n");
    const without = names.filter(
      (name) => !files.includes(`/float64-${name}-`) || !files.includes(`/float32-${name}-`),
    );
    expect(without).toEqual([]);
  });

  test("the PyTorch programs are valid Python, and call the PyTorch class of each layer", () => {
    const files = filesOf(join(folder, "pytorch"));
    expect(files.length).toBeGreaterThan(5);
    outputOf(python, [
      "-c",
      "import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path).read(), path)",
      ...files,
    ]);
    const text = files.map((path) => readFileSync(path, "utf8")).join("\n");
    for (const layer of [
      "MultiheadAttention",
      "TransformerEncoderLayer",
      "TransformerDecoderLayer",
      "LayerNorm",
    ])
      expect(text).toContain(`nn.${layer}(`);
  });

  test("each program computes the numbers of the core", () => {
    expect(failed(runs(programs()))).toEqual([]);
  });
});
