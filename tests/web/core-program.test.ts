// Graphs written as programs: the names, origins and edits in the text, and the refused calls.
import { describe, expect, test } from "vitest";
import { type Graph } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

/** The lines of a program that compute its nodes. */
function lines(graph: Graph, nodes?: string[]): string[] {
  const text = graph.program({ language: "numpy", ...(nodes && { nodes }) });
  const start = text.lastIndexOf("\n\n\n", text.indexOf("\n\n\ngood = True") - 1);
  return text.slice(start + 3, text.indexOf("\n\n\ngood = True")).split("\n");
}

function withGraph<T>(use: (graph: Graph) => T): T {
  const graph = core.graph();
  try {
    return use(graph);
  } finally {
    graph.delete();
  }
}

const row = (...data: number[]) => ({ shape: [data.length], data: Float64Array.from(data) });

describe("leaves", () => {
  test("consecutive draws share a generator; another place in the stream is reached by skipping", () => {
    withGraph((graph) => {
      using random = core.randomState(7);
      random.randn(4);
      graph.draw("a", random, "randn", { shape: [2, 2], sqrtDivisor: 2 });
      graph.draw("b", random, "uniform", { shape: [3], low: -1, high: 1 });
      random.randint(0, 3, 5);
      graph.draw("c", random, "randint", { shape: [2], high: 9 });
      expect(lines(graph)).toEqual([
        "random = np.random.RandomState(7)",
        "random.randn(4)  # other draws come first",
        "a = random.randn(2, 2) / np.sqrt(2)  # (2, 2)",
        "b = random.uniform(-1, 1, (3,))  # (3,)",
        "random = np.random.RandomState(7)",
        "random.randn(8)  # other draws come first",
        "random.uniform(-1, 1, 3)  # other draws come first",
        "random.randint(0, 3, 5)  # other draws come first",
        "c = random.randint(0, 9, (2,)).astype(np.float64)  # (2,)",
      ]);
    });
  });

  test("a generator seeded with a list, the vectors of words, and a causal rule", () => {
    withGraph((graph) => {
      using random = core.randomState([1, 2]);
      const x = graph.draw("x", random, "randn", { shape: [2, 4], divisor: 4 });
      graph.tokenVectors("words", ["cat", '猫"\\'], 3, 4);
      graph.scaledDotProductAttention(x, x, x, { isCausal: true });
      const text = graph.program({ language: "numpy" });
      expect(text).toContain("random = np.random.RandomState((1, 2))\nx = random.randn(2, 4) / 4  # (2, 4)");
      expect(lines(graph, ["words"])).toEqual([
        String.raw`words = token_vectors(("cat", "猫\x22\x5c"), seed=3, dim=4)  # (2, 4)`,
      ]);
      expect(text).toContain('causal="top_left"');
    });
  });

  test("a causal rule as a mask of its own", () => {
    using graph = core.graph({ observe: true });
    const x = graph.leaf("x", { shape: [2, 2], data: Float64Array.of(1, 2, 3, 4) });
    graph.scaledDotProductAttention(x, x, x, { isCausal: true });
    expect(graph.program({ language: "numpy" })).toContain("np.tri(2, 2)");
  });

  test("edited cells are assigned on top; when there are many, all numbers are written", () => {
    withGraph((graph) => {
      graph.leaf("x", { shape: [2, 2], data: Float64Array.of(0.1, 1e-300, -0, Infinity) });
      graph.leaf("many", row(...Array.from({ length: 40 }, (_, place) => place)));
      graph.setCell("x", [1, 0], 2.5);
      for (let place = 0; place < 40; place += 1) graph.setCell("many", [place], 7);
      expect(lines(graph)).toEqual([
        "x = np.array([[0.1, 1e-300], [-0.0, np.inf]], dtype=np.float64)  # (2, 2)",
        "x[1, 0] = 2.5  # changed by hand",
        "many = np.full((40,), 7, dtype=np.float64)  # (40,)",
      ]);
    });
  });
});

describe("names", () => {
  test("are Python's, each once, with the node's own beside", () => {
    withGraph((graph) => {
      for (const name of ["a.b", "a_b", "lambda", "softmax", "np", "1st", "猫", "x6"])
        graph.leaf(name, row(1));
      graph.leaf("", row(2));
      expect(lines(graph).map((line) => line.replace(/np\.array\(.*float64\)/, "…"))).toEqual([
        'a_b = …  # (1,), "a.b"',
        'a_b_2 = …  # (1,), "a_b"',
        'lambda_2 = …  # (1,), "lambda"',
        'softmax_2 = …  # (1,), "softmax"',
        'np_2 = …  # (1,), "np"',
        'x1st = …  # (1,), "1st"',
        'x6 = …  # (1,), "猫"',
        'x6_2 = …  # (1,), "x6"',
        "x8 = …  # (1,)",
      ]);
    });
  });
});

describe("requested nodes", () => {
  test("only nodes that they depend on are written", () => {
    withGraph((graph) => {
      const x = graph.leaf("x", row(1, 2));
      const y = graph.add(x, row(3, 4), { name: "y" });
      graph.softmax(y, { name: "z" });
      graph.logSoftmax(y, { name: "other" });
      expect(lines(graph, ["y"])).toEqual([
        "x = np.array([1, 2], dtype=np.float64)  # (2,)",
        "x1 = np.array([3, 4], dtype=np.float64)  # (2,)",
        "y = x + x1  # (2,)",
      ]);
      const whole = graph.program({ language: "numpy" });
      expect(whole.match(/check\("\w+"/g)).toEqual(['check("z"', 'check("other"']);
      expect(whole).toContain("def log_softmax(");
      expect(graph.program({ language: "numpy", nodes: ["z"] })).not.toContain("def log_softmax(");
      expect(graph.program({ language: "pytorch" })).toContain("z = torch.softmax(y, dim=0)  # (2,)");
    });
  });

  test("refusals", () => {
    withGraph((graph) => {
      const empty = () => graph.program({ language: "numpy" });
      expect(empty).toThrow("program: graph is empty, expected one with at least one node");
      graph.leaf("x", row(1));
      const refused = (given: unknown, message: string) =>
        expect(() => graph.program(given as { language: "numpy" })).toThrow(message);
      refused({ language: "fortran" }, 'program: language is "fortran", expected "numpy" or "pytorch"');
      refused({}, 'program: language is undefined, expected "numpy" or "pytorch"');
      refused({ language: "numpy", nodes: [] }, "program: nodes is [], expected a list of at least one node");
      refused({ language: "numpy", nodes: "x" }, 'program: nodes is "x", expected a list');
      refused({ language: "numpy", nodes: ["y"] }, 'name is "y", expected the name of a node');
      refused(
        { language: "numpy", nodes: [3] },
        "program: node is 3, expected a node of this graph or its name",
      );
      refused({ language: "numpy", tabs: 4 }, 'program: unknown option "tabs"');
      withGraph((other) => {
        const foreign = other.leaf("z", row(1));
        refused({ language: "numpy", nodes: [foreign] }, "z of another graph");
      });
    });
    const deleted = core.graph();
    deleted.delete();
    expect(() => deleted.program({ language: "numpy" })).toThrow("program: the graph was deleted");
  });
});
