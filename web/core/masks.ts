/** Converts masks of other conventions into ours: 1 = may be attended, as in F.scaled_dot_product_attention. */
import { choice, exact, number } from "./arguments.js";
import { checkTensor, type BooleanMask, type FloatData, type Precision, type Tensor } from "./tensor.js";

function inverted(mask: Tensor<Uint8Array>): BooleanMask {
  return { shape: [...mask.shape], data: mask.data.map((value) => 1 - value) };
}

/** torch.nn modules (nn.MultiheadAttention and above): True = masked. Masked scores become -Infinity. */
function fromTorchModule(mask: Tensor<Uint8Array>): BooleanMask {
  checkTensor("fromTorchModule", "mask", mask, ["bool"]);
  return inverted(mask);
}

/** masked_fill(mask == 0, -inf): 0 = masked, any other number may be attended. Masked scores become -Infinity. */
function fromZeroMasked(mask: Tensor<FloatData | Int32Array | Uint8Array>): BooleanMask {
  if (mask?.data instanceof Uint8Array) {
    checkTensor("fromZeroMasked", "mask", mask, ["bool"]);
  } else {
    checkTensor("fromZeroMasked", "mask", mask, ["float64", "float32", "int32"]);
  }
  return { shape: [...mask.shape], data: Uint8Array.from(mask.data, (value) => (value === 0 ? 0 : 1)) };
}

/** where(mask, scores, fill): 1 = keep, the scores of the others are replaced by `fill`, such as -1e9. */
function fromFill(mask: Tensor<Uint8Array>, fill: number): BooleanMask {
  checkTensor("fromFill", "mask", mask, ["bool"]);
  return { shape: [...mask.shape], data: mask.data.slice(), fill: number("fromFill", "fill", fill) };
}

/** scores + mask * term: 1 = masked, with a term such as -1e9. A mask of numbers, added to the scaled scores. */
function fromAdditive(mask: Tensor<Uint8Array>, term: number, precision: "float32"): Tensor<Float32Array>;
function fromAdditive(mask: Tensor<Uint8Array>, term: number, precision?: "float64"): Tensor<Float64Array>;
function fromAdditive(mask: Tensor<Uint8Array>, term: number, precision?: Precision): Tensor {
  checkTensor("fromAdditive", "mask", mask, ["bool"]);
  number("fromAdditive", "term", term);
  const single =
    choice("fromAdditive", "precision", precision ?? "float64", ["float64", "float32"]) === "float32";
  const data = single ? new Float32Array(mask.data.length) : new Float64Array(mask.data.length);
  mask.data.forEach((value, place) => {
    if (value === 1) data[place] = term;
  });
  return { shape: [...mask.shape], data };
}

/** The converters, named after the convention they read. */
export const masks = {
  fromTorchModule: exact("fromTorchModule", fromTorchModule),
  fromZeroMasked: exact("fromZeroMasked", fromZeroMasked),
  fromFill: exact("fromFill", fromFill),
  fromAdditive: exact("fromAdditive", fromAdditive),
};
