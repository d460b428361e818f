/** The core with everything, loaded. */
import { TransformerFunctions } from "./functions.js";
import type { TransformerModule } from "./wasm.js";

/** Made by `load()`. */
export class TransformerCore extends TransformerFunctions {
  /** @internal */
  declare protected readonly module: TransformerModule;
}
