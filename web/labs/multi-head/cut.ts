/** The cut of Q at the head boundaries, under W_Q. */
import { HANDLE } from "../../marks/rail.js";
import { addRail } from "../../stage/chart.js";
import { frameRow, penOn, pointsFrom } from "../../stage/pen.js";
import { inHead, labelWidth, place, placeBeside, right as endOf } from "../../stage/place.js";
import { writeSymbol } from "../../stage/symbol.js";
import { countText } from "../../telling/phrases.js";
import { headsToDrag } from "./flow.js";
import type { Parts, Span } from "./parts.js";

/** The greatest size of a cell. */
const CELL = { width: 36, height: 22 };
/** The heights over W_Q, from it to Q, and under Q, and the gap between the parts of Q. */
const CUT = { above: 4, between: 28, below: 10, gap: 24 };

/** The handle on the boundary between the first two heads: dragged to another divisor of the width, it changes the number of heads. */
function addBoundaryRail(parts: Parts, xOf: (column: number) => number, y: number): void {
  const { numbers, room, isNarrow, scene, say, of } = parts;
  const counts = headsToDrag(numbers, room.layout);
  if (counts.length < 2) return;
  const track = { x: (count: number) => xOf(numbers.dim / count), bottom: y };
  addRail(scene, track, {
    id: "heads",
    changes: { control: "heads" },
    name: say("labs.field.heads"),
    ends: [1, counts.at(-1)!],
    reciprocal: true,
    onlyMarks: true,
    unit: 1,
    marks: counts.map((value) => ({ value, text: countText(say, "labs.heads", value) })),
    value: numbers.heads,
    reach: HANDLE.height / 2,
    ...(isNarrow && { isSmall: true }),
    step: of("Q_heads").step,
  });
}

/** Places W_Q and under it Q, cut into heads, between two edges, at most `height` high. Returns the y below them. */
export function placeCut(parts: Parts, [left, right]: Span, top: number, height: number): number {
  const { numbers, names, of, scene } = parts;
  const [weights, query] = [of("W_Q"), of("Q_heads")];
  const x = left + labelWidth(names);
  const gaps = (numbers.heads - 1) * CUT.gap;
  const cell = Math.min(CELL.width, (right - x - gaps - 8) / weights.columns);
  const free = height - CUT.above - CUT.between - CUT.below;
  const row = Math.max(2, Math.floor(Math.min(CELL.height, free / (weights.rows + names.length))));
  const xOf = (column: number): number => x + gaps / 2 + column * cell;
  place(scene, weights, xOf(0), top + CUT.above, cell, row, { id: "W_Q" });
  writeSymbol(scene, weights, xOf(0) - 14, top + CUT.above + 16, { anchor: "end" });
  const boundary = top + CUT.above + weights.rows * row;
  addBoundaryRail(parts, xOf, boundary + CUT.between / 2);
  const y = boundary + CUT.between;
  const foot = y + names.length * row;
  const slices = Array.from({ length: numbers.heads }, (_, head) => {
    return { block: inHead(query, head), id: `Q_heads-${head}` };
  });
  const area = { x, y, gap: CUT.gap, cell, row };
  placeBeside(scene, slices, area, { rowNames: names }).forEach((slice, head) => {
    frameRow(scene, slice, query.columns, parts.row, "query");
    // The handle stands at the left end of the second part.
    const symbolX = head === 1 ? endOf(slice, query.columns) - 10 : slice.x;
    writeSymbol(scene, slice, symbolX, y - 8);
    const edge = slice.x - CUT.gap / 2;
    const line = pointsFrom(xOf(head * query.columns), boundary + 4, edge, y - 4, edge, foot + 6);
    if (head) penOn(scene, query.step).draw(`boundary-${head}`, "attention", "dashed", line);
  });
  return foot + CUT.below;
}
