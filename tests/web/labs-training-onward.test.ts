// The trained model in other labs: opened from their links, they compute the same numbers from its weights.
import { expect, test } from "vitest";
import { encode } from "../../web/config/codec.js";
import type { Config, ConfigOf, NumbersOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import { inLayer } from "../../web/config/labs/block.js";
import { layerName } from "../../web/config/labs/encoder-decoder.js";
import { linkBounds } from "../../web/config/bounds.js";
import { wordsIn } from "../../web/i18n/words.js";
import type { Snapshot } from "../../web/marks/scene.js";
import {
  embeddingsConfig,
  blockConfig,
  shownHead,
  fitsLink,
  headConfig,
  imageConfig,
  layerConfig,
  layerOf,
  lossesConfig,
  positionsConfig,
} from "../../web/labs/training/onward.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { shownAttention } from "../../web/labs/training/tensors.js";
import { bertConfig } from "../../web/labs/training/masked-words.js";
import { MOST_ASKED } from "../../web/labs/encoder-decoder/index.js";
import { tokensOf, vocabularyOf } from "../../web/labs/training/tokens.js";
import { translatorConfig } from "../../web/labs/training/translator.js";
import { computed, configOf, wholeCore } from "./labs-sessions.js";

/** The state of the lab that the link of a state leads to, and its numbers. A link that needs a repair, or is too long, fails. */
function opened(state: Config): Pick<ReturnType<typeof computed>, "snapshots"> & { config: Config } {
  expect(fitsLink(state)).toBe(true);
  const link = encode(state);
  expect(link.length).toBeLessThanOrEqual(linkBounds.characters);
  const { config, notices } = decode(link);
  expect(notices).toEqual([]);
  return { config, snapshots: computed(config).snapshots };
}

/** The numbers of the first sample of a node; of the last two axes only the first `rows` and `columns`. */
function firstOf({ shape, data }: Snapshot, head: number, rows: number, columns: number): number[] {
  const [height, width] = shape.slice(-2) as [number, number];
  return Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    return data[(head * height + row) * width + column]!;
  });
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  const distance = Math.max(...actual.map((value, at) => Math.abs(value - expected[at]!)));
  expect(distance).toBeLessThan(1e-12);
}

/** A run of a small model before its first step, with some settings of its own. */
const smallRun = (other: object): ConfigOf<"training"> =>
  configOf<"training">("learn-to-reverse", { dim: 8, heads: 1, beside: [], ...other });

test.each([
  ["an encoder", "beside=none&steps=60&step=40"],
  ["post-norm", "beside=none&steps=60&step=10&norm=post&heads=2"],
  ["no division", "beside=none&steps=60&step=10&divide=0&dim=16"],
  ["a decoder", "beside=none&steps=60&step=10&model=decoder"],
  ["a BERT", "beside=none&steps=60&step=3&task=masked-token&model=bert"],
])("attention of %s is the same in the labs that show it", (_name, fields) => {
  const { snapshots } = computed(decode(`v=1&lab=training&${fields}`).config);
  const { name: node } = shownAttention(snapshots).at(-1)!;
  const layer = layerOf(snapshots, node)!;
  const weights = snapshots.get(node)!;
  const { length } = layer.tokens;
  const ofHead = (head: number): number[] => firstOf(weights, head, length, length);
  for (let head = 0; head < layer.heads; head++)
    expectClose(Array.from(opened(headConfig(layer, head)).snapshots.get("weights")!.data), ofHead(head));
  const whole = opened(layerConfig(layer, 0)).snapshots;
  const all = Array.from({ length: layer.heads }, (_, head) => ofHead(head)).flat();
  expectClose(Array.from(whole.get("weights")!.data), all);
  const output = snapshots.get(node.replace(/weights$/, node.startsWith("h.") ? "c_proj" : "output"))!;
  expectClose(Array.from(whole.get("output")!.data), firstOf(output, 0, length, output.shape.at(-1)!));
});

test.each([
  [1232, 542],
  [1180, 520],
])("a head of 33 numbers for each word is whole on a stage of %i × %i", (width, height) => {
  const { snapshots } = computed(decode("v=1&lab=training&beside=none&steps=60&step=0").config);
  const { config, snapshots: own } = opened(headConfig(layerOf(snapshots, shownHead(snapshots)!.node)!, 0));
  const { cell } = config.view;
  const scene = sceneFor(config, own, { width, height, layout: "wide", step: 4, cell, words: wordsIn("en") });
  expect([scene.width, scene.height <= height]).toEqual([width, true]);
  // A note that is not above all columns stands between them.
  expect(scene.note?.follows).toBeUndefined();
  for (const { node, cellWidth, cellHeight } of scene.tensors) {
    expect(node === "X" ? cellWidth : 12).toBeLessThanOrEqual(node === "X" ? 6 : cellWidth);
    expect(node.startsWith("W_") ? cellHeight : 12).toBeLessThanOrEqual(
      node.startsWith("W_") ? 6 : cellHeight,
    );
  }
});

