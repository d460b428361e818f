// torch.nn.TransformerDecoderLayer, batch first. Boolean masks: True = masked.
import { tensor } from "../fixture.mjs";
import { bothWays, masksOf, optionsOf, stateDictOf } from "./encoder_layer.mjs";

export function run(core, { inputs, params }, precision) {
  const parameters = stateDictOf(inputs, ["tgt", "memory"], precision);
  const [tgt, memory] = [inputs.tgt, inputs.memory].map((input) => tensor(input, precision));
  const options = {
    ...optionsOf(params),
    target: masksOf(inputs.tgt_mask, inputs.tgt_key_padding_mask, precision),
    memory: masksOf(inputs.memory_mask, inputs.memory_key_padding_mask, precision),
  };
  return {
    output: bothWays(core, precision, (graph) => graph.decoderLayer(tgt, memory, parameters, options).output),
  };
}
