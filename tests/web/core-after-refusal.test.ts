// After a refused call every method of every handle works or refuses with a message, and no other graph changes.
import { describe, expect, test } from "vitest";
import type {
  Gpt2Decoder,
  Graph,
  GreedyDecoder,
  Node,
  Optimizer,
  Parameters,
  Tensor,
} from "../../web/core/index.js";
import { core } from "./loaded-core.js";

type Loose = Record<string, (...given: unknown[]) => unknown>;

const doubles = (shape: number[], ...data: number[]) => ({ shape, data: Float64Array.from(data) });
const ids = (...data: number[]) => ({ shape: [data.length], data: Int32Array.from(data) });
const OUTSIDE_TABLE = "expected a row of a table of 4";
const STALE = "graph is stale, as leaves were written after it was evaluated, expected a replay first";

/** Ids that a table of four rows does not have: the first hundreds, which would read the memory just behind it, and larger ones. */
const idsOutside = [-1, ...Array.from({ length: 400 }, (_, place) => 4 + place)];
for (let id = 404; id <= 60000; id = Math.ceil(id * 1.05)) idsOutside.push(id);
idsOutside.push(60000, 65536, 1_000_000, 2 ** 24);

/** Every kind of object that JavaScript can hold of the core, with a second graph beside the one that refuses. */
class Scene {
  readonly graph: Graph;
  readonly beside: Graph;
  readonly parameters: Parameters;
  readonly optimizer: Optimizer = core.adam({ lr: 0.1 });
  readonly random = core.randomState(3);
  readonly vocabulary = core.bytePairVocabulary({ text: "low lower lowest", size: 258 });
  readonly decoder: GreedyDecoder;
  readonly continuer: Gpt2Decoder;
  readonly loss: Node;
  readonly #besideBefore: Float64Array[];

  constructor() {
    this.parameters = core.parameters();
    this.parameters.draw("seq2seq", {
      dModel: 4,
      dFf: 8,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
      vocabulary: 5,
    });
    this.decoder = core.greedyDecoder(this.parameters, {
      source: [2],
      numHeads: 2,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
      begin: 1,
      steps: 2,
    });
    using gpt2 = core.parameters();
    gpt2.draw("gpt2", { dModel: 4, dFf: 8, numLayers: 1, vocabulary: 5, positions: 4 });
    this.continuer = core.gpt2Decoder(gpt2, { numHeads: 2, numLayers: 1, length: 4 });
    this.graph = core.graph();
    this.loss = build(this.graph, this.parameters);
    this.graph.backward(this.loss);
    this.beside = core.graph();
    for (let leaf = 0; leaf < 64; leaf++)
      this.beside.leaf(`leaf${leaf}`, doubles([8], 5, 5, 5, 5, 5, 5, 5, 5));
    this.#besideBefore = this.cellsBeside();
  }

  cellsBeside(): Float64Array[] {
    return this.beside.snapshot().map(({ data }) => data);
  }

