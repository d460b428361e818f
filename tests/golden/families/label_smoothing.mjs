// Smoothed targets: eps / K over all classes (torch), or eps / (K - 1) over the other classes (document 004).
import { floatArrays, ids, tensor } from "../fixture.mjs";

/** (1 - eps) onehot + eps / K, or 1 - eps on the target and eps / (K - 1) elsewhere, of every row that has a class. */
function smoothed(core, targets, classes, { mode, epsilon, ignore_index: ignored }, precision) {
  const known = Int32Array.from([...targets.data].filter((id) => id !== ignored));
  const places = core.oneHot({ shape: [known.length], data: known }, { numClasses: classes }, precision);
  const spread = mode === "torch" ? epsilon / classes : epsilon / (classes - 1);
  const own = mode === "torch" ? 1 - epsilon : 1 - epsilon - spread;
  return core.add(core.scale(places, { factor: own }), {
    shape: [1],
    data: floatArrays[precision].of(spread),
  });
}

export function run(core, { inputs, params }, precision) {
  const logits = tensor(inputs.logits, precision);
  const targets = ids(inputs.targets);
  const target = smoothed(core, targets, logits.shape.at(-1), params, precision);
  const options = { labelSmoothing: params.epsilon };
  if (params.mode === "blog") {
    return {
      smoothed: target,
      kl_batchmean: core.klDivergence(core.logSoftmax(logits), target, { reduction: "batchmean" }),
      soft_ce: [
        core.crossEntropy(logits, targets, { ...options, spread: "others" }),
        core.crossEntropy(logits, target),
      ],
    };
  }
  if (params.ignore_index !== undefined) options.ignoreIndex = params.ignore_index;
  const loss = (reduction) => core.crossEntropy(logits, targets, { ...options, reduction });
  return { smoothed: target, loss_mean: loss("mean"), loss_sum: loss("sum"), loss_none: loss("none") };
}
