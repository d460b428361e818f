/** Chooses the symbols of a graph's tensors: different tensors of one line have different symbols, and a tensor has the same symbol in every line. */
import { symbolName } from "../../marks/lettering.js";
import type { Symbol } from "../../marks/scene.js";
import type { Folding, Repetition } from "./folding.js";
import { symbolOf } from "./looks.js";
import { abbreviate, groupBy, lastPart, type GraphNode, type GraphNodes } from "./nodes.js";

/** Ways to make equal symbols different, the best first. `at` is the tensor's place among those with the same symbol. */
const distinctions: readonly ((symbol: Symbol, name: string, at: number) => Symbol)[] = [
  // The symbol of "self_attn.output" becomes O_self.
  ({ text, sub = "", sup }, name) => {
    const folder = name
      .split(".")
      .slice(0, -1)
      .findLast((part) => !/^\d+$/.test(part));
    const own = folder === undefined ? sub : [sub, abbreviate(folder)].filter(Boolean).join(",");
    return { text, ...(own && { sub: own }), ...(sup && { sup }) };
  },
  (symbol, name) => ({ ...symbol, text: lastPart(name).slice(0, 3) }),
  (symbol, _, at) => ({ ...symbol, text: symbol.text + "′".repeat(at) }),
];

export class GraphSymbols {
  readonly #nodes: GraphNodes;
  readonly #folding: Folding;
  /** The symbols that were changed to be different, by the node's name in the first part of each repetition. */
  readonly #distinguished = new Map<string, Symbol>();
  readonly #results = new Map<GraphNode, Repetition>();

  /** `lines` has the nodes of each line. */
  constructor(nodes: GraphNodes, folding: Folding, lines: readonly (readonly GraphNode[])[]) {
    this.#nodes = nodes;
    this.#folding = folding;
    for (const repetition of folding.repetitions)
      for (const result of repetition.results.values()) this.#results.set(result, repetition);
    for (const line of lines) {
      for (const alike of groupBy(new Set(line), (node) =>
        symbolName(this.#withNumber(symbolOf(node, nodes), node)),
      ).values())
        if (alike.length > 1) this.#distinguish(alike);
    }
  }

  of(node: GraphNode): Symbol {
    const distinguished = this.#distinguished.get(this.#folding.nameInFirst(node));
    return this.#withNumber(distinguished ?? symbolOf(node, this.#nodes), node);
  }

  /** Adds the number of the layer, R^(2), if the node is the result of a layer. */
  #withNumber(symbol: Symbol, node: GraphNode): Symbol {
    const repetition = this.#results.get(node);
    if (repetition?.kind !== "layer") return symbol;
    const part = this.#folding.partsOf(node).find((one) => one.repetition === repetition)!;
    return { ...symbol, sup: `(${repetition.numbers.indexOf(part.number) + 1})` };
  }

  #distinguish(alike: readonly GraphNode[]): void {
    for (const distinguish of distinctions) {
      const symbols = alike.map((node, at) => distinguish(symbolOf(node, this.#nodes), node.name, at));
      const names = new Set(symbols.map(symbolName));
      if (names.size < alike.length) continue;
      alike.forEach((node, at) => this.#distinguished.set(this.#folding.nameInFirst(node), symbols[at]!));
      return;
    }
  }
}
