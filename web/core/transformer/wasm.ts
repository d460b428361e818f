/** What the transformer part exports: all of the attention part and cpp/wasm/transformer. */
import type { MainModule } from "../../../build/core/simd/transformer.mjs";

export type TransformerModule = MainModule;
