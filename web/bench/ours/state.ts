/** Weights under the names and in the forms of torch.nn's layers and ours: matrices (out, in). */
import type { Tensor } from "../../core/attention.js";
import {
  transpose,
  type DecoderWeights,
  type EncoderWeights,
  type MultiHeadWeights,
  type Norm,
} from "../inputs.js";

export type Floats = Tensor<Float32Array>;
export type State = Record<string, Floats>;

export const tensor = (data: Float32Array, ...shape: number[]): Floats => ({ shape, data });

const vector = (data: Float32Array): Floats => tensor(data, data.length);

/** A matrix (in, out) as (out, in). */
export const onItsSide = (data: Float32Array, inputs: number): Floats => {
  const outputs = data.length / inputs;
  return tensor(transpose(data, inputs, outputs), outputs, inputs);
};

/** Concatenates arrays. */
function joined(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
}

export const within = (name: string, state: State): State =>
  Object.fromEntries(Object.entries(state).map(([inside, value]) => [`${name}.${inside}`, value]));

export function multiHeadState({ wQ, wK, wV, wO, bQ, bK, bV, bO }: MultiHeadWeights): State {
  const dim = bO.length;
  return {
    in_proj_weight: tensor(
      joined(...[wQ, wK, wV].map((weight) => transpose(weight, dim, dim))),
      3 * dim,
      dim,
    ),
    in_proj_bias: vector(joined(bQ, bK, bV)),
    "out_proj.weight": onItsSide(wO, dim),
    "out_proj.bias": vector(bO),
  };
}

export const normState = ({ gain, shift }: Norm): State => ({ weight: vector(gain), bias: vector(shift) });

export function encoderState({ attention, w1, b1, w2, b2, norm1, norm2 }: EncoderWeights): State {
  return {
    ...within("self_attn", multiHeadState(attention)),
    "linear1.weight": onItsSide(w1, b2.length),
    "linear1.bias": vector(b1),
    "linear2.weight": onItsSide(w2, b1.length),
    "linear2.bias": vector(b2),
    ...within("norm1", normState(norm1)),
    ...within("norm2", normState(norm2)),
  };
}

export const decoderState = (weights: DecoderWeights): State => ({
  ...encoderState(weights),
  ...within("multihead_attn", multiHeadState(weights.cross)),
  ...within("norm3", normState(weights.norm3)),
});

/** The parameters of layers, as `layers.0`, `layers.1` and so on. */
export const layersState = <Weights>(layers: readonly Weights[], state: (weights: Weights) => State): State =>
  Object.assign({}, ...layers.map((weights, layer) => within(`layers.${layer}`, state(weights)))) as State;
