// Graphs: nodes and their names, edits, explanations, gradients, origins, and refused calls.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { masks, type Graph, type GraphOptions, type Node, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const doubles = (shape: number[], ...data: number[]): Tensor<Float64Array> => ({
  shape,
  data: Float64Array.from(data),
});
const flags = (shape: number[], ...data: number[]): Tensor<Uint8Array> => ({
  shape,
  data: Uint8Array.from(data),
});
const names = (graph: Graph): string[] => graph.snapshot().map(({ name }) => name);

function withGraph(options: GraphOptions, work: (graph: Graph) => void): void {
  const graph = core.graph(options);
  try {
    work(graph);
  } finally {
    graph.delete();
  }
}

/** x (3, 2) attended to itself, observed, with a mask that can be painted. */
function observed(graph: Graph): { x: Node; mask: Node } {
  const x = graph.leaf("x", doubles([3, 2], 1, 2, 3, 4, 5, 6));
  const mask = graph.leaf("mask", flags([3, 3], 1, 1, 1, 1, 1, 1, 1, 1, 1));
  graph.scaledDotProductAttention(x, x, x, { mask });
  return { x, mask };
}

describe("nodes", () => {
  test("an observed attention has its steps, in order, each with its op and inputs", () => {
    withGraph({ observe: true }, (graph) => {
      observed(graph);
      const steps = graph
        .snapshot()
        .map(({ name, op, inputs, shape }) => [name, op, inputs.join(" "), shape.join(" ")]);
      expect(steps).toEqual([
        ["x", "leaf", "", "3 2"],
        ["mask", "leaf", "", "3 3"],
        ["K_T", "transpose", "x", "2 3"],
        ["scores", "matmul", "x K_T", "3 3"],
        ["scaled", "scale", "scores", "3 3"],
        ["masked", "mask", "scaled mask", "3 3"],
        ["weights", "softmax", "masked", "3 3"],
        ["output", "matmul", "weights x", "3 2"],
      ]);
    });
  });

  test("an attention without a scale has no step that scales", () => {
    withGraph({ observe: true }, (graph) => {
      const x = graph.leaf("x", doubles([2, 2], 1, 2, 3, 4));
      const steps = graph.scaledDotProductAttention(x, x, x, { scale: "none" });
      expect(names(graph)).toEqual(["x", "K_T", "scores", "weights", "output"]);
      expect(steps.scaled).toBeUndefined();
      const whole = core.scaledDotProductAttention(
        graph.value(x) as Tensor<Float64Array>,
        doubles([2, 2], 1, 2, 3, 4),
        doubles([2, 2], 1, 2, 3, 4),
        { scale: 1 },
      );
      expect(graph.value("output")).toEqual(whole.output);
    });
  });

  test("a patch embedding in row-vector form has named steps, the last with the given name", () => {
    withGraph({ observe: true }, (graph) => {
      const image = graph.leaf("image", doubles([1, 2, 4], 1, 2, 3, 4, 5, 6, 7, 8));
      const weight = graph.leaf("W_E", doubles([4, 1], 1, 10, 100, 1000));
      const bias = graph.leaf("b_E", doubles([1], 0.5));
      const cls = graph.leaf("CLS", doubles([1, 1], -1));
      const position = graph.leaf("position", doubles([3, 1], 1, 2, 3));
      graph.patchEmbedding(image, weight, bias, { cls, position, patch: [2, 2], outputName: "sequence" });
      expect(names(graph).slice(5)).toEqual(["patches", "projected", "tokens", "joined", "sequence"]);
      expect([...graph.value("sequence").data]).toEqual([0, 6523.5, 8746.5]);
      expect(() => graph.patchEmbedding(image, weight, bias, { patch: [1, 2] })).toThrow(
        "patch_embedding: weight has shape (4, 1), expected as many rows as a patch of image (1, 2, 4) has numbers",
      );
    });
  });

  test("positions may have an offset", () => {
    withGraph({}, (graph) => {
      graph.sinusoidal({ length: 3, offset: 4, dim: 6, name: "later" });
      graph.sinusoidal({ positions: [4, 5, 6], dim: 6, name: "same" });
      expect(graph.value("later")).toEqual(graph.value("same"));
      expect([...graph.value("later.positions").data]).toEqual([4, 5, 6]);
    });
  });

  test("half a character is refused in a name", () => {
    withGraph({}, (graph) => {
      expect(() => graph.leaf("x\ud83d", doubles([1], 1))).toThrow("leaf: name is");
      expect(graph.leaf("x\u{1f431}", doubles([1], 1)).name).toBe("x\u{1f431}");
      expect(names(graph)).toEqual(["x\u{1f431}"]);
    });
  });

  test("an observed multi-head attention has the names of the paper, after its prefix", () => {
    withGraph({ observe: true }, (graph) => {
      const x = graph.leaf("x", doubles([1, 2, 4], 1, 2, 3, 4, 5, 6, 7, 8));
      const w = graph.leaf("W", doubles([4, 4], ...Array.from({ length: 16 }, (_, i) => i / 10)));
      const parameters = { wQ: w, wK: w, wV: w, wO: w };
      const nodes = graph.multiHeadAttention(x, x, x, parameters, {
        numHeads: 2,
        isCausal: true,
        name: "first",
      });
      expect(names(graph).slice(2)).toEqual(
        "Q K V Q_heads K_heads V_heads causal K_T scores scaled masked weights heads concat output"
          .split(" ")
          .map((name) => `first.${name}`),
      );
      expect(nodes.output.name).toBe("first.output");
      expect(nodes.weights?.shape).toEqual([1, 2, 2, 2]);
      expect(nodes.heads.name).toBe("first.heads");
      expect(graph.node("first.causal").dataType).toBe("bool");
    });
  });

  test("unobserved attention is one fused node with the same numbers", () => {
    let textbook: Tensor | undefined;
    withGraph({ observe: true }, (graph) => {
      observed(graph);
      textbook = graph.value("output") as Tensor;
    });
    withGraph({}, (graph) => {
      const { output, weights } = graph.scaledDotProductAttention(
        ...([0, 0, 0].map(() => doubles([3, 2], 1, 2, 3, 4, 5, 6)) as [Tensor, Tensor, Tensor]),
        { name: "a" },
      );
      expect(weights).toBeUndefined();
      expect([output.name, output.op]).toEqual(["a.output", "attention"]);
      const fused = graph.value(output);
      fused.data.forEach((value, place) => expect(value).toBeCloseTo(textbook!.data[place]!, 12));
    });
  });

  test("masks and ids keep their type", () => {
    withGraph({ precision: "float32" }, (graph) => {
      const mask = graph.leaf("mask", flags([2], 1, 0));
      expect(graph.value(graph.reshape(mask, { shape: [2, 1], name: "column" }))).toEqual(
        flags([2, 1], 1, 0),
      );
      const ids = graph.leaf("ids", { shape: [2], data: Int32Array.of(1, 0) });
      expect(graph.value(ids).data).toBeInstanceOf(Int32Array);
      const table = graph.leaf("table", { shape: [2, 1], data: Float32Array.of(0.5, 2) });
      expect(graph.value(graph.embedding(ids, table))).toEqual({
        shape: [2, 1],
        data: Float32Array.of(2, 0.5),
      });
      expect(() => graph.add(table, mask)).toThrow(
        'add: b is "mask holding bool", expected a node holding float32',
      );
      expect(() => graph.embedding(table, table)).toThrow("embedding: ids is");
      expect(graph.snapshot(["mask"])[0]!.data).toEqual(Float64Array.of(1, 0));
    });
  });

  test("ids stay distinct in either precision, and numbers stay finite", () => {
    const big = { shape: [2], data: Int32Array.of(3, 2 ** 24 + 1) };
    withGraph({ precision: "float32" }, (graph) => {
      const only = "an integer from -16777216 to 16777216";
      expect(() => graph.leaf("ids", big)).toThrow(`leaf: tensor.data[1] is 16777217, expected ${only}`);
      const ids = graph.leaf("ids", { shape: [2], data: Int32Array.of(2 ** 24, -100) });
      expect([...graph.value(ids).data]).toEqual([2 ** 24, -100]);
      expect(() => graph.set(ids, big)).toThrow(`set: tensor.data[1] is 16777217, expected ${only}`);
      expect(() => graph.setCell(ids, [0], 2 ** 24 + 1)).toThrow(
        `setCell: value is 16777217, expected ${only}`,
      );
      const x = graph.leaf("x", { shape: [1], data: Float32Array.of(1) });
      expect(() => graph.setCell(x, [0], 1e300)).toThrow(
        "setCell: value is 1e+300, expected a number that float32 holds",
      );
      graph.setCell(x, [0], Infinity);
      expect([...graph.value(x).data]).toEqual([Infinity]);
    });
    withGraph({}, (graph) => expect(graph.value(graph.leaf("ids", big))).toEqual(big));
  });

  test("a mask keeps its fill when it is reshaped, transposed or taken apart, and a mask of keys has none", () => {
    withGraph({ observe: true }, (graph) => {
      const x = doubles([2, 1], 1, 1);
      const mask = graph.leaf("mask", masks.fromFill(flags([4], 0, 0, 0, 0), -1e9));
      const square = graph.reshape(mask, { shape: [2, 2] });
      const all = graph.reshape(mask, { shape: [4, 1] });
      const first = graph.slice(all, { axis: 0, start: 0, stop: 2 });
      for (const moved of [square, graph.transpose(square), first]) {
        expect([moved.dataType, moved.fill]).toEqual(["bool", -1e9]);
        const { weights } = graph.scaledDotProductAttention(x, x, x, {
          mask: moved,
          name: moved.name.slice(1),
        });
        expect([...graph.value(weights!).data]).toEqual([0.5, 0.5, 0.5, 0.5]);
      }
      const one = { wQ: x, wK: x, wV: x, wO: doubles([1, 2], 1, 1) };
      const q = doubles([1, 2, 2], 1, 2, 3, 4);
      const attend = (keyMask: Tensor<Uint8Array> | Node) => () =>
        graph.multiHeadAttention(q, q, q, one, { numHeads: 1, keyMask });
      const refused =
        "multiHeadAttention: keyMask.fill is -1000000000, expected -Infinity or none; a mask of another fill goes into mask";
      expect(attend(masks.fromFill(flags([1, 2], 0, 1), -1e9))).toThrow(refused);
      const keys = graph.leaf("keys", masks.fromFill(flags([1, 2], 0, 1), -1e9));
      expect(attend(keys)).toThrow(refused);
      expect(attend(masks.fromFill(flags([1, 2], 0, 1), -Infinity))).not.toThrow();
      expect([...graph.value(graph.node("weights")).data]).toEqual([0, 1, 0, 1]);
    });
  });

  test("a mask keeps its own fill", () => {
    withGraph({ observe: true }, (graph) => {
      const x = doubles([2, 1], 1, 1);
      const mask = graph.leaf("mask", masks.fromFill(flags([2], 0, 0), -1e9));
      expect(graph.value(graph.scaledDotProductAttention(x, x, x, { mask }).weights!).data).toEqual(
        Float64Array.of(0.5, 0.5, 0.5, 0.5),
      );
      expect(graph.describe().find(({ name }) => name === "masked")!.attributes).toEqual({ fill: -1e9 });
    });
  });
});

