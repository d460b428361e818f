// Softmax and its logarithm along any axis. `y` is torch's result; `y_zero_policy` has zeros for a slice of
// -Infinity.
import { tensor } from "../fixture.mjs";

export function run(core, { inputs, params }, precision) {
  const x = tensor(inputs.x, precision);
  const { axis } = params;
  return {
    y: core.softmax(x, { axis }),
    log_y: core.logSoftmax(x, { axis }),
    y_zero_policy: core.softmax(x, { axis, emptyIsZero: true }),
  };
}
