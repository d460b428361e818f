/** Decoding: decoders that are built once, and the choice of the next token. No lab uses it. */
import { finiteNumbers, integer, options, refuse, refuseExtraArguments } from "../arguments.js";
import { FLOATS } from "../operations.js";
import { RandomState } from "../random.js";
import { checkTensor, type Ids, type Tensor } from "../tensor.js";
import { idTensor } from "./byte-pair-vocabulary.js";
import { TransformerCore } from "./core.js";
import { Gpt2Decoder, type Gpt2DecoderOptions } from "./gpt2.js";
import { GreedyDecoder, type GreedyDecoderOptions } from "./greedy-decoder.js";
import { SAMPLING, samplingAttributes, type SamplingOptions } from "./model-options.js";
import type { Parameters } from "./parameters.js";

/** The loaded core that can decode. */
export class DecodingCore extends TransformerCore {
  static {
    refuseExtraArguments(this);
  }

  /** Greedy decoding of many sources of one shape, with the numbers that `parameters` have now. */
  greedyDecoder(parameters: Parameters, options: GreedyDecoderOptions): GreedyDecoder {
    return new GreedyDecoder(this.module, parameters, options);
  }

  /** Continues many texts by a GPT-2 model, with the numbers that `parameters` have now. */
  gpt2Decoder(parameters: Parameters, options: Gpt2DecoderOptions): Gpt2Decoder {
    return new Gpt2Decoder(this.module, parameters, options);
  }

  /**
   * softmax(logits / temperature) over the last axis and the ids that top-k and then top-p leave, 0 for the others: (..., V), in float64.
   * Of equal logits the smaller id comes first. Throws Error for NaN.
   */
  nextProbabilities(logits: Tensor, given?: SamplingOptions): Tensor<Float64Array> {
    const operation = "nextProbabilities";
    const settings = samplingAttributes(operation, options(operation, given, SAMPLING));
    checkTensor(operation, "logits", logits, FLOATS);
    const { data, shape } = logits;
    if (data.length === 0 || shape.length === 0)
      refuse(operation, "logits.shape", "at least one axis, and no empty one", shape);
    const rows = data.length / shape.at(-1)!;
    return {
      shape: [...shape],
      data: this.module.nextProbabilities(data as Float64Array, rows, settings) as Float64Array,
    };
  }

  /** (number): ids drawn with these probabilities, or weights, (V), each by one random_sample, as numpy.random.choice with p. */
  drawIds(weights: Tensor, number: number, random: RandomState): Ids {
    const operation = "drawIds";
    checkTensor(operation, "weights", weights, FLOATS);
    const numbers = finiteNumbers(operation, "weights.data", [...weights.data]);
    const wrong = numbers.find((weight) => weight < 0);
    if (wrong !== undefined) refuse(operation, "weights", "numbers from 0 up", wrong);
    if (!numbers.some((weight) => weight > 0)) refuse(operation, "weights", "one number above 0", numbers);
    const drawn = integer(operation, "number", number, { min: 0 });
    if (!(random instanceof RandomState)) return refuse(operation, "random", "a random state", random);
    return random.lend(operation, { method: "random_sample" }, drawn, (state) =>
      idTensor(this.module.drawIds(state, Float64Array.from(numbers), drawn)),
    );
  }
}