  checkBeside(): void {
    expect(this.cellsBeside()).toEqual(this.#besideBefore);
  }

  handles(): Record<string, object> {
    const { graph, parameters, optimizer, random, vocabulary, decoder, continuer } = this;
    return { graph, parameters, optimizer, random, vocabulary, decoder, continuer };
  }

  [Symbol.dispose](): void {
    for (const owned of [...Object.values(this.handles()), this.beside])
      (owned as unknown as Loose)["delete"]!();
  }
}

/** A graph with every operation that looks numbers up: rows of a table, classes, edges, and attention over them. */
function build(graph: Graph, parameters: Parameters): Node {
  const table = graph.leaf("table", doubles([4, 2], 1, 2, 3, 4, 5, 6, 7, 8));
  const which = graph.leaf("ids", ids(0, 1));
  const target = graph.leaf("target", ids(1, 0));
  const weight = doubles([2], 1, 2);
  const edges = graph.leaf("edges", doubles([3], 0, 2, 9));
  const random = core.randomState(1);
  const drawn = graph.draw("drawn", random, "randn", { shape: [2, 2] });
  random.delete();
  const rows = graph.embedding(which, table, { name: "rows" });
  graph.oneHot(graph.reshape(which, { shape: [2, 1] }), { numClasses: 4, name: "classes" });
  graph.histogram(rows, edges, { name: "counts" });
  const { output } = graph.scaledDotProductAttention(graph.add(rows, drawn), rows, rows, {
    name: "attention",
  });
  const { logits } = graph.seq2seq(which, which, parameters, {
    numHeads: 2,
    numEncoderLayers: 1,
    numDecoderLayers: 1,
    name: "model",
  });
  const losses = [
    graph.crossEntropy(output, target, { weight, name: "of the rows" }),
    graph.mean(logits, { name: "of the model" }),
  ] as const;
  return graph.add(...losses, { name: "loss" });
}

/** Calls that must throw, as functions of a scene. */
const refusals: [string, (scene: Scene) => void][] = [
  ...[4, 6, 5000, 60000].map((id): [string, (scene: Scene) => void] => [
    `a replay with id ${id}`,
    ({ graph }) => expect(() => graph.replay({ ids: ids(1, id) })).toThrow(),
  ]),
  [
    "a replay with a class of no logit, beside numbers that are good",
    ({ graph }) => {
      const good = doubles([4, 2], 8, 7, 6, 5, 4, 3, 2, 1);
      expect(() => graph.replay({ table: good, target: ids(0, 2) })).toThrow("one of 2 classes");
    },
  ],
  [
    "a replay with falling edges",
    ({ graph }) =>
      expect(() => graph.replay({ edges: doubles([3], 3, 2, 1) })).toThrow("one that does not fall"),
  ],
  [
    "a replay with bad ids after a step of learning",
    ({ graph, optimizer }) => {
      optimizer.step(graph);
      expect(() => graph.replay({ ids: ids(0, 4) })).toThrow(OUTSIDE_TABLE);
    },
  ],
  [
    "what a stale graph refuses",
    ({ graph, optimizer, loss }) => {
      optimizer.step(graph);
      expect(() => graph.backward(loss)).toThrow(`backward: ${STALE}`);
      expect(() => graph.explain("rows", [0, 0])).toThrow(`explain: ${STALE}`);
      expect(() => graph.explainGradient("table", [0, 0])).toThrow(`explain_gradient: ${STALE}`);
      expect(() => graph.program({ language: "numpy" })).toThrow(`program: ${STALE}`);
      expect(() => graph.exp("rows" as never)).toThrow();
      expect(() => graph.exp(graph.node("rows"))).toThrow(`exp: ${STALE}`);
    },
  ],
  [
    "edits",
    ({ graph }) => {
      expect(() => graph.set("ids", ids(0, 4))).toThrow(OUTSIDE_TABLE);
      expect(() => graph.setCell("ids", [1], 4)).toThrow(OUTSIDE_TABLE);
      expect(() => graph.setCell("edges", [0], 3)).toThrow("one that does not fall");
    },
  ],
  [
    "edits of a stale graph",
    ({ graph, optimizer }) => {
      optimizer.step(graph);
      expect(() => graph.set("ids", ids(0, 4))).toThrow(OUTSIDE_TABLE);
    },
  ],
  [
    "new nodes",
    ({ graph }) => {
      expect(() => graph.embedding(ids(0, 4), graph.node("table"))).toThrow(OUTSIDE_TABLE);
      expect(() => graph.matmul(graph.node("rows"), doubles([3, 1], 1, 2, 3))).toThrow("matmul");
    },
  ],
  [
    "gradients of the wrong shape, and names that no node has",
    ({ graph, loss }) => {
      expect(() => graph.backward(loss, doubles([2], 1, 1))).toThrow("backward");
      expect(() => graph.backward("none")).toThrow('backward: name is "none"');
      expect(() => graph.replay({ none: ids(1) })).toThrow('replay: name is "none"');
    },
  ],
  [
    "decoding, parameters and settings",
    ({ decoder, parameters, optimizer, random, vocabulary }) => {
      for (const id of [5, 6, 60000])
        expect(() => decoder.decode(ids(0, id))).toThrow("expected a row of a table of 5");
      expect(() => parameters.set("embedding.weight", doubles([1], 1))).toThrow("set");
      expect(() => parameters.loadStateDict({})).toThrow();
      expect(() => (optimizer.lr = -1)).toThrow("lr");
      expect(() => random.randint(3, 2, [1])).toThrow("randint");
      expect(() => vocabulary.decode([70000])).toThrow();
    },
  ],
];

/** Valid arguments of each method; a method that is not listed gets only the arguments below. */
const answered: Record<string, unknown[][]> = {
  node: [["rows"]],
  value: [["rows"], ["ids"]],
  read: [["rows", new Float64Array(4)]],
  view: [["rows"]],
  replay: [[], [{ ids: ids(3, 2) }], [{ ids: ids(3, 4) }]],
  set: [["ids", ids(2, 2)]],
  setCell: [["ids", [0], 1]],
  reset: [["ids"]],
  snapshot: [[], [["rows"]]],
  backward: [["loss"]],
  gradient: [["table"]],
  explain: [
    ["rows", [1, 0]],
    ["attention.output", [1, 0], { full: true }],
    ["classes", [1, 0, 0]],
    ["of the rows", []],
  ],
  explainGradient: [
    ["table", [1, 0]],
    ["rows", [1, 0], { full: true }],
  ],
  program: [[{ language: "numpy" }], [{ language: "pytorch" }]],
  draw: [["more", core, "randn", { shape: [2] }]],
  leaf: [["later", ids(1, 1)]],
  get: [["embedding.weight"]],
  randn: [[[2]]],
  uniform: [[0, 1, [2]]],
  permutation: [[3]],
  encode: [["lower"]],
  continueTexts: [
    [ids(1), { steps: 2 }],
    [ids(1), { steps: 60000 }],
  ],
  decode: [[ids(1, 4)], [ids(1, 60000)], [[108, 256]]],
};

/** Arguments that every method is called with, in addition to its own. */
function argumentsOf({ graph, beside, parameters, loss }: Scene): unknown[][] {
  const [table, which] = ["table", "ids"].map((name) => graph.node(name));
  return [
    [],
    [table],
    [loss],
    [which],
    [which, table],
    [table, which],
    [table, table],
    [table, table, table],
    ["table", [1, 1]],
    [table, [3, 1], 2],
    [ids(1, 60000), table],
    [graph],
    [graph, "model.embedding.weight"],
    [parameters],
    [which, parameters],
    [which, which, parameters, { numHeads: 2, numEncoderLayers: 1, numDecoderLayers: 1 }],
    [beside.node("leaf0"), table],
    [3],
    ["x"],
    [{}],
    [null],
  ];
}

/** Members that the declarations leave out because only the library's own files call them. */
const INTERNAL: Record<string, string> = {
  graph: "apply size truncate handle namesOf nodeOf makeLeaf checkLeaf own settings layer single",
  parameters: "handle",
  random: "draw lend",
};

/** The public methods of a handle, and its fields that are computed. */
function methodsOf(kind: string, handle: object): string[] {
  const names: string[] = [];
  for (
    let type = Object.getPrototypeOf(handle);
    type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  )
    names.push(...Object.getOwnPropertyNames(type));
  const others = ["constructor", "delete", ...(INTERNAL[kind] ?? "").split(" ")];
  return [...new Set(names)].filter((name) => !others.includes(name));
}

/** The result of a call: true, or false if it refuses as it should. Any other refusal is returned as text. */
function outcome(call: () => unknown): boolean | string {
  try {
    call();
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !/^[\w. ]+: ./.test(error.message)) return String(error);
    return Object.getPrototypeOf(error) === Error.prototype ? false : `${error.name}: ${error.message}`;
  }
}

