/** The core with everything, loaded. */
import { OptimFunctions } from "./optim.js";
import { Parameters, type ParametersOptions } from "./parameters.js";
import type { TransformerModule } from "./wasm.js";

/** Made by `load()`. */
export class TransformerCore extends OptimFunctions {
  /** @internal */
  declare protected readonly module: TransformerModule;

  /** Parameters: named numbers that outlive graphs. */
  parameters(options: ParametersOptions = {}): Parameters {
    return new Parameters(this.module, options);
  }
}