describe("edits", () => {
  test("evaluate the nodes that depend on them, and return their names", () => {
    withGraph({ observe: true }, (graph) => {
      const { mask, x } = observed(graph);
      expect(graph.setCell(mask, [0, 2], 0)).toEqual(["masked", "weights", "output"]);
      expect(graph.value("weights").data[2]).toBe(0);
      expect(graph.snapshot(["mask"])[0]!.edited).toEqual([[0, 2]]);
      expect(graph.set("mask", flags([3, 3], 1, 0, 0, 1, 0, 0, 1, 0, 0))).toEqual([
        "masked",
        "weights",
        "output",
      ]);
      expect(graph.value("output").data).toEqual(Float64Array.of(1, 2, 1, 2, 1, 2));
      expect(graph.reset("mask")).toEqual(["masked", "weights", "output"]);
      expect(graph.value(mask)).toEqual(flags([3, 3], 1, 1, 1, 1, 1, 1, 1, 1, 1));
      expect(graph.setCell(x, [1, 1], 40)).toEqual([
        "K_T",
        "scores",
        "scaled",
        "masked",
        "weights",
        "output",
      ]);
    });
  });

  test("give the same bits as a graph made with the edited numbers", () => {
    withGraph({ observe: true }, (edited) => {
      withGraph({ observe: true }, (made) => {
        const { x } = observed(edited);
        edited.setCell(x, [2, 0], 0.1);
        edited.setCell("mask", [1, 0], 0);
        const y = made.leaf("x", doubles([3, 2], 1, 2, 3, 4, 0.1, 6));
        made.scaledDotProductAttention(y, y, y, {
          mask: made.leaf("mask", flags([3, 3], 1, 1, 1, 0, 1, 1, 1, 1, 1)),
        });
        for (const name of ["scores", "weights", "output"])
          expect(edited.value(name)).toEqual(made.value(name));
      });
    });
  });

  test("that are refused change nothing", () => {
    withGraph({}, (graph) => {
      const ids = graph.leaf("ids", { shape: [1], data: Int32Array.of(1) });
      const rows = graph.embedding(ids, doubles([2, 1], 5, 6), { name: "rows" });
      expect(() => graph.setCell(ids, [0], 2)).toThrow("embedding: id at (0,) is 2");
      expect(graph.value(ids).data[0]).toBe(1);
      expect(graph.value(rows).data[0]).toBe(6);
      expect(graph.snapshot(["ids"])[0]!.edited).toEqual([]);
      expect(() => graph.setCell(rows, [0, 0], 1)).toThrow(
        'set_cell: node is "rows", which is computed by embedding, expected a leaf',
      );
      expect(() => graph.set(ids, doubles([1], 1))).toThrow(
        "set: tensor.data is a Float64Array, expected an Int32Array",
      );
      expect(() => graph.set("ids", { shape: [2], data: Int32Array.of(0, 0) })).toThrow(
        "set: tensor has shape (2,), expected (1,) of ids",
      );
      expect(() => graph.setCell("ids", [0], 0.5)).toThrow("setCell: value is 0.5, expected an integer");
      expect(() => graph.setCell("ids", [1], 0)).toThrow("(1,)");
      expect(() => graph.setCell("ids", [], 0)).toThrow("()");
    });
  });
});

