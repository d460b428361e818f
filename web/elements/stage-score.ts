/** What stands behind the matrices: row guides, wires, leaders, operators, legends, labels, curves. Visual design section 4. */
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { Board } from "../marks/board.js";
import { cssColour, rampOf, type Palette } from "../marks/colour.js";
import type { Leader, Lighting } from "../marks/lighting.js";
import { formatNote } from "../marks/numbers.js";
import type { Curve, Label, Legend, Operator, Scene, Wire } from "../marks/scene.js";
import { textWidth } from "../marks/measure.js";
import type { Words } from "../i18n/words.js";
import { subscripted } from "./stage-letters.js";

/** Rows nearer than this need no rule between them. */
const LEAST_GUIDED = 12;

/** A thin rule between the words of a system, right through its matrices: those at one height with those that name the rows. */
export function guides(boards: readonly Board[]): SVGTemplateResult[] {
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
      return Array.from(
        { length: rows + 1 },
        (_, row) => svg`<path class="guide" d="M${left} ${y + row * cellHeight}H${right}" />`,
      );
    });
}

/** Square turns of radius 4. */
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

/** A wire is lit when the cells at its far end are, or when the target is there and was made from its near end. */
export function isWireLit(wire: Wire, lighting: Lighting): boolean {
  const target = lighting.target?.board;
  if (lighting.sources.has(wire.to)) return true;
  return target?.id === wire.to && lighting.sources.has(wire.from);
}

export function wires(scene: Scene, lighting: Lighting): SVGTemplateResult[] {
  // Lit wires come last, so that they cross over those at rest.
  const lit = (wire: Wire): boolean => isWireLit(wire, lighting);
  return [...scene.wires]
    .sort((a, b) => Number(lit(a)) - Number(lit(b)))
    .map(
      (wire) => svg`<path class="wire ${wire.role} ${lit(wire) ? "lit" : ""}" d=${wirePath(wire.points)} />`,
    );
}

export function leaders(list: readonly Leader[]): SVGTemplateResult[] {
  return list.map(
    ({ from, to, role }) => svg`<path class="leader ${role}" d="M${from[0]} ${from[1]}L${to[0]} ${to[1]}" />`,
  );
}

/** An arrow on the row line with its name; it can be focused, and pointing at it points at the node it makes. */
export function operator(
  item: Operator,
  lit: boolean,
  point: (node: string | null) => void,
): SVGTemplateResult {
  const { x, y, width, over, under, node } = item;
  const middle = x + width / 2;
  const reach = Math.max(width, textWidth(over, 12.5), textWidth(under ?? "", 12.5)) / 2 + 3;
  return svg`<g class="operator ${lit ? "lit" : ""}" role="button" tabindex="0"
      @pointerenter=${() => point(node)} @pointerleave=${() => point(null)} @focus=${() => point(node)} @blur=${() => point(null)}>
    <rect class="reach" x=${middle - reach} y=${y - 24} width=${2 * reach} height=${under ? 48 : 32} rx="3" />
    <path d="M${x} ${y}H${x + width}m-4 -3.500 4 3.500 -4 3.500" />
    <text x=${middle} y=${y - 9}>${subscripted(over)}</text>
    ${under ? svg`<text x=${middle} y=${y + 18}>${subscripted(under)}</text>` : nothing}
  </g>`;
}

/** A legend's bar, and how short it gets where its text needs the room. */
const LEGEND_BAR = 96;
const LEGEND_SHORT = 40;
const LEGEND_STOPS = 32;

/** The end of a scale in at most three digits: "32.5". */
function endOf(domain: number): string {
  return formatNote(Number(domain.toPrecision(3))).replace(/(\.\d*?)0+$/, "$1");
}

/** The scale of a family: a rule that spans it, the colours with their ends, and who shares them. `domain` is null where each has its own. */
export function legend(
  item: Legend,
  domain: number | null,
  palette: Palette,
  words: Words,
  id: string,
): SVGTemplateResult {
  const { x, y, width, fill } = item;
  const ramp = rampOf(fill, palette);
  const positive = fill === "probability";
  const largest = positive ? "1" : domain === null ? words("stage.largest") : endOf(domain);
  const least = positive ? "0" : `\u2212${largest}`;
  const text = domain === null && !positive ? words("stage.ownScale") : item.text;
  const ends = textWidth(least) + textWidth(largest) + 12;
  const room = width - ends - (text ? textWidth(text) + 12 : 0);
  const bar = Math.max(LEGEND_SHORT, Math.min(LEGEND_BAR, room));
  const start = x + textWidth(least) + 6;
  const after = start + bar + 6;
  const textX = after + textWidth(largest) + 12;
  const stops = Array.from({ length: LEGEND_STOPS + 1 }, (_, at) => {
    const part = at / LEGEND_STOPS;
    return svg`<stop offset=${part} stop-color=${cssColour(ramp(positive ? part : 2 * part - 1))} />`;
  });
  return svg`<g class="legend">
    <linearGradient id=${id}>${stops}</linearGradient>
    <path d="M${x} ${y}H${x + width}" />
    <text x=${x} y=${y + 20}>${least}</text>
    <rect class="ramp" x=${start} y=${y + 12} width=${bar} height="8" fill="url(#${id})" />
    <text x=${after} y=${y + 20}>${largest}</text>
    ${text && textX + textWidth(text) <= x + width + 24 ? svg`<text x=${textX} y=${y + 20}>${text}</text>` : nothing}
  </g>`;
}

const LABEL_CLASS: Record<Label["kind"], string> = {
  axis: "",
  caption: "caption-text",
  shape: "shape-text",
  symbol: "symbol",
  heading: "heading",
  match: "match",
};

export function label(item: Label): SVGTemplateResult {
  const { x, y, kind } = item;
  const anchor = item.anchor === "end" ? "end" : item.anchor === "middle" ? "middle" : "";
  const role = item.role ?? (kind === "symbol" ? "activation" : "");
  const tick = kind === "match";
  return svg`${tick ? svg`<path class="tick" d="M${x} ${y - 4}l3.500 3.500 6.500 -8" />` : nothing}<text
    class="label ${LABEL_CLASS[kind]} ${anchor} ${role} ${item.role ? "tinted" : ""}" x=${tick ? x + 17 : x} y=${y}>${subscripted(item.text)}</text>`;
}

/** A line through a node's values; of its dots that of the target, number `on`, is drawn large. */
export function curve(item: Curve, on: number): SVGTemplateResult {
  const path = item.points.map(([x, y], at) => `${at ? "L" : "M"}${x} ${y}`).join("");
  const dots = item.dots
    ? item.points.map(([x, y], at) => svg`<circle class="dot" cx=${x} cy=${y} r=${at === on ? 4 : 1.6} />`)
    : nothing;
  return svg`<g class=${item.role}><path class="curve ${item.kind}" d=${path} />${dots}</g>`;
}
