/** What stands over and beside one matrix: brackets, caption, names of rows and columns, notice bars, frames. Visual design section 4. */
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { Board, Rectangle } from "../marks/board.js";
import { rectangleOf } from "../marks/board.js";
import type { Lighting } from "../marks/lighting.js";
import { columnNames, cutName, nameEvery, textWidth } from "../marks/measure.js";
import { formatShape } from "../marks/numbers.js";
import type { Run } from "../marks/plane.js";
import type { Role } from "../marks/scene.js";
import type { Words } from "../i18n/words.js";
import { subscripted, subscriptedWidth, symbolText, symbolWidth } from "./stage-letters.js";

/** Brackets stand this far from the cells, their hooks are as long, and a parameter's second line is 3 px farther out. */
const BRACKET = 5;
const DOUBLE = 3;
/** Row names end this far left of the cells. */
const ROW_NAME = 14;

function boardRectangle(board: Board): Rectangle {
  return {
    x: board.x,
    y: board.y,
    width: board.columns * board.cellWidth,
    height: board.rows * board.cellHeight,
  };
}

/** Brackets in the role's colour, double for parameters, with bars at rows that have nothing to look at. */
export function brackets(board: Board): SVGTemplateResult | typeof nothing {
  if (!board.tensor) return nothing;
  const { x, y, width, height } = boardRectangle(board);
  const { role, fill, emptyRows } = board.tensor.placed;
  const top = y - 3;
  const bottom = y + height + 3;
  const left = x - BRACKET;
  const right = x + width + BRACKET;
  const single = `M${left + BRACKET} ${top}H${left}V${bottom}H${left + BRACKET}M${right - BRACKET} ${top}H${right}V${bottom}H${right - BRACKET}`;
  const second =
    fill === "parameter" ? `M${left - DOUBLE} ${top}V${bottom}M${right + DOUBLE} ${top}V${bottom}` : "";
  const bar = Math.min(18, board.cellHeight - 4);
  return svg`<g class=${role}><path class="bracket" d=${single + second} /></g>${emptyRows?.map((row) => {
    const middle = y + (row + 0.5) * board.cellHeight;
    return svg`<path class="notice-bar" d="M${left} ${middle - bar / 2}v${bar}M${right} ${middle - bar / 2}v${bar}" />`;
  })}`;
}

/** Symbol, plain name, sizes and letters, above or below the cells. */
export function caption(
  board: Board,
  lit: boolean,
  words: Words,
  point: (node: string | null) => void,
): SVGTemplateResult | typeof nothing {
  if (!board.tensor || board.tensor.placed.caption === "none") return nothing;
  const { placed, snapshot } = board.tensor;
  const { x, y, width, height } = boardRectangle(board);
  const left = x - BRACKET;
  const right = x + width + BRACKET;
  const above = placed.caption === "above";
  const names = above && placed.columnNames ? columnNames(placed.columnNames, board.cellWidth).height : 0;
  const baseline = above ? y - 11 - names : y + height + 23;
  const symbol = symbolWidth(placed.symbol);
  const sizes = formatShape([board.rows, board.columns]);
  const full = placed.letters ? `${sizes}  ${placed.letters}` : sizes;
  const byHand = snapshot.edited.length > 0 ? words("stage.byHand", { count: snapshot.edited.length }) : "";
  // Above, the name stands on the symbol's line; below, on its own.
  const beside = above ? textWidth(placed.name, 12.5) + (byHand ? textWidth(byHand, 12.5) + 10 : 0) + 10 : 0;
  const room = right - left - symbol - beside - 4;
  const shape = [full, sizes].find((text) => subscriptedWidth(text, 12.5) <= room);
  const nameX = above ? left + symbol + 10 : left;
  const nameY = above ? baseline : baseline + 17;
  const penX = placed.name ? nameX + textWidth(placed.name, 12.5) + 7 : left + symbol + 8;
  const handX = placed.name ? nameX + textWidth(placed.name, 12.5) + 10 : nameX;
  return svg`<g class="caption ${placed.role}" @pointerenter=${() => point(placed.node)} @pointerleave=${() => point(null)}>
    <text class="symbol" x=${left} y=${baseline}>${symbolText(placed.symbol)}</text>
    ${lit ? svg`<path class="underline" d="M${left} ${baseline + 5}h${symbol}" />` : nothing}
    ${shape ? svg`<text class="shape" x=${right} y=${baseline}>${subscripted(shape)}</text>` : nothing}
    ${placed.name ? svg`<text class="name" x=${nameX} y=${nameY}>${placed.name}</text>` : nothing}
    ${placed.paintable ? svg`<path class="pen" transform="translate(${penX} ${nameY - 11}) scale(0.6)" d="M2.500 17.500 3.500 13.500 14 3l3 3L6.500 16.500zM12 5l3 3" />` : nothing}
    ${byHand ? svg`<text class="name by-hand" x=${handX} y=${nameY}>${byHand}</text>` : nothing}
  </g>`;
}

/** Under a thumbnail: its symbol, and a line in the role's colour when it takes part. */
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

/** The rows and columns whose names are set bold: those of the target and of what lies in line with it, and those of lit runs. */
export function namesOn(board: Board, lighting: Lighting): { row: number | null; column: number | null } {
  const on: { row: number | null; column: number | null } = { row: null, column: null };
  const take = (run: Run): void => {
    if (run.top === run.bottom) on.row = run.top;
    if (run.left === run.right) on.column = run.left;
  };
  for (const run of lighting.sources.get(board.id) ?? []) take(run);
  const { target } = lighting;
  if (!target) return on;
  if (target.board === board) take(target.run);
  else if (
    on.row === null &&
    target.board.y === board.y &&
    target.board.cellHeight === board.cellHeight &&
    target.board.rows === board.rows
  ) {
    on.row = target.run.top;
  }
  return on;
}