describe("explanations", () => {
  test("name the operands of a cell and end in its value", () => {
    withGraph({ observe: true }, (graph) => {
      observed(graph);
      expect(graph.explain("scores", [0, 1])).toEqual({
        node: "scores",
        op: "matmul",
        index: [0, 1],
        value: 11,
        rows: [
          { role: "row", operands: [{ node: "x", index: [0, 0], value: 1 }, { node: "x", index: [0, 1], value: 2 }] },
          { role: "column", operands: [{ node: "K_T", index: [0, 1], value: 3 }, { node: "K_T", index: [1, 1], value: 4 }] },
          { role: "products", operands: [{ node: "", index: [], value: 3 }, { node: "", index: [], value: 8 }], value: 11 },
        ],
        sources: [
          { node: "x", from: [0, 0], to: [0, 1] },
          { node: "K_T", from: [0, 1], to: [1, 1] },
        ],
        attributes: {},
      }); // prettier-ignore
    });
  });

  test("uses: the cells that are computed directly from a cell, in the order of their nodes", () => {
    withGraph({ observe: true }, (graph) => {
      observed(graph);
      expect(graph.uses("scores", [0, 1])).toEqual([{ node: "scaled", from: [0, 1], to: [0, 1] }]);
      expect(graph.uses("masked", [0, 1])).toEqual([{ node: "weights", from: [0, 0], to: [0, 2] }]);
      const x = graph.uses("x", [0, 1]);
      expect(x.map(({ node }) => node)).toEqual(["K_T", "scores", "output"]);
      expect(graph.uses("output", [0, 0])).toEqual([]);
    });
  });

  test("distinguish the rounding error of a sum that is 0 from a small number", () => {
    withGraph({ observe: true }, (graph) => {
      const ones = graph.leaf("ones", doubles([3, 1], 1, 1, 1));
      let count = 0;
      const last = (...row: number[]) => {
        const leaf = graph.leaf(`row ${++count}`, doubles([1, 3], ...row));
        return graph.explain(graph.matmul(leaf, ones), [0, 0]).rows.at(-1)!;
      };
      expect(last(0.1, 0.2, -0.3)).toMatchObject({ value: 5.551115123125783e-17, zeroWithinRounding: true });
      expect(last(1e-186, 2e-186, 0)).not.toHaveProperty("zeroWithinRounding");
      expect(last(0.5, 0, -0.5)).not.toHaveProperty("zeroWithinRounding");
    });
  });

  test("of every cell of every node have the value that the node holds", () => {
    withGraph({ observe: true }, (graph) => {
      observed(graph);
      let cells = 0;
      for (const { name, shape, data } of graph.snapshot()) {
        data.forEach((value, place) => {
          const index = [Math.floor(place / shape[1]!), place % shape[1]!];
          expect(graph.explain(name, index).value).toBe(value);
          cells += 1;
        });
      }
      expect(cells).toBe(6 + 9 + 6 + 9 * 4 + 6);
    });
  });

  test("of a leaf say whether it was typed, drawn or looked up, and a cell changed by hand was typed", () => {
    withGraph({}, (graph) => {
      const random = core.randomState(1);
      graph.draw("drawn", random, "randn", { shape: [2] });
      random.delete();
      graph.tokenVectors("words", ["a"], 1, 2);
      graph.leaf("typed", doubles([1], 3));
      graph.setCell("drawn", [1], 9);
      const role = (name: string, index: number[]) => graph.explain(name, index).rows[0]!.role;
      expect([role("drawn", [0]), role("drawn", [1]), role("words", [0, 1]), role("typed", [0])]).toEqual([
        "drawn",
        "typed",
        "looked_up",
        "typed",
      ]);
      expect(graph.explain("drawn", [0]).attributes).toMatchObject({
        kind: "draw",
        seed: 1,
        method: "randn",
      });
    });
  });
});

