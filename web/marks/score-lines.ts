/** The positions of lines and texts behind the matrices: row guides, wires, operators, legends, ticks, curves. See DESIGN.md, section 4. */
import type { Words } from "../i18n/words.js";
import type { Board } from "./board.js";
import { rampOf, type Palette, type Rgb } from "./colour.js";
import type { Lighting } from "./lighting.js";
import { textWidth } from "./measure.js";
import { formatNote } from "./numbers.js";
import type { Curve, Fill, Legend, Operator, Wire } from "./scene.js";

/** Rows closer than this have no guides between them. */
const LEAST_GUIDED = 12;

/** Thin lines between the rows of matrices that stand side by side at one height, if one of them has row names. */
export function guidePaths(boards: readonly Board[]): string[] {
  const systems = new Map<string, Board[]>();
  for (const board of boards) {
    if (!board.tensor || board.cellHeight < LEAST_GUIDED) continue;
    const key = `${board.y}|${board.cellHeight}|${board.rows}`;
    systems.set(key, [...(systems.get(key) ?? []), board]);
  }
  return [...systems.values()]
    .filter((system) => system.length > 1 && system.some((board) => board.tensor?.placed.rowNames))
    .flatMap((system) => {
      const left = Math.min(...system.map((board) => board.x));
      const right = Math.max(...system.map((board) => board.x + board.columns * board.cellWidth));
      const { y, cellHeight, rows } = system[0] as Board;
      return Array.from({ length: rows + 1 }, (_, row) => `M${left} ${y + row * cellHeight}H${right}`);
    });
}

/** The path of a wire, with right angles of radius 4. */
export function wirePath(points: readonly [number, number][], radius = 4): string {
  return points
    .map(([x, y], at) => {
      const before = points[at - 1];
      const after = points[at + 1];
      if (!before) return `M${x} ${y}`;
      if (!after) return `L${x} ${y}`;
      const toward = ([toX, toY]: [number, number]): [number, number] => {
        const length = Math.hypot(toX - x, toY - y) || 1;
        const reach = Math.min(radius, length / 2);
        return [x + ((toX - x) / length) * reach, y + ((toY - y) / length) * reach];
      };
      const [startX, startY] = toward(before);
      const [endX, endY] = toward(after);
      return `L${startX} ${startY}Q${x} ${y} ${endX} ${endY}`;
    })
    .join("");
}

/** A wire is highlighted if the cells at its end are, or if the target is at its end and was computed from its start. */
export function isWireLit(wire: Wire, lighting: Lighting): boolean {
  const target = lighting.target?.board;
  if (lighting.sources.has(wire.to)) return true;
  return target?.id === wire.to && lighting.sources.has(wire.from);
}

/** The path of an operator's thin arrow. */
export function operatorPath({ x, y, width }: Operator): string {
  return `M${x} ${y}H${x + width}m-4 -3.500 4 3.500 -4 3.500`;
}

/** The width of a legend's bar, its least width if the text needs the room, and its number of colours. */
const LEGEND_BAR = 96;
const LEGEND_SHORT = 40;
const LEGEND_STOPS = 32;

/** The end of a scale with at most three digits: "32.5". */
function endOf(domain: number): string {
  return formatNote(Number(domain.toPrecision(3))).replace(/(\.\d*[1-9])0+$/, "$1");
}

/** The texts of a legend and the positions of texts and bar. */
export interface LegendPlace {
  least: string;
  largest: string;
  /** Empty if there is no room for it. */
  text: string;
  barX: number;
  barWidth: number;
  largestX: number;
  textX: number;
}

/**
 * The positions of a family's scale: a rule, a bar of colours with the numbers at its ends, and the text. `domain` is null if each
 * tensor has its own scale.
 */
export function legendPlace(item: Legend, domain: number | null, words: Words): LegendPlace {
  const { x, width, fill } = item;
  const positive = fill === "probability";
  const whole = positive && !item.stretched;
  const largest = whole ? "1" : domain === null ? words("stage.largest") : endOf(domain);
  const least = positive ? "0" : `\u2212${largest}`;
  const own = domain === null && !positive ? words("stage.ownScale") : item.text;
  const ends = textWidth(least) + textWidth(largest) + 12;
  const narrowest = ends + LEGEND_SHORT + 12;
  const text = item.short && narrowest + textWidth(own) > width ? item.short : own;
  const room = width - ends - (text ? textWidth(text) + 12 : 0);
  const barWidth = Math.max(LEGEND_SHORT, Math.min(LEGEND_BAR, room));
  const barX = x + textWidth(least) + 6;
  const largestX = barX + barWidth + 6;
  const textX = largestX + textWidth(largest) + 12;
  const fits = textX + textWidth(text) <= x + width + 24;
  return { least, largest, text: fits ? text : "", barX, barWidth, largestX, textX };
}

/** The colours of a legend's bar at equal distances. */
export function legendStops(fill: Fill, palette: Palette): Rgb[] {
  const ramp = rampOf(fill, palette);
  return Array.from({ length: LEGEND_STOPS + 1 }, (_, at) => {
    const part = at / LEGEND_STOPS;
    return ramp(fill === "probability" ? part : 2 * part - 1);
  });
}

/** The tick before a label, and how far it moves the label. */
export const TICK_ROOM = 17;
export function tickPath(x: number, y: number): string {
  return `M${x} ${y - 4}l3.500 3.500 6.500 -8`;
}

export function curvePath({ points, path }: Curve): string {
  return path ?? points.map(([x, y], at) => `${at ? "L" : "M"}${x} ${y}`).join("");
}