/** Widths are estimates: a name is cut further only when it is surely wider than its room. */
const SLACK = 1.1;

/** Cut further where the room is less than nine characters need. */
function cutTo(text: string, room: number): string {
  let characters = Array.from(cutName(text));
  while (characters.length > 1 && textWidth(characters.join("")) > room * SLACK) {
    characters = [...characters.slice(0, characters.at(-1) === "…" ? -2 : -1), "…"];
    if (characters.length === 2) break;
  }
  return characters.join("");
}

function name(
  text: string,
  cut: string,
  x: number,
  y: number,
  on: boolean,
  kind: string,
  turn: string | null,
): SVGTemplateResult {
  return svg`<text class="${kind} ${on ? "on" : ""}" x=${x} y=${y} transform=${turn ?? nothing}>${cut}${
    cut === text ? nothing : svg`<title>${text}</title>`
  }</text>`;
}

/** Row names at the left, inside `room`: as many as stand apart, the lit one always. */
export function rowNames(board: Board, on: number | null, room: number): SVGTemplateResult[] {
  const every = nameEvery(board.cellHeight);
  return (board.tensor?.placed.rowNames ?? []).flatMap((text, row) => {
    const near = on !== null && row !== on && Math.abs(row - on) * board.cellHeight < 12;
    if (row >= board.rows || near || (row % every !== 0 && row !== on)) return [];
    const cut = cutTo(text, room - ROW_NAME);
    return [
      name(
        text,
        cut,
        board.x - ROW_NAME,
        board.y + (row + 0.5) * board.cellHeight + 4,
        row === on,
        "row-name",
        null,
      ),
    ];
  });
}

/** Column names above: level when each fits, else all tilted. */
export function columnNamesOf(board: Board, on: number | null): SVGTemplateResult[] {
  const names = board.tensor?.placed.columnNames ?? [];
  const { tilted, every } = columnNames(names, board.cellWidth);
  return names.flatMap((text, column) => {
    const near = on !== null && column !== on && Math.abs(column - on) < every;
    if (column >= board.columns || near || (column % every !== 0 && column !== on)) return [];
    const x = board.x + (column + 0.5) * board.cellWidth;
    const y = board.y - 9;
    // A single character is never tilted.
    const turned = tilted && Array.from(text).length > 1;
    return [
      name(
        text,
        cutName(text),
        x,
        y,
        column === on,
        turned ? "tilted" : "level",
        turned ? `rotate(-42 ${x - 3} ${y})` : null,
      ),
    ];
  });
}

/** A frame with paper on both sides of its line. */
export function frame(rectangle: Rectangle, kind: Role | "ink", thin = false): SVGTemplateResult {
  const { x, y, width, height } = rectangle;
  const weight = thin ? "thin" : "";
  return svg`<g class=${kind === "ink" ? "" : kind}>
    <rect class="halo ${weight}" x=${x} y=${y} width=${width} height=${height} rx="3" />
    <rect class="frame ${weight} ${kind === "ink" ? "ink" : ""}" x=${x} y=${y} width=${width} height=${height} rx="3" />
  </g>`;
}

/** At least six pixels wide and high, about the same middle: a frame round less would hide what it frames. */
function grown({ x, y, width, height }: Rectangle): Rectangle {
  const wide = Math.max(width, 6);
  const high = Math.max(height, 6);
  return { x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high };
}

/** The frame of the target; in a map of tiny cells its whole row and column too. A wedge when pinned. */
export function targetFrame(board: Board, run: Run, pinned: boolean): SVGTemplateResult {
  const whole = boardRectangle(board);
  const cell = grown(rectangleOf(board, run));
  const tiny = Math.min(board.cellWidth, board.cellHeight) < 3;
  const wedge = Math.min(9, cell.width / 3, cell.height / 3);
  return svg`${
    tiny
      ? svg`${frame({ ...grown(rectangleOf(board, { ...run, left: 0, right: 0 })), x: whole.x - 1, width: whole.width + 2 }, "ink", true)}
        ${frame({ ...grown(rectangleOf(board, { ...run, top: 0, bottom: 0 })), y: whole.y - 1, height: whole.height + 2 }, "ink", true)}`
      : nothing
  }${frame(cell, "ink")}${pinned ? svg`<path class="wedge" d="M${cell.x} ${cell.y}h${wedge}l${-wedge} ${wedge}z" />` : nothing}`;
}

/** Frames on one board: of lit runs in the role's colour, of the tensor a formula points at, of an operand, of the target. */
export function frames(
  board: Board,
  lighting: Lighting,
  options: { lit: boolean; operand: Run | null; earlier: Run | null; pinned: boolean },
): SVGTemplateResult {
  const role = board.tensor?.placed.role ?? "activation";
  const runs = lighting.sources.get(board.id) ?? [];
  const { target, twins } = lighting;
  return svg`${options.lit ? frame(boardRectangle(board), role) : nothing}
    ${runs.map((run) => frame(grown(rectangleOf(board, run)), role))}
    ${twins.filter((twin) => twin.board === board).map((twin) => frame(grown(rectangleOf(board, twin.run)), "ink", true))}
    ${options.earlier ? frame(grown(rectangleOf(board, options.earlier)), "ink", true) : nothing}
    ${options.operand ? frame(grown(rectangleOf(board, options.operand)), "ink", true) : nothing}
    ${target?.board === board ? targetFrame(board, target.run, options.pinned) : nothing}`;
}
