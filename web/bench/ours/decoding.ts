/** Greedy decoding in our core, with cached keys and values: the chosen ids. */
import type { Core } from "../../core/index.js";
import { decodingInputs, EPSILON } from "../inputs.js";
import type { Ready, Sizes } from "../works.js";
import { decoderState, encoderState, layersState, normState, tensor, within } from "./state.js";

export function greedyDecoding(core: Core, sizes: Sizes["decoding"]): Ready {
  const { batch, heads, length, dim, layers, vocabulary, steps } = sizes;
  const given = decodingInputs(sizes);
  const state = {
    "embedding.weight": tensor(given.embedding, vocabulary, dim),
    ...within("encoder", {
      ...layersState(given.encoder, encoderState),
      ...within("norm", normState(given.encoderNorm)),
    }),
    ...within("decoder", {
      ...layersState(given.decoder, decoderState),
      ...within("norm", normState(given.decoderNorm)),
    }),
  };
  const parameters = core.parameters({ precision: "float32" });
  for (const [name, value] of Object.entries(state)) parameters.add(name, value);
  const source = { shape: [batch, length], data: given.source };
  const decoder = core.greedyDecoder(parameters, {
    source: source.shape,
    numHeads: heads,
    numEncoderLayers: layers,
    numDecoderLayers: layers,
    begin: given.begin,
    steps,
    eps: EPSILON,
  });
  return {
    run: () => Float32Array.from(decoder.decode(source).flatMap((row) => [...row])),
    end() {
      decoder.delete();
      parameters.delete();
    },
  };
}
