/** The core with everything, loaded. */
import { Parameters, type ParametersOptions } from "./parameters.js";
import { ScheduleFunctions } from "./schedules.js";
import type { TransformerModule } from "./wasm.js";

/** Made by `load()`. */
export class TransformerCore extends ScheduleFunctions {
  /** @internal */
  declare protected readonly module: TransformerModule;

  /** Parameters: named numbers that outlive graphs. */
  parameters(options: ParametersOptions = {}): Parameters {
    return new Parameters(this.module, options);
  }
}
