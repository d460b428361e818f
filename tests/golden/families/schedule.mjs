// Learning-rate schedules by step.

export function run(core, { params }) {
  if (params.schedule !== "noam") return undefined;
  const { d_model: dModel, warmup, factor, steps } = params;
  return {
    lr: { shape: [steps.length], data: steps.map((step) => core.noamLr(step, { dModel, warmup, factor })) },
  };
}
