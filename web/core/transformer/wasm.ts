/** What the transformer part exports: all of the attention part and cpp/wasm/transformer. */
import type {
  BytePairVocabulary,
  GreedyDecoder,
  MainModule,
  Optimizer,
  Parameters,
} from "../../../build/core/simd/transformer.mjs";

export type TransformerModule = MainModule;
export type WasmBytePairs = BytePairVocabulary;
export type WasmParameters = Parameters;
export type WasmOptimizer = Optimizer;
export type WasmGreedyDecoder = GreedyDecoder;
