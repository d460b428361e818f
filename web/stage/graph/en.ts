/** What the stage of any graph says in English. */
export const en = {
  "legend.activation": "one scale for the activations",
  "legend.parameter": "one scale for the parameters",
  "legend.probability": "probabilities",
  layer: "layer {n}",
  "layer.open": "layer {n}, open",
  "layer.of": "layer {n} of {count}",
  layers: "{path}: {count} layers of the same steps",
  page: "page {at} of {sizes}",
  sources: "given",
} as const;
