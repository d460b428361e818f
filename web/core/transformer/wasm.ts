/** The exports of the transformer part: those of the attention part, and those of cpp/wasm/transformer. */
import type {
  BytePairVocabulary,
  Gpt2Decoder,
  GreedyDecoder,
  MainModule,
  Optimizer,
  Parameters,
  Trainer,
} from "../../../build/core/simd/transformer.mjs";

export type TransformerModule = MainModule;
export type WasmBytePairs = BytePairVocabulary;
export type WasmParameters = Parameters;
export type WasmOptimizer = Optimizer;
export type WasmGreedyDecoder = GreedyDecoder;
export type WasmTrainer = Trainer;
export type WasmGpt2Decoder = Gpt2Decoder;