test("the positions are those that the model adds", () => {
  const { snapshots } = computed(decode("v=1&lab=training&beside=none&steps=60&step=5").config);
  const positions = opened(positionsConfig(snapshots)!).snapshots;
  expectClose(
    Array.from(positions.get("PE")!.data),
    Array.from(snapshots.get("src.positional_encoding")!.data),
  );
});

const inGpt2: Record<string, string> = {
  "self_attn.weights": "attn.weights",
  activation: "mlp.activation",
  linear2: "mlp.c_proj",
};

test.each([
  ["two layers before which norms stand", "steps=60&step=40"],
  ["post-norm", "steps=60&step=10&norm=post&heads=2&dim=16"],
  [
    "neither norms nor residual connections",
    "steps=60&step=10&norm=none&residual=0&factor=0&dim=16&layers=1",
  ],
  ["a network whose width is no multiple of d_model", "steps=60&step=10&ff=50"],
  ["hidden words, 64 wide", "task=masked-token&steps=60&step=3"],
  ["translations, 64 wide", "task=translation&model=encoder-decoder&steps=60&step=3"],
  ["an encoder that reads a place for its answer", "task=parentheses&model=encoder&steps=60&step=3"],
  ["words without positions", "positions=0&steps=60&step=10&dim=16"],
  ["GPT-2, 64 wide", "task=text&window=16&samples=the&steps=60&step=3"],
  ["GPT-2, which answers a question", "model=decoder&steps=60&step=10&layers=3&dim=16"],
  [
    "GPT-2 without norms and residual connections",
    "model=decoder&steps=60&step=5&norm=none&residual=0&dim=16&layers=1",
  ],
])("the layers of %s have the same numbers in the block lab", (_name, fields) => {
  const { config } = decode(`v=1&lab=training&beside=none&${fields}`);
  const { snapshots } = computed(config);
  const block = opened(blockConfig(config.numbers as NumbersOf["training"], snapshots)!);
  const { layers = 1, tokens } = block.config.numbers as NumbersOf["block"];
  for (let layer = 0; layer < layers; layer++)
    for (const node of ["self_attn.weights", "activation", "linear2"]) {
      const trained =
        snapshots.get(`encoder.layers.${layer}.${node}`) ?? snapshots.get(`h.${layer}.${inGpt2[node]}`)!;
      const here = block.snapshots.get(inLayer(layer, node))!;
      const heads = here.shape.length === 3 ? here.shape[0]! : 1;
      const [rows, columns] = [tokens.length, here.shape.at(-1)!];
      const all = Array.from({ length: heads }, (_, head) => firstOf(trained, head, rows, columns)).flat();
      expectClose(Array.from(here.data), all);
    }
});

test.each([
  ["no division by √d_k", { divide: false }],
  ["more layers than the lab has", { layers: 7 }],
] as const)("a model with %s is not opened in the block lab", (_name, other) => {
  const config = smallRun(other);
  expect(blockConfig(config.numbers, computed(config).snapshots)).toBeNull();
});

test.each(["step=40", "step=40&heads=2&dim=16&layers=3", "step=0&dim=8&layers=1"])(
  "a vision Transformer (%s) gives the same answer in the image lab, to the pixels as it has them",
  (fields) => {
    const { config } = decode(`v=1&lab=training&task=shapes&beside=none&steps=60&${fields}`);
    const numbers = config.numbers as NumbersOf["training"];
    const { snapshots } = computed(config);
    const here = opened(imageConfig(numbers, snapshots)!).snapshots;
    // The same weights, as PyTorch holds them, on the levels of the image lab.
    const levels = Float64Array.from(here.get("normalised")!.data.subarray(0, 256), (v) => 0.5 + 0.8 * v);
    const trained = snapshots.get("source")!.data.subarray(0, 256);
    expect(Math.max(...levels.map((pixel, at) => Math.abs(pixel - trained[at]!)))).toBeLessThan(
      0.8 / 15 + 1e-7,
    );
    const names = [...snapshots.keys()].filter((name) =>
      /^(conv_proj|class_token|pos_e|layers|norm|head)/.test(name),
    );
    using graph = wholeCore.graph({ observe: true });
    const parameters = Object.fromEntries(
      names
        .map((name) => [name, snapshots.get(name)!] as const)
        .filter(([, { inputs }]) => inputs.length === 0)
        .map(([name, { shape, data }]) => [
          name,
          graph.leaf(name, { shape: [...shape], data: Float64Array.from(data) }),
        ]),
    );
    const image = graph.leaf("image", { shape: [1, 16, 16], data: levels });
    const { heads: numHeads, layers: numLayers } = numbers;
    const { logits } = graph.visionTransformer(image, parameters, { numHeads, numLayers });
    const expected = (node: Parameters<typeof graph.value>[0]): number[] =>
      Array.from(graph.value(node).data as Float64Array);
    expectClose(Array.from(here.get("logits")!.data), expected(logits));
    expectClose(Array.from(here.get("probabilities")!.data), expected(graph.softmax(logits)));
    const weights = `layers.${numLayers - 1}.self_attn.weights`;
    expectClose(Array.from(here.get(weights)!.data), expected(graph.node(weights)));
  },
);

