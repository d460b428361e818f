/** The core with everything, loaded. */
import { Core } from "../core.js";
import type { GraphOptions } from "../graph.js";
import { TransformerGraph } from "./graph.js";
import type { TransformerModule } from "./wasm.js";

/** Made by `load()`. */
export class TransformerCore extends Core {
  /** @internal */
  declare protected readonly module: TransformerModule;

  /** A graph: every step kept as a node. */
  override graph(options: GraphOptions = {}): TransformerGraph {
    return new TransformerGraph(this.module, options);
  }
}
