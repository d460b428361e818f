/** One row or one column of a tensor, as a tensor of a single row. */
import type { Block } from "./place.js";

/** The row or column of a tensor at these places of its last axes, with one null. A place for the last axis leaves the one before it: a column. */
export function stripOf(block: Block, at: (number | null)[]): Block {
  const isRow = at.at(-1) === null;
  const columns = isRow ? block.columns : block.rows;
  const part = isRow ? block.parts?.columns : block.parts?.rows;
  const names = isRow ? block.names?.columns : block.names?.rows;
  const masked = block.masked?.[at.at(-2) ?? 0];
  return {
    ...block,
    rows: 1,
    columns,
    at: [...(block.at ?? []).slice(0, -at.length), ...at],
    names: { rows: null, columns: names },
    emptyRows: [],
    paintable: false,
    parts: part && part < columns ? { columns: part } : undefined,
    masked: masked && [masked],
  };
}
