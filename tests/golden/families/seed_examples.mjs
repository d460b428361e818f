// The printed results of the seed documents, recomputed. Each case is identified by its inputs.
import { firstOf, inPrecision, tensor } from "../fixture.mjs";
import { attend, drawn } from "./mha_numpy_style.mjs";
import { column, table, trajectory } from "./optimizers.mjs";

/** Documents 000 and 001: "batch 10, seq 20, embed 128, heads 8". */
function multiHead(core, { params, expected }, precision) {
  const size = (name) => Number(new RegExp(`${name} (\\d+)`).exec(params.recipe)[1]);
  const { seed, run } = params;
  const numbers = drawn(core, {
    seed,
    run,
    batch: size("batch"),
    seq_len: size("seq"),
    embed: size("embed"),
  });
  const { output, weights } = attend(core, numbers, size("heads"), precision);
  const [first, row] = [
    firstOf(output, expected.printed_output.shape[0]),
    firstOf(weights, expected.printed_weights.shape[0]),
  ];
  return {
    output_0_0_first10: first,
    printed_output: first,
    weights_0_0_0_first10: row,
    printed_weights: row,
  };
}

/** Document 002: W_Q, W_K, W_V = randint(3, size=(3, 3)). */
function fourWords(core, { inputs, params }, precision) {
  const words = tensor(inputs.words, precision);
  const random = core.randomState(params.seed);
  const graph = core.graph({ precision, observe: true });
  try {
    const side = words.shape[1];
    const draw = (name) => graph.draw(name, random, "randint", { shape: [side, side], low: 0, high: 3 });
    const leaf = graph.leaf("words", words);
    const [wQ, wK, wV] = ["w_q", "w_k", "w_v"].map(draw);
    const [q, k, v] = [wQ, wK, wV].map((weight) => graph.matmul(leaf, weight));
    const { scores, weights, output } = graph.scaledDotProductAttention(q, k, v);
    const nodes = {
      w_q: wQ,
      w_k: wK,
      w_v: wV,
      q,
      k,
      v,
      scores,
      weights,
      attention: output,
      printed_attention: output,
    };
    return Object.fromEntries(Object.entries(nodes).map(([key, node]) => [key, graph.value(node)]));
  } finally {
    graph.delete();
    random.delete();
  }
}

/** Document 004: one head. */
function singleHead(core, { inputs }, precision) {
  const graph = core.graph({ precision, observe: true });
  try {
    const words = graph.leaf("words", tensor(inputs.embeddings, precision));
    const project = (weight) => graph.matmul(words, tensor(weight, precision));
    const [q, k, v] = [inputs.w_q, inputs.w_k, inputs.w_v].map(project);
    const { scores, scaled, weights, output } = graph.scaledDotProductAttention(q, k, v);
    const results = {};
    for (const [key, node] of Object.entries({ q, k, v, scores, scaled, weights, output })) {
      results[key] = results[`printed_${key}`] = graph.value(node);
    }
    return results;
  } finally {
    graph.delete();
  }
}

/** Document 002: a @ b. */
function product(core, { inputs }, precision) {
  const [a, b] = [inputs.a, inputs.b].map((matrix) => inPrecision(matrix, precision));
  return { printed_product: core.matmul(a, b) };
}

/** Document 004: "MiniSGD lr 0.01, 100 steps", the line after each update with the loss before it. */
function lineFit(core, { inputs, params }, precision) {
  const [, lr, steps] = /MiniSGD lr ([\d.]+), (\d+) steps, x=0\.\.4, y=2x\+1/.exec(params.recipe);
  const { places, losses } = trajectory(
    core,
    {
      inputs,
      params: {
        optimizer: "mini_sgd",
        problem: "linear",
        steps: Number(steps),
        hyper: { lr: Number(lr) },
      },
    },
    precision,
  );
  const after = table(params.steps_reported.map((step) => places[step + 1]));
  const before = column(params.steps_reported.map((step) => losses[step]));
  return { params: after, losses: before, printed_params: after, printed_losses: before };
}

export function run(core, fixture, precision) {
  const { inputs, params } = fixture;
  if (inputs.words) return fourWords(core, fixture, precision);
  if (inputs.embeddings) return singleHead(core, fixture, precision);
  if (inputs.a && inputs.b) return product(core, fixture, precision);
  if (inputs.start && params.steps_reported) return lineFit(core, fixture, precision);
  if (params.run !== undefined) return multiHead(core, fixture, precision);
  return undefined;
}
