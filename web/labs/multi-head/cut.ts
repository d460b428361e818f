/** The cut of Q at the head boundaries, under W_Q. */
import { textWidth } from "../../marks/measure.js";
import { HANDLE } from "../../marks/rail.js";
import { writeSymbol } from "../../stage/symbol.js";
import { drawOn, writeOn } from "../../stage/pen.js";
import { addRail } from "../../stage/chart.js";
import { labelWidth, place } from "../../stage/place.js";
import type { Point } from "../../stage/series.js";
import { headsToDrag, showsWeights } from "./flow.js";
import { frameOpenedRow, nameHead, upTo, writeSymbolOf, type Parts } from "./strips.js";

/** The greatest width of a cell. */
const WIDEST = 36;
/** The heights over W_Q, from W_Q to Q, and under Q, and the gap between the parts of Q. */
const CUT = { above: 4, between: 24, below: 4, gap: 24 };

/**
 * The handle on the boundary between the first two heads, under the columns of W_Q that begin at `left`: dragged to another divisor of the
 * width, it changes the number of heads.
 */
function addBoundaryRail(parts: Parts, left: number, y: number, cell: number): void {
  const { config, room, scene, words, of } = parts;
  const { heads, dim } = config.numbers;
  const marks = headsToDrag(config.numbers, room.layout).map((value) => ({ value }));
  if (marks.length < 2) return;
  const xOf = (count: number): number => left + (dim / count) * cell;
  addRail(
    scene,
    { x: xOf, bottom: y },
    {
      id: "heads",
      changes: { control: "heads" },
      name: words("labs.field.heads"),
      ends: [1, marks.at(-1)!.value],
      reciprocal: true,
      onlyMarks: true,
      unit: 1,
      marks,
      value: heads,
      reach: HANDLE.height / 2,
      ...(room.layout === "narrow" && { isSmall: true }),
      step: of("Q_heads").step,
    },
  );
}

/** Places W_Q and under it Q, cut into heads, between `left` and `right`, at most `height` high. Returns the y below them. */
export function placeCut(
  parts: Parts,
  top: number,
  [left, right]: readonly [number, number],
  height: number,
): number {
  const { config, item, names, of, scene, words, room } = parts;
  const { heads } = config.numbers;
  const [weights, query] = [of("W_Q"), of("Q_heads")];
  const label = labelWidth(names);
  const each = query.columns;
  const cell = Math.min(WIDEST, (right - left - label - (heads - 1) * CUT.gap - 8) / (heads * each));
  const hasWeights = showsWeights(config.numbers, room.layout);
  const rows = names.length + (hasWeights ? weights.rows : 0);
  const fixed = hasWeights ? CUT.above + CUT.between + CUT.below : CUT.between + CUT.below;
  const most = Math.min(22, (height - fixed) / rows);
  const high = most >= 12 ? Math.floor(most) : Math.max(2, most);
  const x = left + label;
  const xOf = (head: number): number => x + head * (each * cell + CUT.gap);
  const weightsX = x + ((heads - 1) * CUT.gap) / 2;
  let y = top;
  if (hasWeights) {
    y += CUT.above;
    place(scene, weights, weightsX, y, cell, high, { id: "W_Q" });
    writeSymbol(scene, weights, weightsX - 14, y + 16, { anchor: "end" });
    const shape = `${weights.rows}×${weights.columns}`;
    writeOn(scene, "shape", weightsX - 14, y + 34, shape, { anchor: "end", step: weights.step });
    y += weights.rows * high;
  }
  const boundary = y;
  y += CUT.between;
  const foot = y + names.length * high;
  for (const head of upTo(heads)) {
    const slice = place(scene, { ...query, at: [item, head, null, null] }, xOf(head), y, cell, high, {
      id: `Q_heads-${head}`,
      ...(head === 0 && { rowNames: names }),
    });
    const nameWidth = textWidth(words("labs.head", { n: head }), 13.5);
    // The handle of the boundary stands between the names.
    const hasName = each * cell >= nameWidth + 100;
    const half = hasName ? (nameWidth + 34) / 2 : 10;
    const start = xOf(head) + (heads > 2 && head === 1 ? each * cell - 22 : (each * cell) / 2 - half);
    writeSymbolOf(parts, "Q_heads", head, start, y - 7);
    if (hasName) nameHead(parts, head, start + 34, y - 8, query.step);
    if (high >= 6) frameOpenedRow(parts, `query-${head}`, "query", slice, each);
    if (head === 0) continue;
    const end = xOf(head) - CUT.gap / 2;
    const points: Point[] = [
      [end, y - 4],
      [end, foot + 6],
    ];
    if (hasWeights) points.unshift([weightsX + head * each * cell, boundary + 4]);
    drawOn(scene, `boundary-${head}`, "attention", "dashed", points, { step: query.step });
  }
  if (hasWeights) addBoundaryRail(parts, weightsX, boundary + CUT.between / 2, cell);
  return foot + CUT.below;
}
