// Cross entropy of class ids or of rows of probabilities; the perplexity is exp of the mean.
import { ids, tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const logits = tensor(inputs.logits, precision);
  const target = params.op === "soft" ? tensor(inputs.probs, precision) : ids(inputs.targets);
  const options = {};
  if (inputs.class_weight) options.weight = tensor(inputs.class_weight, precision);
  if (params.ignore_index !== undefined) options.ignoreIndex = params.ignore_index;
  const loss = (reduction) => core.crossEntropy(logits, target, { ...options, reduction });
  const mean = loss("mean");
  return { loss_mean: mean, loss_sum: loss("sum"), loss_none: loss("none"), perplexity: core.exp(mean) };
}
