// Greedy decoding with jax-js, whose compiled functions have fixed shapes: keys and values are in arrays of the final length, in which later
// positions are masked.
import { jit, nn, numpy as np } from "@jax-js/jax";
import { decodingInputs } from "../../../web/bench/inputs.ts";
import { encoder, flat, linear, norm, tree } from "./jax-layers.mjs";
import { stepMasks } from "./fixed-cache.mjs";
import { embedding, largest } from "./vectors.mjs";

/** (rows, D) as (H, rows, d). */
const split = (x, rows, { heads, dim }) => np.transpose(x.reshape([rows, heads, dim / heads]), [1, 0, 2]);

/** The attention of one row to `rows` keys in all heads, projected. */
function attend(query, keys, values, rows, { wO, bO }, sizes, hidden) {
  const { heads, dim } = sizes;
  const sideways = np.swapaxes(split(keys, rows, sizes), -1, -2);
  const scores = np.matmul(split(query, 1, sizes), sideways).mul(1 / Math.sqrt(dim / heads));
  const weights = nn.softmax(hidden ? scores.add(hidden) : scores, -1);
  const mixed = np.matmul(weights, split(values, rows, sizes));
  return linear(np.transpose(mixed, [1, 0, 2]).reshape([1, dim]), wO, bO);
}

/** The prepared task. `array` makes an array from numbers and a shape. */
export function jaxDecoding(array, sizes) {
  const { batch, length, dim, layers, steps, vocabulary } = sizes;
  const given = decodingInputs(sizes);
  const vectors = embedding(given, sizes);
  const { encoder: encoders, decoder: decoders, encoderNorm, decoderNorm } = given;
  const leaves = flat({ encoders, decoders, encoderNorm, decoderNorm }, dim);
  const paths = leaves.map(({ path }) => path);
  const weights = leaves.map(({ data, shape }) => array(data, ...shape));
  const table = array(given.embedding, vocabulary, dim);
  /** Calls `work` with the model. It uses every weight by `.ref`; the weights are disposed of at the end. */
  const withModel = (values, work) => {
    const results = work(tree(paths, values));
    values.forEach((value) => value.dispose());
    return results;
  };
  const project = (x, of, name) => linear(x.ref, of[`w${name}`], of[`b${name}`]);

  const reading = jit((source, ...values) =>
    withModel(values, (model) => {
      let x = source;
      for (const layer of Object.values(model.encoders)) x = encoder(x, layer, { ...sizes, batch });
      const memory = norm(x, model.encoderNorm);
      const kept = Object.values(model.decoders).flatMap(({ cross }) =>
        ["K", "V"].map((name) => project(memory, cross, name)),
      );
      memory.dispose();
      return kept;
    }),
  );

  const stepping = jit((vector, here, elsewhere, hidden, past, memory, rows, values) =>
    withModel(values, (model) => {
      let x = vector;
      const kept = [];
      for (const [layer, of] of Object.values(model.decoders).entries()) {
        const [keys, values] = ["K", "V"].map((name, place) => {
          const now = project(x, of.attention, name).mul(here.ref);
          return past[2 * layer + place].mul(elsewhere.ref).add(now);
        });
        kept.push(keys.ref, values.ref);
        const own = attend(
          project(x, of.attention, "Q"),
          keys,
          values,
          steps,
          of.attention,
          sizes,
          hidden.ref,
        );
        x = norm(x.add(own), of.norm1);
        const [memoryKeys, memoryValues] = memory.slice(2 * layer, 2 * layer + 2);
        const query = project(x, of.cross, "Q");
        x = norm(x.add(attend(query, memoryKeys, memoryValues, length, of.cross, sizes)), of.norm2);
        const inner = nn.relu(linear(x.ref, of.w1, of.b1));
        x = norm(x.add(linear(inner, of.w2, of.b2)), of.norm3);
      }
      for (const used of [here, elsewhere, hidden]) used.dispose();
      const logits = np.matmul(norm(x, model.decoderNorm), np.transpose(rows, [1, 0]));
      return [logits, kept];
    }),
  );

  const masks = stepMasks(steps).map(({ here, elsewhere, hidden }) => [
    array(here, steps, 1),
    array(elsewhere, steps, 1),
    array(hidden, 1, 1, steps),
  ]);
  const refs = (arrays) => arrays.map((one) => one.ref);
  return {
    run() {
      const memory = reading(array(vectors(given.source, 0), length, dim), ...refs(weights));
      let past = Array.from({ length: 2 * layers }, () => np.zeros([steps, dim]));
      const ids = [given.begin];
      for (let step = 0; step < steps; step++) {
        const x = array(vectors([ids[step]], step), 1, dim);
        const [logits, kept] = stepping(
          x,
          ...refs(masks[step]),
          past,
          refs(memory),
          table.ref,
          refs(weights),
        );
        ids.push(largest(logits.dataSync()));
        past = kept;
      }
      for (const used of [...memory, ...past]) used.dispose();
      return Float32Array.from(ids);
    },
    end() {
      for (const held of [...weights, ...masks.flat(), table]) held.dispose();
    },
  };
}