interface Fixture {
  shape: number[];
  data: (number | string)[];
  dtype: string;
}
interface Case {
  name: string;
  inputs: Record<string, Fixture>;
  params: Record<string, unknown>;
  expected: Record<string, Fixture>;
  tolerance: Record<string, { f64: { rtol: number; atol: number } }>;
}

describe("gradients", () => {
  const { cases } = JSON.parse(
    readFileSync(new URL("../golden/gradients.json", import.meta.url), "utf8"),
  ) as { cases: Case[] };
  const known = ["softmax", "sdpa", "mha_torch", "blog_mha", "linear", "embedding", "vit_patch"];
  const covered = cases.filter(({ params }) => known.includes(params["op"] as string));

  function build(graph: Graph, { inputs, params }: Case): Node {
    const node = (name: string): Node => graph.node(name);
    const given = (name: string): Node | undefined => (name in inputs ? node(name) : undefined);
    for (const [name, { shape, data, dtype }] of Object.entries(inputs)) {
      const values = data.map(Number);
      if (name === "g_out") continue;
      if (dtype === "float64") graph.leaf(name, { shape, data: Float64Array.from(values) });
      else if (dtype === "int64") graph.leaf(name, { shape, data: Int32Array.from(values) });
      else if (name === "attn_mask") graph.leaf(name, masks.fromTorchModule(flags(shape, ...values)));
      else graph.leaf(name, flags(shape, ...values));
    }
    switch (params["op"]) {
      case "softmax":
        return graph.softmax(node("x"), { axis: params["axis"] as number });
      case "sdpa": {
        const options = {
          ...(params["mask"] === "bool_keep" ? { mask: node("mask") } : {}),
          ...(params["mask"] === "causal_top_left" ? { isCausal: true } : {}),
          ...("scale" in params ? { scale: params["scale"] as number } : {}),
        };
        return graph.scaledDotProductAttention(node("q"), node("k"), node("v"), options).output;
      }
      case "mha_torch": {
        const query = node("query");
        const mask = given("attn_mask");
        const parameters = {
          inProjWeight: node("in_proj_weight"),
          inProjBias: node("in_proj_bias"),
          outProjWeight: node("out_proj.weight"),
          outProjBias: node("out_proj.bias"),
        };
        const options = { numHeads: params["heads"] as number, ...(mask ? { mask } : {}) };
        return graph.multiHeadAttention(
          query,
          given("key") ?? query,
          given("value") ?? query,
          parameters,
          options,
        ).output;
      }
      case "blog_mha": {
        const x = node("x");
        const parameters = { wQ: node("w_q"), wK: node("w_k"), wV: node("w_v"), wO: node("w_o") };
        return graph.multiHeadAttention(x, x, x, parameters, { numHeads: params["heads"] as number }).output;
      }
      case "linear":
        return graph.linear(node("x"), node("weight"), node("bias"));
      case "embedding":
        return graph.embedding(node("ids"), node("table"), { scaleBySqrtDim: params["scaled"] as boolean });
      default:
        return graph.patchEmbedding(node("image"), node("weight"), node("bias"), {
          cls: node("cls"),
          position: node("pos"),
        }).output;
    }
  }

  test("all seven operations have a case", () => {
    expect(new Set(covered.map(({ params }) => params["op"])).size).toBe(known.length);
  });

  test.each(
    covered.flatMap((fixture) => [true, false].map((observe) => [fixture.name, observe, fixture] as const)),
  )("%s, observed %s, are PyTorch's", (_, observe, fixture) => {
    withGraph({ observe }, (graph) => {
      const output = build(graph, fixture);
      const upstream = fixture.inputs["g_out"]!;
      graph.backward(output, doubles(upstream.shape, ...upstream.data.map(Number)));
      for (const [key, expected] of Object.entries(fixture.expected)) {
        const got = key === "output" ? graph.value(output) : graph.gradient(key.replace("grad_", ""));
        const { rtol, atol } = fixture.tolerance[key]!.f64;
        expect(got.shape).toEqual(expected.shape);
        expected.data.map(Number).forEach((value, place) => {
          expect(Math.abs(got.data[place]! - value)).toBeLessThanOrEqual(atol + rtol * Math.abs(value));
        });
      }
    });
  });

  test("of ones if none is given; an edit removes them", () => {
    withGraph({}, (graph) => {
      const x = graph.leaf("x", doubles([2], 3, 4));
      const sum = graph.add(x, x);
      expect(() => graph.gradient(x)).toThrow(
        'gradient: node is "x", expected one of a graph that has gradients',
      );
      graph.backward(sum);
      expect(graph.gradient(x)).toEqual(doubles([2], 2, 2));
      expect(() => graph.backward(sum, doubles([1], 1))).toThrow(
        "backward: gradient has shape (1,), expected (2,) of #1",
      );
      graph.setCell(x, [0], 1);
      expect(() => graph.gradient(x)).toThrow("that has gradients");
    });
  });
});

