// Trains the translator of the encoder and decoder lab with the library in dist/core and writes its weights, rounded to thousandths:
//   node toolchain/train-translator.mjs
// A small language of 13 English and 13 French words: every sentence has exactly one translation, and colour adjectives move behind
// their noun. 2000 of its sentences are for training, the others for evaluation. The same build of the core gives the same file.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { project } from "./env.mjs";

const pairs = {
  the: "le",
  a: "un",
  old: "vieux",
  small: "petit",
  black: "noir",
  white: "blanc",
  cat: "chat",
  dog: "chien",
  horse: "cheval",
  sleeps: "dort",
  sings: "chante",
  sees: "voit",
  follows: "suit",
};
const vocabulary = ["<begin>", ...Object.keys(pairs), ...Object.values(pairs), "<end>"];
const ids = new Map(vocabulary.map((word, id) => [word, id]));
const [begin, end] = [0, vocabulary.length - 1];
const sizes = {
  dModel: 8,
  dFf: 32,
  numEncoderLayers: 1,
  numDecoderLayers: 1,
  vocabulary: vocabulary.length,
};
const layers = { numHeads: 2, numEncoderLayers: 1, numDecoderLayers: 1 };
const training = {
  seed: 1,
  sentences: 2000,
  batch: 64,
  lr: 0.01,
  labelSmoothing: 0.1,
  kept: [100, 500, 2500],
};

/** Every sentence: a noun phrase and a verb, and another noun phrase after two of the verbs. */
function language() {
  const phrases = ["the", "a"].flatMap((article) =>
    ["", "old", "small"].flatMap((before) =>
      ["", "black", "white"].flatMap((colour) =>
        ["cat", "dog", "horse"].map((noun) => ({
          source: [article, before, colour, noun].filter(Boolean),
          target: [article, before, noun, colour].filter(Boolean),
        })),
      ),
    ),
  );
  const alone = phrases.flatMap(({ source, target }) =>
    ["sleeps", "sings"].map((verb) => ({ source: [...source, verb], target: [...target, verb] })),
  );
  const pairsOf = phrases.flatMap((first) =>
    ["sees", "follows"].flatMap((verb) =>
      phrases.map((second) => ({
        source: [...first.source, verb, ...second.source],
        target: [...first.target, verb, ...second.target],
      })),
    ),
  );
  return [...alone, ...pairsOf].map(({ source, target }) => ({
    source: source.map((word) => ids.get(word)),
    target: [...target.map((word) => ids.get(pairs[word])), end],
  }));
}

const tensorOf = (rows) => ({ shape: [rows.length, rows[0].length], data: Int32Array.from(rows.flat()) });

function trainStep(core, parameters, optimizer, sentences) {
  const graph = core.graph();
  const target = sentences.map((sentence) => sentence.target);
  const { logits } = graph.seq2seq(
    tensorOf(sentences.map(({ source }) => source)),
    tensorOf(target.map((row) => [begin, ...row.slice(0, -1)])),
    parameters,
    layers,
  );
  const rows = target.flat();
  const loss = graph.crossEntropy(
    graph.reshape(logits, { shape: [rows.length, vocabulary.length] }),
    { shape: [rows.length], data: Int32Array.from(rows) },
    { labelSmoothing: training.labelSmoothing },
  );
  graph.backward(loss);
  parameters.zeroGrad();
  graph.addGradients(parameters);
  const value = graph.value(loss).data[0];
  graph.delete();
  core.clipGradNorm(parameters, 1);
  optimizer.step(parameters);
  return value;
}

/** The number of sentences that are decoded word by word to exactly their translation. */
function right(core, parameters, sentences) {
  return sentences.filter(({ source, target }) => {
    const graph = core.graph();
    const options = { ...layers, begin, end, steps: target.length + 1 };
    const words = graph.greedyDecoding(
      { shape: [source.length], data: Int32Array.from(source) },
      parameters,
      options,
    ).ids[0];
    graph.delete();
    return words.slice(1).join() === target.join();
  }).length;
}

/** The weights rounded to thousandths. */
export const rounded = (parameters) =>
  Object.fromEntries(
    parameters.names.map((name) => [
      name,
      Array.from(parameters.get(name).data, (value) => Math.round(value * 1000) / 1000 || 0),
    ]),
  );

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Thousandths as text of two digits of base 64 each, 0 as the middle one: half as long as decimals. web/labs/encoder-decoder/thousandths.ts reads it. */
export function thousandthsText(numbers) {
  const base = digits.length;
  return numbers
    .map((number) => Math.round(number * 1000) + base ** 2 / 2)
    .map((place) => {
      if (place < 0 || place >= base ** 2) throw new Error("a weight is not between -2.048 and 2.047");
      return digits[Math.floor(place / base)] + digits[place % base];
    })
    .join("");
}

/** Trains, and yields at each number of steps to keep: the weights at that time, and the sentences that are not used in training. */
export function* train(core) {
  const random = core.randomState(training.seed);
  const all = language();
  const order = Array.from(random.permutation(all.length).data, (place) => all[place]);
  const known = order.slice(0, training.sentences);
  const unseen = order.slice(training.sentences);
  const byLength = new Map();
  for (const sentence of known) {
    const { length } = sentence.source;
    byLength.set(length, [...(byLength.get(length) ?? []), sentence]);
  }
  // The sentences of a batch have one length; a length with more sentences is drawn more often, by the square root of their number.
  const lengths = [...byLength].flatMap(([, sentences]) =>
    Array.from({ length: Math.ceil(Math.sqrt(sentences.length)) }, () => sentences),
  );
  const parameters = core.parameters();
  parameters.draw("seq2seq", sizes, training.seed);
  const optimizer = core.adam({ betas: [0.9, 0.98] });
  const last = training.kept.at(-1);
  for (let step = 0; step < last; step++) {
    const sentences = lengths[random.randint(0, lengths.length, 1).data[0]];
    const batch = Array.from(random.randint(0, sentences.length, training.batch).data, (at) => sentences[at]);
    const lr = { lr: training.lr, minLr: training.lr / 100, steps: last, warmup: 100 };
    optimizer.lr = core.cosineLr(step, lr);
    const loss = trainStep(core, parameters, optimizer, batch);
    if (training.kept.includes(step + 1))
      yield { steps: step + 1, loss, parameters, unseen, sentences: all.length };
  }
}

const written = (state) =>
  Object.fromEntries(Object.entries(state).map(([name, numbers]) => [name, thousandthsText(numbers)]));

async function main() {
  const { load } = await import("../dist/core/index.js");
  const core = await load({ build: "simd" });
  const states = {};
  let count = 0;
  for (const { steps, loss, parameters, unseen, sentences } of train(core)) {
    const state = rounded(parameters);
    const kept = core.parameters();
    for (const [name, data] of Object.entries(state))
      kept.add(name, { shape: parameters.get(name).shape, data: Float64Array.from(data) });
    const done = right(core, kept, unseen);
    kept.delete();
    count = sentences;
    states[steps] = { unseen: unseen.length, right: done, parameters: written(state) };
    console.log(
      `after ${steps} steps: loss ${loss.toFixed(4)}, ${done} of ${unseen.length} unseen sentences right`,
    );
  }
  const origin =
    `Trained by toolchain/train-translator.mjs on ${training.sentences} of ${count} sentences with Adam, seed ${training.seed}; ` +
    "rounded to thousandths: two digits of base 64 for each";
  const path = join(project, "web/labs/encoder-decoder/translator.json");
  writeFileSync(path, `${JSON.stringify({ origin, vocabulary, sizes, seed: training.seed, states })}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
