/** Reads from the core how the gradient of a cell is computed, as plain data. */
import type { GradientExplanation } from "../description.js";
import { readNode, convertersOf, type Explained, type ExplainedRow, type Names } from "../reading.js";
import type { WasmGraph } from "../wasm.js";
import type { TransformerModule } from "./wasm.js";

export function gradientExplanationOf(
  module: TransformerModule,
  wasm: WasmGraph,
  id: number,
  index: number[],
  full: boolean,
  names: Names,
): GradientExplanation {
  const node = readNode(wasm, id);
  const { uses, sum } = module.explainGradient(wasm, id, index, full) as {
    uses: (Explained & { node: number; place: number })[];
    sum: ExplainedRow;
  };
  return {
    node: node.name,
    index,
    value: sum.value!,
    uses: uses.map(({ node: reader, place, rows, sources, attributes }) => {
      const read = readNode(wasm, reader);
      const { row, region } = convertersOf(read, names);
      return {
        node: read.name,
        op: read.op,
        place,
        rows: rows.map(row),
        sources: sources.map(region),
        attributes,
      };
    }),
    sum: convertersOf(node, names).row(sum),
  };
}
