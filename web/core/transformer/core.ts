/** The core with everything, loaded. */
import { ScheduleFunctions } from "./schedules.js";
import type { TransformerModule } from "./wasm.js";

/** Made by `load()`. */
export class TransformerCore extends ScheduleFunctions {
  /** @internal */
  declare protected readonly module: TransformerModule;
}