test("a trained vision Transformer sees the same shape in the image lab as in its run", () => {
  const { config } = decode("v=1&lab=training&task=shapes&beside=none&steps=400&step=400");
  const { snapshots } = computed(config);
  const here = opened(imageConfig(config.numbers as NumbersOf["training"], snapshots)!).snapshots;
  const probabilities = here.get("probabilities")!.data;
  const seen = snapshots.get("asked_0.answer")!.data[0]!;
  expect(Array.from(probabilities).indexOf(Math.max(...probabilities))).toBe(seen);
});

test.each([
  // In the first one of these samples words were replaced by others.
  ["step=40", 1],
  ["step=40&samples=3,1&heads=2&dim=16&layers=3&ff=20", 0],
  ["step=0&dim=8&layers=1&heads=1&samples=42,0", 1],
])("a BERT (%s) has the same numbers in its lab, on a sample with a hidden word", (fields, sample) => {
  const { config } = decode(
    `v=1&lab=training&task=masked-token&model=bert&norm=post&beside=none&steps=60&${fields}`,
  );
  const numbers = config.numbers as NumbersOf["training"];
  const { snapshots } = computed(config);
  const lab = opened(bertConfig(numbers, snapshots)!);
  const here = lab.config.numbers as NumbersOf["bert"];
  const names = ["[CLS]", "[SEP]", "[MASK]", ...here.vocabulary!];
  const read = tokensOf(snapshots, `asked_${sample}.source`);
  const expected = tokensOf(snapshots, `asked_${sample}.expected`);
  // It reads what the run read, and the words to find are those that the run was asked for.
  const ids = Array.from(lab.snapshots.get("ids")!.data, (id) => names[id]!);
  expect(ids).toEqual(["[CLS]", ...read.map((word) => word.replace("<mask>", "[MASK]")), "[SEP]"]);
  const targets = Array.from(lab.snapshots.get("targets")!.data, (id) => names[id]!);
  expect(targets).toEqual(expected.filter((_, at) => read[at] === "<mask>"));
  // The logits, and the probabilities with them, in the order of the lab's vocabulary.
  const words = vocabularyOf(snapshots);
  const own: Record<string, string> = {
    "[CLS]": "<begin>",
    "[SEP]": "<end>",
    "[MASK]": "<mask>",
    "[PAD]": "<pad>",
  };
  const order = names.map((name) => words.indexOf(own[name] ?? name));
  expect([...order].sort((a, b) => a - b)).toEqual(words.map((_, at) => at));
  const places = here.hidden.map((place) => place - 1);
  for (const [node, there] of [
    ["asked", "logits"],
    ["probabilities", "probabilities"],
  ] as const) {
    const all = snapshots.get(`asked_${sample}.${there}`)!.data;
    expectClose(
      Array.from(lab.snapshots.get(node)!.data),
      places.flatMap((place) => order.map((id) => all[place * words.length + id]!)),
    );
  }
  const weights = `layers.${here.layer ?? 0}.self_attn.weights`;
  const count = lab.snapshots.get(weights)!.data.length;
  expectClose(
    Array.from(lab.snapshots.get(weights)!.data),
    Array.from(snapshots.get(weights)!.data.subarray(sample * count, (sample + 1) * count)),
  );
  expect(lab.snapshots.has("curve")).toBe(false);
});

