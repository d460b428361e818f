/** A session over the whole core: programs, gradients and files of any lab's Config. */
import type { Config } from "../../config/config.js";
import { isCellOf } from "../../config/cells.js";
import { pieceText } from "../../config/tokens.js";
import type { GradientExplanation, Graph, Tensor } from "../../core/index.js";
import type { TransformerCore as Core } from "../../core/transformer/core.js";
import type { Cell, Gradient } from "../messages.js";
import { placeOf } from "../../marks/plane.js";
import { Session } from "./session.js";

export class TransformerSession extends Session<Core> {
  /** The cell that `backward` last started from, and how many changes the graph had then. */
  #seed = "";

  /** A program that computes the numbers of a Config and compares its results with them. */
  program(config: Config, language: "numpy" | "pytorch"): string {
    return this.about(config).program({ language });
  }

  /** How the gradient of the cell `of` with respect to a cell of `node` was computed. Throws Error for a node that has none. */
  explainGradient(
    config: Config,
    of: Cell,
    node: string,
    index: number[],
    full = false,
  ): GradientExplanation {
    return this.#backward(config, of).explainGradient(node, index, { full });
  }

  /** The gradient of the cell `of` with respect to every named node that has one, and whether `of` is computed from that node. */
  gradients(config: Config, of: Cell): Gradient[] {
    const graph = this.#backward(config, of);
    const nodes = graph.describe();
    const inputs = new Map(nodes.map((node) => [node.name, node.inputs]));
    const used = new Set([of.node]);
    // The loop also visits the nodes that it adds: their inputs are used too.
    for (const name of used) for (const input of inputs.get(name) ?? []) used.add(input);
    return nodes
      .filter(({ name, dataType }) => !name.startsWith("#") && dataType === "float64")
      .map(({ name, op, inputs }) => {
        const { shape, data } = graph.gradient(name) as { shape: number[]; data: Float64Array };
        return { name, op, inputs, shape, data, edited: [], used: used.has(name) };
      });
  }

  /** The numbers of a node as a file. */
  file(config: Config, node: string, format: "npy"): Uint8Array {
    if (format !== "npy") throw new Error(`file: format is ${JSON.stringify(format)}, expected "npy"`);
    const { shape, data } = this.about(config).value(node);
    return this.core.writeNpy({ shape, data: Float64Array.from(data) });
  }

  /** Splits a text by a byte-pair vocabulary that is learned from it with this many merges, or fewer if no pair occurs twice any more. */
  bytePairs(text: string, merges: number): { pieces: string[]; merges: number } {
    const vocabulary = this.core.bytePairVocabulary({ text, size: 256 + merges });
    try {
      const { data } = vocabulary.encode(text);
      return {
        pieces: Array.from(data, (id) => pieceText(vocabulary.bytes(id))),
        merges: vocabulary.size - 256,
      };
    } finally {
      vocabulary.delete();
    }
  }

  readNpy(bytes: Uint8Array): Tensor {
    return this.core.readNpy(bytes);
  }

  /** The graph of a Config with the gradients of one cell: 1 there, 0 at the other cells of its node. */
  #backward(config: Config, of: Cell): Graph {
    return this.gradientsFrom(this.about(config), of);
  }

  protected gradientsFrom(graph: Graph, { node, index }: Cell): Graph {
    const seed = `${this.changes} ${node} ${index.join()}`;
    if (seed === this.#seed) return graph;
    const { shape, data } = graph.value(node);
    if (!isCellOf(shape, index))
      throw new Error(
        `gradients: of is [${index.join(", ")}], expected a cell of ${node} of shape (${shape.join(", ")})`,
      );
    const gradient = new Float64Array(data.length);
    gradient[placeOf(shape, index)] = 1;
    this.#seed = "";
    graph.backward(node, { shape, data: gradient });
    this.#seed = seed;
    return graph;
  }
}