describe("after a refusal", () => {
  test.each(refusals)(
    "of %s every method of every handle works or throws an Error with a message",
    (_, refuse) => {
      using scene = new Scene();
      refuse(scene);
      const unlike: string[] = [];
      const counts: Record<string, number> = {};
      for (const [kind, handle] of Object.entries(scene.handles())) {
        for (const method of methodsOf(kind, handle)) {
          const calls = [...(answered[method] ?? []), ...argumentsOf(scene)];
          for (const given of calls) {
            const got = outcome(() => {
              const member = (handle as unknown as Loose)[method];
              if (typeof member === "function") member.apply(handle, given);
            });
            if (typeof got === "string") unlike.push(`${kind}.${method}(${given.length} arguments): ${got}`);
            else if (got) counts[kind] = (counts[kind] ?? 0) + 1;
          }
        }
        scene.checkBeside();
      }
      expect(unlike).toEqual([]);
      // The test is meaningful only if some calls succeed.
      for (const kind of Object.keys(scene.handles())) expect(counts[kind]).toBeGreaterThan(0);
      const product = core.matmul(doubles([1, 2], 1, 2), doubles([2, 1], 3, 4));
      expect([...product.data]).toEqual([11]);
    },
  );

  test.each<[string, (scene: Scene) => unknown]>([
    ["a gradient that there is not", ({ graph }) => graph.gradient("ids")],
    ["new nodes", ({ graph }) => graph.matmul(graph.node("rows"), graph.node("table"))],
    ["functions", () => core.matmul(doubles([1, 2], 1, 2), doubles([1, 2], 3, 4))],
    ["replays", ({ graph }) => graph.replay({ ids: ids(0, 4) })],
    ["parameters", ({ parameters }) => parameters.set("embedding.weight", doubles([1], 1))],
    ["decoding", ({ decoder }) => decoder.decode(ids(0, 5))],
    ["continuing", ({ continuer }) => continuer.continueTexts(ids(0, 5), { steps: 1 })],
  ])("thousands of times, of %s, the stack of the module is as large as before", (_, refused) => {
    using scene = new Scene();
    // Each call would leave at least 64 bytes on a stack of 512 KB.
    for (let time = 0; time < 17_000; time++)
      if (outcome(() => refused(scene)) !== false) expect(time).toBe(-1);
    scene.graph.explain("attention.output", [1, 0]);
    scene.checkBeside();
  });

  test("of ids outside their table, every object is as before", () => {
    using scene = new Scene();
    const { graph, loss } = scene;
    const before = graph.snapshot();
    const gradient = graph.gradient("table");
    for (const id of idsOutside) {
      expect(() => graph.replay({ ids: ids(1, id), table: doubles([4, 2], 9, 9, 9, 9, 9, 9, 9, 9) })).toThrow(
        OUTSIDE_TABLE,
      );
      graph.backward(loss);
      graph.explain("rows", [1, 0]);
      graph.explainGradient("table", [1, 0]);
    }
    expect(graph.snapshot()).toEqual(before);
    expect(graph.gradient("table")).toEqual(gradient);
    scene.checkBeside();
  });

  test("of a replay, a leaf is still drawn or edited as before", () => {
    using scene = new Scene();
    const { graph } = scene;
    graph.setCell("drawn", [0, 1], 4);
    const before = { snapshot: graph.snapshot(), origins: graph.describe(), bytes: graph.bytes };
    const inputs: Record<string, Tensor<Float64Array | Int32Array>> = {
      drawn: doubles([2, 2], 1, 1, 1, 1),
      ids: ids(4, 0),
    };
    for (let time = 0; time < 2; time++) expect(() => graph.replay(inputs)).toThrow(OUTSIDE_TABLE);
    expect({ snapshot: graph.snapshot(), origins: graph.describe(), bytes: graph.bytes }).toEqual({
      ...before,
      bytes: graph.bytes,
    });
    inputs["ids"] = ids(3, 0);
    graph.replay(inputs);
    expect(graph.snapshot(["drawn"])[0]!.edited).toEqual([]);
    expect(graph.describe().find(({ name }) => name === "drawn")!.origin).toEqual({ kind: "literal" });
  });

  test("of a replay after a step of learning, the graph has the parameters of that step", () => {
    using scene = new Scene();
    const { graph, optimizer } = scene;
    optimizer.step(graph);
    const old = graph.value("of the model").data[0];
    expect(() => graph.replay({ ids: ids(0, 4) })).toThrow(OUTSIDE_TABLE);
    const now = graph.value("of the model").data[0];
    expect(now).not.toBe(old);
    graph.replay();
    expect(graph.value("of the model").data[0]).toBe(now);
  });
});

