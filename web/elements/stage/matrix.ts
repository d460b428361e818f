/**
 * The marks over and beside one matrix as SVG: brackets, caption, names of rows and columns, notice bars,
 * frames. DESIGN.md, section 4.
 */
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { Words } from "../../i18n/words.js";
import { rectangleOf, type Board, type Cell, type Rectangle } from "../../marks/board.js";
import type { Lighting } from "../../marks/lighting.js";
import {
  boardRectangle,
  coverPlace,
  bracketPaths,
  captionPlace,
  enlarged,
  placedColumnNames,
  placedRowNames,
  targetPlaces,
  type PlacedName,
} from "../../marks/matrix-lines.js";
import type { Run } from "../../marks/plane.js";
import type { Role } from "../../marks/scene.js";
import { subscripted, symbolText } from "./letters.js";

/** Brackets in the role's colour, double for parameters, with bars at rows that may look at nothing. */
export function brackets(board: Board): SVGTemplateResult | typeof nothing {
  const paths = bracketPaths(board);
  if (!board.tensor || !paths) return nothing;
  const bars = paths.bars.map((bar) => svg`<path class="notice-bar" d=${bar} />`);
  return svg`<g class=${board.tensor.placed.role}><path class="bracket" d=${paths.bracket} /></g>${bars}`;
}

/** The caption of a matrix: symbol, plain name and sizes, above or below the cells. */
export function caption(
  board: Board,
  lit: boolean,
  words: Words,
  point: (node: string | null) => void,
  take: ((board: Board, at: DOMRect) => void) | null,
): SVGTemplateResult | typeof nothing {
  const place = captionPlace(board, words);
  if (!board.tensor || !place) return nothing;
  const { placed } = board.tensor;
  const { left, right, baseline, symbolWidth, shape, name, nameX, nameY, penX, byHand, handX, handY } = place;
  const open = (event: Event): void =>
    take?.(board, (event.currentTarget as Element).getBoundingClientRect());
  return svg`<g class="caption ${placed.role} ${take ? "takes" : ""}" @pointerenter=${() => point(placed.node)} @pointerleave=${() => point(null)} @click=${open}>
    ${take ? svg`<title>${words("note.take")}</title>` : nothing}
    <text class="symbol" x=${left} y=${baseline}>${symbolText(placed.symbol)}</text>
    ${lit ? svg`<path class="underline" d="M${left} ${baseline + 5}h${symbolWidth}" />` : nothing}
    ${shape ? svg`<text class="shape" x=${right} y=${baseline}>${subscripted(shape)}</text>` : nothing}
    ${name ? svg`<text class="name" x=${nameX} y=${nameY}>${name}</text>` : nothing}
    ${placed.paintable ? svg`<path class="pen" transform="translate(${penX} ${nameY - 11}) scale(0.6)" d="M2.500 17.500 3.500 13.500 14 3l3 3L6.500 16.500zM12 5l3 3" />` : nothing}
    ${byHand ? svg`<text class="name by-hand" x=${handX} y=${handY}>${byHand}</text>` : nothing}
  </g>`;
}

/** The symbol under a thumbnail, underlined in the role's colour if the tensor is highlighted. */
export function thumbnailCaption(board: Board, lit: boolean): SVGTemplateResult | typeof nothing {
  if (!board.tensor || board.tensor.placed.caption === "none") return nothing;
  const { x, y, width, height } = boardRectangle(board);
  const { role, symbol } = board.tensor.placed;
  const baseline = y + height + 16;
  return svg`<g class=${role}>
    <text class="thumbnail-symbol middle ${lit ? "lit" : ""}" x=${x + width / 2} y=${baseline}>${symbolText(symbol)}</text>
    ${lit ? svg`<path class="underline" d="M${x} ${baseline + 8}h${width}" />` : nothing}
  </g>`;
}

function name({ text, cut, x, y, on, kind, turn }: PlacedName): SVGTemplateResult {
  const turned = turn ? `rotate(${turn.degrees} ${turn.x} ${turn.y})` : nothing;
  return svg`<text class="${kind} ${on ? "on" : ""}" x=${x} y=${y} transform=${turned}>${cut}${
    cut === text ? nothing : svg`<title>${text}</title>`
  }</text>`;
}

/** Row names on the left, within `room`: as many as do not overlap, and always the highlighted one. */
export function rowNames(board: Board, on: number | null, room: number): SVGTemplateResult[] {
  return placedRowNames(board, on, room).map(name);
}

/** Column names above: horizontal if all of them fit, else all tilted or vertical. */
export function columnNamesOf(board: Board, on: number | null): SVGTemplateResult[] {
  return placedColumnNames(board, on).map(name);
}

/** A frame whose line has a margin of background on both sides. */
export function frame(rectangle: Rectangle, kind: Role | "ink", thin = false): SVGTemplateResult {
  const { x, y, width, height } = rectangle;
  const weight = thin ? "thin" : "";
  return svg`<g class=${kind === "ink" ? "" : kind}>
    <rect class="halo ${weight}" x=${x} y=${y} width=${width} height=${height} rx="3" />
    <rect class="frame ${weight} ${kind === "ink" ? "ink" : ""}" x=${x} y=${y} width=${width} height=${height} rx="3" />
  </g>`;
}

/** The frame of the target; in a map of tiny cells also its whole row and column. A pinned target has a wedge. */
export function targetFrame(board: Board, run: Run, pinned: boolean): SVGTemplateResult {
  const { cell, lines, wedge } = targetPlaces(board, run);
  return svg`${lines.map((line) => frame(line, "ink", true))}${frame(cell, "ink")}${
    pinned ? svg`<path class="wedge" d=${wedge} />` : nothing
  }`;
}

/** The cover of a number that the reader is to guess: it hides the colour of the cell as well. Nothing on a board without the cell. */
export function cover(board: Board, covered: Cell): SVGTemplateResult | typeof nothing {
  const place = coverPlace(board, covered);
  if (!place) return nothing;
  const { x, y, width, height } = place.cell;
  return svg`<g class="cover">
    <rect x=${x} y=${y} width=${width} height=${height} />
    <text class="middle ${place.isBeside ? "beside" : ""}" x=${place.x} y=${place.baseline} font-size=${place.size}>?</text>
  </g>`;
}

/** The frames on one board: of highlighted runs, of the tensor that the formula points at, of an operand, of the target. */
export function frames(
  board: Board,
  lighting: Lighting,
  options: { lit: boolean; operand: Run | null; origin: Run | null; pinned: boolean },
): SVGTemplateResult {
  const role = board.tensor?.placed.role ?? "activation";
  const runs = lighting.sources.get(board.id) ?? [];
  const { target, twins } = lighting;
  return svg`${options.lit ? frame(boardRectangle(board), role) : nothing}
    ${runs.map((run) => frame(enlarged(rectangleOf(board, run)), role))}
    ${twins.filter((twin) => twin.board === board).map((twin) => frame(enlarged(rectangleOf(board, twin.run)), "ink", true))}
    ${options.origin ? frame(enlarged(rectangleOf(board, options.origin)), "ink", true) : nothing}
    ${options.operand ? frame(enlarged(rectangleOf(board, options.operand)), "ink", true) : nothing}
    ${target?.board === board ? targetFrame(board, target.run, options.pinned) : nothing}`;
}
