// Inverted dropout with given draws; evaluation does not call it.
import { tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const x = tensor(inputs.x, precision);
  if (params.training === false) return { y: core.scale(x, { factor: 1 }) };
  const u = tensor(inputs.u, precision);
  if (params.op !== "residual") return { y: core.dropout(x, { p: params.p, u }) };
  const sum = core.add(x, core.dropout(tensor(inputs.f, precision), { p: params.p, u }));
  return { sum, y: core.layerNorm(sum, undefined, undefined, { eps: 1e-5 }) };
}
