/** The core: what Transformers compute, with every step open to inspection. See README.md. */
import { exact } from "./arguments.js";
import createModule from "../../build/core/simd/transformer.mjs";
import { loadPart, type LoadOptions } from "./load.js";
import { ones, tensor, zeros } from "./nested.js";
import { array2string, print } from "./print.js";
import { TrainingCore } from "./transformer/tasks.js";
import { transformerFiles } from "./wasm-files.js";

export type { ProgramOptions, TransformerGraph as Graph } from "./transformer/graph.js";
export type { AdditiveAttentionNodes } from "./transformer/arithmetic.js";
export type { LayerName, LayerSizes } from "./transformer/layer-sizes.js";
export type * from "./transformer/model-nodes.js";
export type {
  ContinuationOptions,
  DecoderLayerOptions,
  DecoderMasks,
  DecoderOptions,
  EncoderLayerOptions,
  EncoderOptions,
  GreedyOptions,
  LayerOptions,
  Masking,
  SamplingOptions,
  Seq2SeqOptions,
  StackOptions,
  TransformerMasks,
  TransformerOptions,
} from "./transformer/model-options.js";
export type { ParametersOperand, StateDictOptions } from "./transformer/models.js";
export type * from "./transformer/options.js";
export type {
  BagOfWordsOptions,
  PrincipalComponentsNodes,
  PrincipalComponentsOptions,
  SimilarityNodes,
  TestSurfaceOptions,
  Word2VecNodes,
} from "./transformer/words.js";
export type { Analogy, MaskTokensOptions } from "./transformer/word-functions.js";
export type { BytePairOptions, BytePairVocabulary, IdList } from "./transformer/byte-pair-vocabulary.js";
export type { FileBytes, ReadManyOptions, ReadOptions } from "./transformer/files.js";
export type { CosineOptions, NoamOptions } from "./transformer/schedules.js";
export type { Gpt2Decoder, Gpt2DecoderOptions } from "./transformer/gpt2.js";
export type { GreedyDecoder, GreedyDecoderOptions } from "./transformer/greedy-decoder.js";
export type {
  AdagradOptions,
  AdamOptions,
  Optimizer,
  OptimizerState,
  RmspropOptions,
  SgdOptions,
} from "./transformer/optim.js";
export type {
  DrawParametersOptions,
  ParameterDescription,
  Parameters,
  ParametersOptions,
} from "./transformer/parameters.js";
export type {
  Evaluation,
  RunLimits,
  TrainedModel,
  Trainer,
  TrainerOptions,
  TrainingOptimizer,
  TrainingStep,
  TrainingTask,
} from "./transformer/trainer.js";
export type { ModelKind, TaskName, TaskOptions } from "./transformer/task-options.js";
export type { Task, TaskExample } from "./transformer/tasks.js";
export type { Progress, TrainLimits } from "./transformer/train.js";
export * from "./exports.js";

/** The loaded core, made by `load()`. */
class Core extends TrainingCore {
  readonly tensor = tensor;
  readonly zeros = zeros;
  readonly ones = ones;
  readonly array2string = array2string;
  readonly print = print;
}
export type { Core };

const part = { files: transformerFiles, create: createModule, Core };

/** Throws Error when the engine lacks the build asked for, when the file cannot be fetched, or when it is no core. */
export const load = exact("load", (options?: LoadOptions): Promise<Core> => loadPart(part, options));
