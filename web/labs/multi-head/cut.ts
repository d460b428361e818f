/** The cut of Q at the head boundaries, under W_Q. */
import { HANDLE } from "../../marks/rail.js";
import { addRail } from "../../stage/chart.js";
import { penOn } from "../../stage/pen.js";
import { labelWidth, place, placeBeside } from "../../stage/place.js";
import { writeSymbol } from "../../stage/symbol.js";
import { headsToDrag, showsWeights } from "./flow.js";
import { frameOpenRow, writeSymbolOf, type Parts, type Span } from "./parts.js";

/** The greatest size of a cell. */
const CELL = { width: 36, height: 22 };
/** The heights over W_Q, from it to Q, and under Q, and the gap between the parts of Q. */
const CUT = { above: 4, between: 24, below: 4, gap: 24 };

/** The handle on the boundary between the first two heads: dragged to another divisor of the width, it changes the number of heads. */
function addBoundaryRail(parts: Parts, xOf: (column: number) => number, y: number): void {
  const { numbers, room, isNarrow, scene, say, of } = parts;
  const marks = headsToDrag(numbers, room.layout).map((value) => ({ value }));
  if (marks.length < 2) return;
  const track = { x: (count: number) => xOf(numbers.dim / count), bottom: y };
  addRail(scene, track, {
    id: "heads",
    changes: { control: "heads" },
    name: say("labs.field.heads"),
    ends: [1, marks.at(-1)!.value],
    reciprocal: true,
    onlyMarks: true,
    unit: 1,
    marks,
    value: numbers.heads,
    reach: HANDLE.height / 2,
    ...(isNarrow && { isSmall: true }),
    step: of("Q_heads").step,
  });
}

/** Places W_Q and under it Q, cut into heads, between two edges, at most `height` high. Returns the y below them. */
export function placeCut(parts: Parts, [left, right]: Span, top: number, height: number): number {
  const { numbers, room, item, names, of, scene } = parts;
  const [weights, query] = [of("W_Q"), of("Q_heads")];
  const gaps = (numbers.heads - 1) * CUT.gap;
  const x = left + labelWidth(names);
  const cell = Math.min(CELL.width, (right - x - gaps - 8) / (numbers.heads * query.columns));
  const above = showsWeights(numbers, room.layout) ? weights.rows : 0;
  const free = height - CUT.above - CUT.between - CUT.below;
  const most = Math.min(CELL.height, free / (above + names.length));
  const row = most >= 12 ? Math.floor(most) : Math.max(2, most);
  const boundary = top + CUT.above + above * row;
  const xOf = (column: number): number => x + gaps / 2 + column * cell;
  if (above) {
    place(scene, weights, xOf(0), top + CUT.above, cell, row, { id: "W_Q" });
    writeSymbol(scene, weights, xOf(0) - 14, top + CUT.above + 16, { anchor: "end" });
    addBoundaryRail(parts, xOf, boundary + CUT.between / 2);
  }
  const y = boundary + CUT.between;
  const foot = y + names.length * row;
  const { draw } = penOn(scene, query.step);
  const slices = Array.from({ length: numbers.heads }, (_, head) => ({
    block: { ...query, at: [item, head, null, null] },
    id: `Q_heads-${head}`,
  }));
  const area = { x, y, gap: CUT.gap, cell, row };
  placeBeside(scene, slices, area, { rowNames: names }).forEach((slice, head) => {
    frameOpenRow(parts, "query", slice);
    // The handle stands at the left end of the second part.
    const symbolX = head === 1 ? slice.x + query.columns * cell - 22 : slice.x;
    writeSymbolOf(parts, "Q_heads", head, symbolX, y - 7);
    if (head === 0) return;
    const edge = slice.x - CUT.gap / 2;
    const start = [above ? xOf(head * query.columns) : edge, boundary + 4] as [number, number];
    draw(`boundary-${head}`, "attention", "dashed", [start, [edge, y - 4], [edge, foot + 6]]);
  });
  return foot + CUT.below;
}
