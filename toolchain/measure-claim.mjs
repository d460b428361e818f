// Measures one run of a claim of web/labs/training/claims.ts.

/** The norm of the gradients of the first layer, divided by that of the last one; NaN of a model without layers. */
function gradientRatio(trainer) {
  const layers = [];
  for (const name of trainer.names) {
    const layer = /(?:^|\.)(?:layers|h)\.(\d+)\./.exec(name)?.[1];
    if (layer !== undefined) (layers[layer] ??= []).push(name);
  }
  const normOf = (names) => trainer.norms(names).gradient;
  return layers.length > 0 ? normOf(layers[0]) / normOf(layers.at(-1)) : NaN;
}

/** Trains up to a step, and tells whether it got there: a step whose loss is not finite is refused, again and again. */
function reaches(trainer, step) {
  try {
    trainer.run({ steps: step - trainer.steps });
  } catch (error) {
    if (!error.message.includes("expected a finite number")) throw error;
  }
  return trainer.steps === step;
}

/** The measures of a run with these options, after each step of `at`, and how many steps were made. Null is a number that is not finite. */
export function measureRun(core, { at, measures }, options) {
  const trainer = core.trainer(options);
  try {
    const taken = at.map((step) => {
      const { loss, accuracy } = reaches(trainer, step) ? trainer.evaluate() : { loss: NaN };
      if (!Number.isFinite(loss)) return {};
      return {
        loss,
        accuracy,
        gradientRatio: measures.includes("gradientRatio") ? gradientRatio(trainer) : NaN,
      };
    });
    const rounded = (value) => (Number.isFinite(value) ? Number(value.toPrecision(6)) : null);
    const ofMeasure = (measure) => [measure, taken.map((values) => rounded(values[measure]))];
    return { made: trainer.steps, ...Object.fromEntries(measures.map(ofMeasure)) };
  } finally {
    trainer.delete();
  }
}
