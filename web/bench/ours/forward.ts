/** Tasks without learning in our core: each run replays a graph, writing the inputs and copying the output. */
import type { Core, Graph, Node, ReplayInputs } from "../../core/index.js";
import {
  attentionInputs,
  encoderWeights,
  EPSILON,
  matmulInputs,
  multiHeadWeights,
  patchInputs,
  sequenceInput,
} from "../inputs.js";
import type { Makers, Ready } from "../works.js";
import { encoderState, multiHeadState, onItsSide, tensor, type Floats } from "./state.js";

/** Attention never stores its scores here, so that this is far more memory than any task takes. */
const MAX_BYTES = 2 ** 30;

/** A graph that every run replays, after writing `inputs`. */
function replayed(core: Core, output: (graph: Graph) => Node, inputs: ReplayInputs = {}): Ready {
  const graph = core.graph({ precision: "float32", maxBytes: MAX_BYTES });
  const last = output(graph);
  const result = new Float32Array(last.shape.reduce((cells, size) => cells * size, 1));
  return {
    run() {
      graph.replay(inputs);
      return graph.read(last, result);
    },
    end: () => graph.delete(),
  };
}

/** A graph with one input. */
const kept = (core: Core, input: Floats, output: (graph: Graph, input: Node) => Node): Ready =>
  replayed(core, (graph) => output(graph, graph.leaf("input", input)), { input });

export const forward = (core: Core): Makers => ({
  matmul({ n }) {
    const { a, b } = matmulInputs({ n });
    return kept(core, tensor(a, n, n), (graph, input) =>
      graph.matmul(input, graph.leaf("b", tensor(b, n, n))),
    );
  },

  attention(sizes) {
    const { batch, heads, length, dim, causal } = sizes;
    const { query, key, value } = attentionInputs(sizes);
    const of = (data: Float32Array) => tensor(data, batch, heads, length, dim / heads);
    return kept(
      core,
      of(query),
      (graph, input) =>
        graph.scaledDotProductAttention(
          input,
          graph.leaf("key", of(key)),
          graph.leaf("value", of(value)),
          causal ? { isCausal: true } : {},
        ).output,
    );
  },

  multiHead(sizes) {
    const { batch, heads, length, dim } = sizes;
    const state = multiHeadState(multiHeadWeights(dim));
    return kept(core, tensor(sequenceInput(sizes), batch, length, dim), (graph, x) => {
      const leaf = (name: string) => graph.leaf(name, state[name]!);
      const parameters = {
        inProjWeight: leaf("in_proj_weight"),
        inProjBias: leaf("in_proj_bias"),
        outProjWeight: leaf("out_proj.weight"),
        outProjBias: leaf("out_proj.bias"),
      };
      return graph.multiHeadAttention(x, x, x, parameters, { numHeads: heads }).output;
    });
  },

  encoder(sizes) {
    const { batch, heads, length, dim } = sizes;
    const state = encoderState(encoderWeights(dim));
    return kept(
      core,
      tensor(sequenceInput(sizes), batch, length, dim),
      (graph, x) => graph.encoderLayer(x, state, { numHeads: heads, eps: EPSILON }).output,
    );
  },

  sinusoidal: (sizes) => replayed(core, (graph) => graph.sinusoidal(sizes)),

  patches(sizes) {
    const { size, channels, patch, dim } = sizes;
    const { image, weight, bias } = patchInputs(sizes);
    const inputs = patch * patch * channels;
    const sideways = onItsSide(weight, inputs);
    return kept(core, tensor(image, channels, size, size), (graph, input) => {
      const patches = graph.patchify(input, { patch: [patch, patch], order: "p1 p2 c" });
      return graph.linear(patches, graph.leaf("weight", sideways), graph.leaf("bias", tensor(bias, dim)));
    });
  },
});
