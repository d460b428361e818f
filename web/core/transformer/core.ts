/** The loaded core with everything that labs compute with. */
import { refuseExtraArguments } from "../arguments.js";
import { OptimFunctions } from "./optim.js";
import { Parameters, type ParametersOptions } from "./parameters.js";
import type { TransformerModule } from "./wasm.js";

/** The loaded core, made by `load()`. */
export class TransformerCore extends OptimFunctions {
  static {
    refuseExtraArguments(this);
  }

  /** @internal */
  declare protected readonly module: TransformerModule;

  /** Parameters: named numbers that outlive graphs. */
  parameters(options?: ParametersOptions): Parameters {
    return new Parameters(this.module, options);
  }
}
