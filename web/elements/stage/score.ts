/**
 * The marks behind the matrices: row guides, wires, leaders, operators, legends, labels, curves. DESIGN.md,
 * section 4.
 */
import { nothing, svg, type SVGTemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import type { Board } from "../../marks/board.js";
import { cssColour, type Palette } from "../../marks/colour.js";
import type { Leader, Lighting } from "../../marks/lighting.js";
import { textWidth } from "../../marks/measure.js";
import type { Curve, Label, Legend, Operator, Scene, Wire } from "../../marks/scene.js";
import {
  curvePath,
  guidePaths,
  isWireLit,
  legendPlace,
  legendStops,
  operatorPath,
  TICK_ROOM,
  tickPath,
  wirePath,
} from "../../marks/score-lines.js";
import type { Words } from "../../i18n/words.js";
import { styleMap } from "../style-map.js";
import { subscripted, symbolText } from "./letters.js";

/** Thin lines between the rows of tensors that stand side by side. */
export function guideLines(boards: readonly Board[]): SVGTemplateResult[] {
  return guidePaths(boards).map((path) => svg`<path class="guide" d=${path} />`);
}

export function wireLines(scene: Scene, lighting: Lighting): SVGTemplateResult[] {
  // Highlighted wires come last, so that they cross over the others.
  const lit = (wire: Wire): boolean => isWireLit(wire, lighting);
  return [...scene.wires]
    .sort((a, b) => Number(lit(a)) - Number(lit(b)))
    .map(
      (wire) => svg`<path class="wire ${wire.role} ${lit(wire) ? "lit" : ""}" d=${wirePath(wire.points)} />`,
    );
}

export function leaderLines(list: readonly Leader[]): SVGTemplateResult[] {
  return list.map(
    ({ from, to, role }) => svg`<path class="leader ${role}" d="M${from[0]} ${from[1]}L${to[0]} ${to[1]}" />`,
  );
}

/**
 * An arrow on the row line with the name of an operation; it can have the focus, and pointing at it points at
 * the node it computes.
 */
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
    <path d=${operatorPath(item)} />
    <text x=${middle} y=${y - 9}>${subscripted(over)}${
      // One text element, so that it is read as one word.
      under ? svg`<tspan x=${middle} y=${y + 18}>${subscripted(under)}</tspan>` : nothing
    }</text>
  </g>`;
}

/**
 * The legend of a family's colours: a rule that spans its tensors, the colours with their ends, and the
 * names. `domain` is null when each tensor has its own scale.
 */
export function legendTemplate(
  item: Legend,
  domain: number | null,
  palette: Palette,
  words: Words,
  id: string,
): SVGTemplateResult {
  const { x, y, width, fill } = item;
  const { least, largest, text, barX, barWidth, largestX, textX } = legendPlace(item, domain, words);
  const colours = legendStops(fill, palette);
  const stops = colours.map(
    (colour, at) => svg`<stop offset=${at / (colours.length - 1)} stop-color=${cssColour(colour)} />`,
  );
  return svg`<g class="legend">
    <linearGradient id=${id}>${stops}</linearGradient>
    ${item.bare ? nothing : svg`<path d="M${x} ${y}H${x + width}" />`}
    <text x=${x} y=${y + 20}>${least}</text>
    <rect class="ramp" x=${barX} y=${y + 12} width=${barWidth} height="8" fill="url(#${id})" />
    <text x=${largestX} y=${y + 20}>${largest}</text>
    ${text ? svg`<text x=${textX} y=${y + 20}>${text}</text>` : nothing}
  </g>`;
}

const LABEL_CLASS: Record<Label["kind"], string> = {
  axis: "",
  caption: "caption-text",
  shape: "shape-text",
  symbol: "symbol",
  heading: "heading",
  large: "heading large",
  match: "match",
  word: "word",
  code: "code",
};

export function label(item: Label): SVGTemplateResult {
  const { x, y, kind } = item;
  const anchor = item.anchor === "end" ? "end" : item.anchor === "middle" ? "middle" : "";
  const role = item.role ?? (kind === "symbol" ? "activation" : "");
  const tick = kind === "match";
  return svg`${tick ? svg`<path class="tick" d=${tickPath(x, y)} />` : nothing}<text
    class="label ${LABEL_CLASS[kind]} ${anchor} ${role} ${item.role ? "tinted" : ""} ${item.over ? "over" : ""} ${item.strong ? "strong" : ""}" style=${styleMap({ fontSize: item.size && `${item.size}px` })} x=${tick ? x + TICK_ROOM : x} y=${y} transform=${item.turned ? `rotate(-90 ${x} ${y})` : nothing}>${item.symbol ? symbolText(item.symbol) : kind === "code" ? item.text : subscripted(item.text)}</text>`;
}

const begun = new WeakSet<Element>();

/** Begins a motion once, when its dot is first drawn: after this update, when the dot is in the document and has a clock. */
function begin(element?: Element): void {
  if (!element || begun.has(element)) return;
  begun.add(element);
  queueMicrotask(() => (element as SVGAnimationElement).beginElement());
}

/** Moves a dot, in straight lines from station to station, to where it is drawn. */
function motion(stations: NonNullable<Curve["motion"]>): SVGTemplateResult {
  const [[endX, endY], whole] = [stations.at(-1)!.point, stations.at(-1)!.time];
  const values = stations.map(({ point: [x, y] }) => `${(x - endX).toFixed(1)} ${(y - endY).toFixed(1)}`);
  const times = stations.map(({ time }) => (time / whole).toFixed(5));
  return svg`<animateTransform ${ref(begin)} attributeName="transform" type="translate" begin="indefinite"
    dur="${whole}ms" values=${values.join(";")} keyTimes=${times.join(";")} />`;
}

const prefersStillness = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A line through a node's values; of its dots, number `on`, that of the target, is drawn large. */
export function curve(item: Curve, on: number): SVGTemplateResult {
  const size = !item.dots || item.dots === true ? 1.6 : 4;
  const dots = item.points.flatMap(([x, y], at) =>
    item.dots || at === on
      ? [
          svg`<circle class="dot ${item.dots === "open" ? "open" : ""}" cx=${x} cy=${y} r=${at === on ? (size === 4 ? 5.5 : 4) : size}>${item.motion && !prefersStillness() ? motion(item.motion) : nothing}</circle>`,
        ]
      : [],
  );
  const path = curvePath(item);
  const up = item.pathUp ? `translate(0 ${-item.pathUp})` : nothing;
  const round = item.over === true ? svg`<path class="round" transform=${up} d=${path} />` : nothing;
  return svg`<g class="${item.role} ${item.over ? "over" : ""}">${round}<path class="curve ${item.kind} ${item.strong ? "strong" : ""}" style=${styleMap({ strokeWidth: item.width })} transform=${up} d=${path} />${dots}</g>`;
}