describe("refused calls of graphs", () => {
  test("leave nothing behind", () => {
    withGraph({ observe: true }, (graph) => {
      const x = graph.leaf("x", doubles([2, 2], 1, 2, 3, 4));
      const before = { names: names(graph), bytes: graph.bytes };
      const refusals: (() => unknown)[] = [
        () => graph.matmul(x, doubles([3, 1], 1, 2, 3)),
        () => graph.matmul(doubles([3, 3], ...Array<number>(9).fill(1)), doubles([2, 2], 1, 2, 3, 4)),
        () => graph.scaledDotProductAttention(x, x, x, { mask: flags([3, 3], ...Array<number>(9).fill(1)) }),
        () =>
          graph.multiHeadAttention(
            x,
            x,
            x,
            { wQ: x, wK: x, wV: x, wO: doubles([3, 3], ...Array<number>(9).fill(1)) },
            { numHeads: 2 },
          ),
        () => graph.leaf("x", doubles([1], 1)),
        () => graph.leaf("#5", doubles([1], 1)),
        () => graph.tokenVectors("x", ["a"], 1, 3),
        () => graph.sinusoidal({ length: 3, dim: 4, name: "x" }),
        () =>
          graph.patchEmbedding(
            doubles([1, 2, 2], 1, 2, 3, 4),
            doubles([1, 1, 2, 3], 1, 2, 3, 4, 5, 6),
            undefined,
          ),
      ];
      for (const refused of refusals) {
        expect(refused).toThrow(Error);
        expect({ names: names(graph), bytes: graph.bytes }).toEqual(before);
      }
      expect(graph.scaledDotProductAttention(x, x, x).output.name).toBe("output");
    });
  });

  test("nodes of another graph, and graphs that were deleted", () => {
    withGraph({}, (graph) => {
      const other = core.graph();
      const stranger = other.leaf("x", doubles([1, 1], 1));
      expect(() => graph.matmul(stranger, stranger)).toThrow(
        'matmul: a is "x of another graph", expected a node of this graph',
      );
      expect(() => graph.value(stranger)).toThrow("value: node is");
      other.delete();
      expect(() => graph.value(stranger)).toThrow("value: node is");
      expect(() => other.value(stranger)).toThrow("value: the graph was deleted");
      expect(() => other.matmul(stranger, stranger)).toThrow("matmul: the graph was deleted");
      expect(() => other.leaf("y", doubles([1], 1))).toThrow("leaf: the graph was deleted");
      expect(() => other.bytes).toThrow("bytes: the graph was deleted");
      expect(() => other.delete()).not.toThrow();
      expect(() => graph.value("nothing")).toThrow('value: name is "nothing", expected the name of a node');
      expect(() => graph.value(7 as unknown as string)).toThrow(
        "value: node is 7, expected a node of this graph or its name",
      );
    });
  });

  test("objects that are not options", () => {
    const wrong = (options: unknown) => () => core.graph(options as GraphOptions);
    expect(wrong({ precision: "double" })).toThrow(
      'graph: precision is "double", expected "float64" or "float32"',
    );
    expect(wrong({ observe: 1 })).toThrow("graph: observe is 1, expected true or false");
    expect(wrong({ maxBytes: -1 })).toThrow("graph: maxBytes is -1, expected an integer of at least 0");
    expect(wrong({ maxBytes: NaN })).toThrow("graph: maxBytes is NaN");
    expect(wrong({ observed: true })).toThrow('graph: unknown option "observed"');
  });

  test("numbers of the other precision", () => {
    withGraph({ precision: "float32" }, (graph) => {
      expect(() => graph.leaf("x", doubles([1], 1))).toThrow(
        "leaf: tensor.data is a Float64Array, expected a Float32Array or an Int32Array or a Uint8Array",
      );
    });
  });
});

test("using a graph or a generator deletes it", () => {
  const before = core.liveHandles;
  {
    using graph = core.graph();
    using random = core.randomState(1);
    graph.draw("x", random, "randn", { shape: [1] });
    expect(core.liveHandles).toBe(before + 2);
  }
  expect(core.liveHandles).toBe(before);
});
