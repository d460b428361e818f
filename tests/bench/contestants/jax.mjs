// jax-js on its WebAssembly backend: every task is one compiled function. A call consumes its arguments, so each is passed by `.ref`.
import { defaultDevice, init, jit, nn, numpy as np, valueAndGrad } from "@jax-js/jax";
import {
  attentionInputs,
  encoderWeights,
  matmulInputs,
  multiHeadWeights,
  oneHot,
  patchInputs,
  sequenceInput,
  trainingInputs,
} from "../../../web/bench/inputs.ts";
import { rowsLast } from "./images.mjs";
import { jaxDecoding } from "./jax-decoding.mjs";
import { attention, encoder, flat, linear, multiHead, tree } from "./jax-layers.mjs";
import { wavelengths } from "./positions.mjs";

const array = (data, ...shape) => np.array(data).reshape(shape);

function ready(work, ...inputs) {
  const compiled = jit(work);
  return {
    run: () => compiled(...inputs.map((input) => input.ref)).dataSync(),
    end() {
      inputs.forEach((input) => input.dispose());
      compiled.dispose?.();
    },
  };
}

/** A compiled function of an input and weights. The weights are arguments, not constants. */
function withWeights(work, weights, dim, x) {
  const leaves = flat(weights, dim);
  const paths = leaves.map(({ path }) => path);
  return ready(
    (input, ...values) => {
      const output = work(input, tree(paths, values));
      values.forEach((value) => value.dispose());
      return output;
    },
    x,
    ...leaves.map(({ data, shape }) => array(data, ...shape)),
  );
}

function trainingStep(sizes) {
  const { batch, length, dim, vocabulary } = sizes;
  const given = trainingInputs(sizes);
  const leaves = [
    { path: "embedding", shape: [vocabulary, dim], data: given.embedding },
    { path: "output", shape: [dim, vocabulary], data: given.output },
    { path: "bias", shape: [vocabulary], data: given.bias },
    ...flat({ layers: given.layers }, dim),
  ];
  const paths = leaves.map(({ path }) => path);
  const rows = batch * length;
  const tokens = array(oneHot(given.tokens, vocabulary), rows, vocabulary);
  const targets = array(oneHot(given.targets, vocabulary), rows, vocabulary);
  const positions = array(given.positions, 1, length, dim);
  const loss = (values, chosen, wanted, places) => {
    const model = tree(paths, values);
    const embedded = np.matmul(chosen, model.embedding.ref).reshape([batch, length, dim]);
    let x = embedded.add(places).reshape([rows, dim]);
    for (const layer of Object.values(model.layers)) x = encoder(x, layer, sizes);
    const logarithms = nn.logSoftmax(linear(x, model.output, model.bias), -1);
    const cost = logarithms
      .mul(wanted)
      .sum()
      .mul(-1 / rows);
    values.forEach((value) => value.dispose());
    return cost;
  };
  const { lr, beta1, beta2, eps } = given.adam;
  const gradients = valueAndGrad(loss);
  const step = jit((values, firsts, seconds, correction1, correction2, chosen, wanted, places) => {
    const [cost, slopes] = gradients(
      values.map((value) => value.ref),
      chosen,
      wanted,
      places,
    );
    const next = slopes.map((slope, place) => {
      const first = firsts[place].mul(beta1).add(slope.ref.mul(1 - beta1));
      const second = seconds[place].mul(beta2).add(slope.ref.mul(slope).mul(1 - beta2));
      const size = first.ref.mul(correction1.ref).mul(lr);
      const value = values[place].sub(size.div(np.sqrt(second.ref.mul(correction2.ref)).add(eps)));
      return { value, first, second };
    });
    correction1.dispose();
    correction2.dispose();
    return [
      cost,
      next.map(({ value }) => value),
      next.map(({ first }) => first),
      next.map(({ second }) => second),
    ];
  });
  let [values, firsts, seconds] = [
    leaves.map(({ data, shape }) => array(data, ...shape)),
    leaves.map(({ shape }) => np.zeros(shape)),
    leaves.map(({ shape }) => np.zeros(shape)),
  ];
  let taken = 0;
  return {
    run() {
      taken += 1;
      const corrections = [beta1, beta2].map((beta) => np.array(1 / (1 - beta ** taken)));
      const inputs = [tokens, targets, positions].map((input) => input.ref);
      const [cost, ...next] = step(values, firsts, seconds, ...corrections, ...inputs);
      [values, firsts, seconds] = next;
      return cost.dataSync();
    },
    end() {
      for (const held of [...values, ...firsts, ...seconds, tokens, targets, positions]) held.dispose();
    },
  };
}

export async function start() {
  await init("wasm");
  defaultDevice("wasm");
  return {
    matmul({ n }) {
      const { a, b } = matmulInputs({ n });
      return ready((x, y) => np.matmul(x, y), array(a, n, n), array(b, n, n));
    },
    attention(sizes) {
      const { batch, heads, length, dim, causal } = sizes;
      const width = dim / heads;
      const { query, key, value } = attentionInputs(sizes);
      const inputs = [query, key, value].map((data) => array(data, batch, heads, length, width));
      return ready(
        (q, k, v) => {
          if (!causal) return attention(q, k, v, width);
          const places = np.arange(length);
          const later = np.greater(places.ref.reshape([1, length]), places.reshape([length, 1]));
          return attention(q, k, v, width, np.where(later, -Infinity, 0));
        },
        ...inputs,
      );
    },
    multiHead(sizes) {
      const x = array(sequenceInput(sizes), sizes.batch * sizes.length, sizes.dim);
      return withWeights(
        (input, weights) => multiHead(input, weights, sizes),
        multiHeadWeights(sizes.dim),
        sizes.dim,
        x,
      );
    },
    encoder(sizes) {
      const x = array(sequenceInput(sizes), sizes.batch * sizes.length, sizes.dim);
      return withWeights(
        (input, weights) => encoder(input, weights, sizes),
        encoderWeights(sizes.dim),
        sizes.dim,
        x,
      );
    },
    sinusoidal({ length, dim }) {
      const waves = array(wavelengths(dim), 1, dim / 2);
      const places = array(
        Float32Array.from({ length }, (_, place) => place),
        length,
        1,
      );
      return ready(
        (rows, columns) => {
          const angles = rows.div(columns);
          return np.stack([np.sin(angles.ref), np.cos(angles)], 2).reshape([length, dim]);
        },
        places,
        waves,
      );
    },
    patches(sizes) {
      const { size, channels, patch, dim } = sizes;
      const { image, weight, bias } = patchInputs(sizes);
      const [side, inputs] = [size / patch, patch * patch * channels];
      return ready(
        (x, matrix, term) =>
          np.matmul(np.transpose(x, [0, 2, 1, 3, 4]).reshape([side * side, inputs]), matrix).add(term),
        array(rowsLast(image, channels, size), side, patch, side, patch, channels),
        array(weight, inputs, dim),
        array(bias, dim),
      );
    },
    training: trainingStep,
    decoding: (sizes) => jaxDecoding(array, sizes),
  };
}
