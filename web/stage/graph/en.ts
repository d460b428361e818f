/** The English strings of the stage of any graph. */
export const en = {
  "legend.activation": "one scale for the activations",
  "legend.norm": "gains and shifts",
  "legend.parameter": "one scale for the parameters",
  "legend.probability": "probabilities",
  layer: "layer {n}",
  "layer.open": "layer {n}, open",
  "layer.of": "layer {n} of {count}",
  layers: "{name}: {count} layers with the same operations",
  step: "step {n}",
  "step.open": "step {n}, open",
  "step.of": "step {n} of {count}",
  steps: "{name}: {count} steps with the same operations",
  page: "{at} of {sizes} pages",
  sources: "inputs and parameters",
} as const;