test.each([
  ["with pre-norm", { norm: "pre" }],
  ["without norms", { norm: "none" }],
  ["without residual connections", { residual: false }],
  ["without division", { divide: false }],
  ["too wide for it", { dim: 64 }],
  ["with more layers than the lab has", { layers: 5 }],
  ["whose samples hide no word", { samples: ["42", "45"] }],
  ["of another kind", { model: "encoder" }],
  ["with more numbers than a link holds", { dim: 32, layers: 4, ff: 512 }],
] as const)("a model %s is not opened in the BERT lab", (_name, other) => {
  const run = { task: "masked-token", model: "bert", samples: ["0"], norm: "post", ...other } as const;
  const config = smallRun(run);
  const { snapshots } = computed(config);
  expect(bertConfig(config.numbers, snapshots)).toBeNull();
});

test.each([
  ["of another task", {}],
  ["with convolutions", { task: "shapes", model: "convolution", samples: ["0"] }],
  ["with post-norm", { task: "shapes", model: "vit", samples: ["0"], norm: "post" }],
  ["with another feed-forward width", { task: "shapes", model: "vit", samples: ["0"], ff: 40 }],
  ["with more layers than the lab has", { task: "shapes", model: "vit", samples: ["0"], layers: 5 }],
] as const)("a model %s is not opened in the image lab", (_name, other) => {
  const config = smallRun(other);
  expect(imageConfig(config.numbers, computed(config).snapshots)).toBeNull();
});

test("the cosines of embeddings in the words lab are those of the rows of the run", () => {
  const { snapshots } = computed(decode("v=1&lab=training&beside=none&steps=60&step=20").config);
  const words = opened(embeddingsConfig(snapshots)!);
  const { names } = words.config.numbers as NumbersOf["words"];
  expect(names).toEqual(["3", "1", "4", "5", "9", "2", "6", "0", "7", "8"]);
  const { data, shape } = snapshots.get("embedding.weight")!;
  const [first, second] = names.slice(0, 2).map((name) => {
    const start = vocabularyOf(snapshots).indexOf(name) * shape[1]!;
    return [...data.slice(start, start + shape[1]!)];
  }) as [number[], number[]];
  const dot = (a: number[], b: number[]): number => a.reduce((sum, x, at) => sum + x * b[at]!, 0);
  const cosine = dot(first, second) / Math.sqrt(dot(first, first) * dot(second, second));
  expectClose([words.snapshots.get("table.cosine")!.data[1]!], [cosine]);
});

test("the embeddings of a BERT in the words lab are rows of its table of words", () => {
  const fields = "task=masked-token&model=bert&dim=16&beside=none&steps=60&step=1";
  const { snapshots } = computed(decode(`v=1&lab=training&${fields}`).config);
  const words = opened(embeddingsConfig(snapshots)!);
  const { names, x } = words.config.numbers as NumbersOf["words"];
  const { data } = snapshots.get("embeddings.word_embeddings.weight")!;
  for (const [row, name] of names.entries()) {
    const start = 16 * vocabularyOf(snapshots).indexOf(name);
    expect(x[row]).toEqual([...data.slice(start, start + 16)]);
  }
});

test("the losses of an answer that is written token by token are not offered", () => {
  const config = configOf<"training">("learn-to-reverse", { model: "decoder", beside: [] });
  expect(lossesConfig(config.numbers, computed(config).snapshots)).toBeNull();
});

test.each(["task=reverse", "task=shapes"])("the losses of an answer (%s) are those of its logits", (task) => {
  const { config } = decode(`v=1&lab=training&beside=none&steps=60&step=20&${task}`);
  const { snapshots } = computed(config);
  const losses = opened(lossesConfig(config.numbers as NumbersOf["training"], snapshots)!).snapshots;
  const probabilities = snapshots.get("asked_0.probabilities")!;
  expectClose(Array.from(losses.get("p")!.data), Array.from(probabilities.data));
  const certainty = tokensOf(snapshots, "asked_0.expected").map((token, row) => {
    const column = vocabularyOf(snapshots).indexOf(token);
    return probabilities.data[row * probabilities.shape[1]! + column]!;
  });
  expectClose(
    Array.from(losses.get("loss")!.data),
    certainty.map((share) => -Math.log(share)),
  );
});

test("the best head is the one that looks most at the right place", () => {
  const { snapshots } = computed(decode("v=1&lab=training&beside=none&steps=200&step=200").config);
  const { layer, head } = shownHead(snapshots)!;
  const all = [0, 1].flatMap((at) => Array.from(snapshots.get(`layer_${at}.focus`)!.data));
  expect(snapshots.get(`layer_${layer}.focus`)!.data[head]).toBe(Math.max(...all));
});