describe("a stale graph", () => {
  test("returns its last complete evaluation, and has gradients and explanations only after the next one", () => {
    const graph = core.graph();
    const parameters = core.parameters();
    parameters.add("w", doubles([], 2));
    const w = graph.stateDict(parameters)["w"]!;
    const x = graph.leaf("x", doubles([], 0));
    const cube = graph.multiply(graph.multiply(w, w), w, { name: "cube" });
    const sum = graph.add(cube, x, { name: "sum" });
    graph.backward(sum);
    const optimizer = core.sgd({ lr: 1 });
    optimizer.step(graph);
    expect([...graph.value(cube).data, ...graph.read(cube, new Float64Array(1))]).toEqual([8, 8]);
    expect([...graph.snapshot(["cube"])[0]!.data]).toEqual([8]);
    expect([...graph.gradient(w).data]).toEqual([12]);
    expect(() => graph.backward(sum)).toThrow(`backward: ${STALE}`);
    expect(() => graph.explain(cube, [])).toThrow(`explain: ${STALE}`);
    expect(() => graph.explainGradient(w, [])).toThrow(`explain_gradient: ${STALE}`);
    graph.replay();
    expect([...graph.value(cube).data]).toEqual([-1000]);
    graph.backward(sum);
    expect([...graph.gradient(w).data]).toEqual([300]);
    optimizer.step(graph);
    expect(graph.setCell(x, [], 1)).toEqual(["#2", "cube", "sum"]); // all of it, because w was written too
    expect([...graph.value(sum).data]).toEqual([(-310) ** 3 + 1]);
    expect(graph.explain(cube, []).value).toBe((-310) ** 3);
    for (const owned of [graph, parameters, optimizer]) owned.delete();
  });
});
