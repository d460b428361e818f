/** The loaded core with all its parts. */
import { refuseExtraArguments } from "../arguments.js";
import { GreedyDecoder, type GreedyDecoderOptions } from "./greedy-decoder.js";
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

  /** Greedy decoding of many sources of one shape, with the numbers that `parameters` have now. */
  greedyDecoder(parameters: Parameters, options: GreedyDecoderOptions): GreedyDecoder {
    return new GreedyDecoder(this.module, parameters, options);
  }
}
