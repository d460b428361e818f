/** One training step in our core, as web/core/README.md shows it: a replayed graph, its gradients, and Adam in place. */
import type { Core, Node } from "../../core/index.js";
import { EPSILON, trainingInputs } from "../inputs.js";
import type { Ready, Sizes } from "../works.js";
import { encoderState, layersState, onItsSide, tensor, within, type State } from "./state.js";

export function trainingStep(core: Core, sizes: Sizes["training"]): Ready {
  const { batch, heads, length, dim, layers, vocabulary } = sizes;
  const given = trainingInputs(sizes);
  const state: State = {
    "embedding.weight": tensor(given.embedding, vocabulary, dim),
    ...within("encoder", layersState(given.layers, encoderState)),
    "output.weight": onItsSide(given.output, dim),
    "output.bias": tensor(given.bias, vocabulary),
  };
  const parameters = core.parameters({ precision: "float32" });
  for (const [name, value] of Object.entries(state)) parameters.add(name, value);
  const { lr, beta1, beta2, eps } = given.adam;
  const optimizer = core.adam({ lr, betas: [beta1, beta2], eps });
  const tokens = { shape: [batch, length], data: given.tokens };
  const targets = { shape: [batch * length], data: given.targets };
  const positions = tensor(given.positions, length, dim);
  const graph = core.graph({ precision: "float32" });
  const leaves = graph.stateDict(parameters);
  const encoder = Object.fromEntries(
    Object.entries(leaves).flatMap(([name, node]): [string, Node][] =>
      name.startsWith("encoder.") ? [[name.slice("encoder.".length), node]] : [],
    ),
  );
  const x = graph.add(graph.embedding(tokens, leaves["embedding.weight"]!), positions);
  const { output } = graph.encoder(x, encoder, {
    numHeads: heads,
    numLayers: layers,
    finalNorm: false,
    eps: EPSILON,
  });
  const rows = graph.reshape(output, { shape: [batch * length, dim] });
  const logits = graph.linear(rows, leaves["output.weight"]!, leaves["output.bias"]!);
  const loss = graph.crossEntropy(logits, targets);
  const result = new Float32Array(1);
  return {
    run() {
      graph.replay();
      graph.backward(loss);
      optimizer.step(graph);
      return graph.read(loss, result);
    },
    end() {
      graph.delete();
      optimizer.delete();
      parameters.delete();
    },
  };
}