test("a model without attention, and one with cross attention, have no layer to open", () => {
  const shapes = computed(decode("v=1&lab=training&task=shapes&model=convolution&beside=none&step=0").config);
  expect(shownHead(shapes.snapshots)).toBeNull();
  const translation = computed(decode("v=1&lab=training&task=translation&beside=none&step=0").config);
  const { name } = shownAttention(translation.snapshots)[0]!;
  expect(layerOf(translation.snapshots, name)).toBeNull();
});

test("a state whose link would be too long is told before the link is made", () => {
  const { config } = decode("v=1&lab=training&task=shapes&dim=64&beside=none&step=0");
  const run = config as ConfigOf<"training">;
  const state = imageConfig(run.numbers, computed(run).snapshots)!;
  expect(encode(state).length).toBeGreaterThan(linkBounds.characters);
  expect(fitsLink(state)).toBe(false);
});

test.each([
  ["French, post-norm", "ex=learn-french&step=750"],
  ["French, untrained", "ex=learn-french&step=0"],
  ["French, pre-norm, four heads, three layers", "ex=learn-french&step=60&norm=pre&heads=4&layers=3&dim=16"],
  ["English, 32 wide", "task=translation&dim=32&steps=60&step=20"],
  ["reversed digits", "model=encoder-decoder&length=16&steps=60&step=20&ff=50"],
  ["digits without residual connections", "model=encoder-decoder&residual=0&steps=60&step=5&dim=8"],
  ["digits without positions", "model=encoder-decoder&positions=0&steps=60&step=5&dim=8&heads=8"],
  ["digits with plain embeddings", "model=encoder-decoder&factor=0&steps=60&step=5&dim=8&norm=post"],
  ["a sum, which is one number", "task=modular-addition&model=encoder-decoder&dim=32&steps=60&step=5"],
  ["a verdict on parentheses", "task=parentheses&model=encoder-decoder&dim=32&steps=60&step=5"],
])("a model that writes %s has the same numbers in the encoder and decoder lab", (_name, fields) => {
  const { config } = decode(`v=1&lab=training&beside=none&${fields}`);
  const numbers = config.numbers as NumbersOf["training"];
  const { snapshots } = computed(config);
  const here = opened(translatorConfig(numbers, snapshots)!);
  const { tokens, steps } = here.config.numbers as NumbersOf["encoder-decoder"];
  const answer = tokensOf(snapshots, "asked_0.answer");
  const names = vocabularyOf(snapshots);
  const written = Array.from(here.snapshots.get("next_ids")!.data.subarray(0, steps), (id) => names[id]);
  expect(written.slice(0, answer.length)).toEqual(answer);
  const { shape, data } = here.snapshots.get("logits")!;
  expect(shape).toEqual([steps, names.length]);
  const trained = snapshots.get("asked_0.logits")!.data.subarray(0, data.length);
  expectClose(Array.from(data.subarray(0, trained.length)), Array.from(trained));
  for (const part of ["encoder", "decoder"] as const)
    for (let layer = 0; layer < numbers.layers; layer++) {
      const node = `${layerName(part, layer)}.self_attn.weights`;
      const weights = here.snapshots.get(node)!;
      const length = part === "encoder" ? tokens.length : steps;
      expect(weights.shape).toEqual([numbers.heads, length, length]);
    }
  const cross = shownAttention(snapshots);
  cross.forEach(({ name }, layer) => {
    const weights = here.snapshots.get(`${layerName("decoder", layer)}.multihead_attn.weights`)!;
    // The rows of the run are of the right answer, and those here of what the model writes: the first row is of both.
    for (let head = 0; head < numbers.heads; head++)
      expectClose(
        firstOf(weights, head, 1, tokens.length),
        firstOf(snapshots.get(name)!, head, 1, tokens.length),
      );
  });
  expect(here.config.view.cell!.node).toMatch(/multihead_attn\.weights$/);
  expect(here.snapshots.get("difference")!.data.every((value) => value === 0)).toBe(true);
});

test("a sentence of more words than the core's task reads is not asked", () => {
  expect(wholeCore.task("translation", { language: "fr" }).sourceLength).toBe(MOST_ASKED);
});

test.each([
  ["more numbers than a link holds", { dim: 64, layers: 2 }],
  ["more layers than that lab has", { layers: 7 }],
  ["no norms", { norm: "none" }],
  ["no division by √d_k", { divide: false }],
] as const)("a translator with %s is not opened there", (_name, other) => {
  const config = configOf<"training">("learn-french", other as never);
  expect(translatorConfig(config.numbers, computed(config).snapshots)).toBeNull();
});
