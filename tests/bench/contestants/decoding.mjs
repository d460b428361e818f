// Greedy decoding of one sample with cached keys and values, for libraries that compute one operation at a time. `arithmetic` holds the
// library's operations. Matrices have a row for each position.

import { embedding, largest } from "./vectors.mjs";

/** The chosen ids, `begin` first. `logits` computes a row of logits from the last vector. */
export function decode(arithmetic, given, model, logits, sizes) {
  const { rows, linear, add, norm, below, attend, numbers } = arithmetic;
  const { heads, steps } = sizes;
  const vectors = embedding(given, sizes);

  const embedded = (ids, first) => rows(vectors(ids, first), ids.length);
  const project = (x, weights, name) => linear(x, weights[`w${name}`], weights[`b${name}`]);
  const feedForward = (x, { w1, b1, w2, b2 }) => linear(linear(x, w1, b1, "relu"), w2, b2);

  let memory = embedded(given.source, 0);
  for (const layer of model.encoder) {
    const [query, key, value] = ["Q", "K", "V"].map((name) => project(memory, layer.attention, name));
    const attended = project(attend(query, key, value, heads), layer.attention, "O");
    const x = norm(add(memory, attended), layer.norm1);
    memory = norm(add(x, feedForward(x, layer)), layer.norm2);
  }
  memory = norm(memory, model.encoderNorm);
  const caches = model.decoder.map(({ cross }) => ({
    keys: null,
    values: null,
    memoryKeys: project(memory, cross, "K"),
    memoryValues: project(memory, cross, "V"),
  }));

  const ids = [given.begin];
  for (let step = 0; step < steps; step++) {
    let x = embedded([ids[step]], step);
    for (const [place, layer] of model.decoder.entries()) {
      const cache = caches[place];
      cache.keys = below(cache.keys, project(x, layer.attention, "K"));
      cache.values = below(cache.values, project(x, layer.attention, "V"));
      const own = attend(project(x, layer.attention, "Q"), cache.keys, cache.values, heads);
      x = norm(add(x, project(own, layer.attention, "O")), layer.norm1);
      const other = attend(project(x, layer.cross, "Q"), cache.memoryKeys, cache.memoryValues, heads);
      x = norm(add(x, project(other, layer.cross, "O")), layer.norm2);
      x = norm(add(x, feedForward(x, layer)), layer.norm3);
    }
    ids.push(largest(numbers(logits(norm(x, model.decoderNorm)))));
  }
  return Float32Array.from(ids);
}
