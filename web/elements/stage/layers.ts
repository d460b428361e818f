/**
 * The layers of a stage, from back to front: lines, row names that stay in place, captions and frames, grids,
 * buttons of a strip.
 */
import { html, nothing, svg, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { Words } from "../../i18n/words.js";
import { sameCell, type Board, type Cell, type Place } from "../../marks/board.js";
import type { Palette } from "../../marks/colour.js";
import type { Lighting } from "../../marks/lighting.js";
import { hasLeftmostRowNames, namesOn } from "../../marks/matrix-lines.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import type { NodeWords } from "../../marks/wording.js";
import { grid, isWhole, movingParts } from "./grid.js";
import { imageFrames } from "./image.js";
import { brackets, caption, columnNamesOf, cover, frames, rowNames, thumbnailCaption } from "./matrix.js";
import { curve, guideLines, label, leaderLines, legendTemplate, operator, wireLines } from "./score.js";
import { styleMap } from "../style-map.js";

/** The inputs of a picture of the stage. */
export interface StageView {
  scene: Scene;
  snapshots: Snapshots;
  boards: readonly Board[];
  lighting: Lighting;
  palette: Palette;
  words: Words;
  nodeWords: ((node: string) => NodeWords) | null;
  /** The largest magnitude of each family of tensors; null when each tensor has its own scale. */
  domains: ReadonlyMap<string, number> | null;
  lit: readonly string[];
  cell: Cell | null;
  operand: Cell | null;
  /** The cell whose gradient is drawn. */
  origin: Cell | null;
  /** The cell whose number is covered. */
  covered: Cell | null;
  pinned: boolean;
  /** Whether the numbers change many times a second, as while a run trains. */
  isMoving: boolean;
  thumbnails: boolean;
  /** The number of cells of a board that are computed so far. */
  shown: (board: Board) => number;
  /** The tab stop of a board. */
  place: (board: Board) => Place;
  point: (node: string | null) => void;
  /** Opens the menu of a tensor; null where there is no menu. */
  take: ((board: Board, at: DOMRect) => void) | null;
}

export function box(x: number, y: number, width: number, height: number): Record<string, string> {
  return { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
}

/** The canvases of images and matrices; the stage draws on them once they are rendered. */
export function canvases({ scene, boards }: StageView): TemplateResult {
  return html`${repeat(
    scene.images,
    (image) => image.id,
    ({ id, x, y, size }) =>
      html`<canvas data-image=${id} aria-hidden="true" style=${styleMap(box(x, y, size, size))}></canvas>`,
  )}${repeat(
    boards.filter((board) => board.tensor),
    (board) => board.id,
    (board) => {
      const size = box(board.x, board.y, board.columns * board.cellWidth, board.rows * board.cellHeight);
      return html`<canvas data-tensor=${board.id} aria-hidden="true" style=${styleMap(size)}></canvas>`;
    },
  )}`;
}

/** The layer behind the matrices. */
export function score(view: StageView): TemplateResult {
  const { scene, boards, lighting, palette, words, domains, lit, point } = view;
  const domain = (family: string): number | null => (domains ? (domains.get(family) ?? 1) : null);
  return html`<svg class="layer behind" width=${scene.width} height=${scene.height}>
    ${guard([boards, view.thumbnails], () => (view.thumbnails ? nothing : guideLines(boards)))}
    ${wireLines(scene, lighting)} ${leaderLines(lighting.leaders)}
    ${scene.operators.map((item) => operator(item, lit.includes(item.node), point))}
    ${scene.legends.map((item, at) => {
      const end = domain(item.family);
      return guard([item, end, palette, words], () =>
        legendTemplate(item, end, palette, words, `ramp-${at}`),
      );
    })}
    ${guard([scene.labels], () => scene.labels.filter((item) => !item.over).map(label))}
    ${curves(view, false)}
  </svg>`;
}

/** The curves behind the matrices, or those over them. */
function curves({ scene, cell, boards, shown }: StageView, over: boolean): unknown[] {
  return scene.curves
    .filter((item) => Boolean(item.over) === over)
    .map((item) => {
      // A dot that moves waits until Play computes the node of its cell: then it is drawn anew, and moves again.
      const node = item.motion && item.cells?.[0]?.node;
      if (boards.some((board) => board.node === node && shown(board) === 0)) return nothing;
      const on = cell ? (item.cells?.findIndex((other) => sameCell(other, cell)) ?? -1) : -1;
      return guard([item, on], () => curve(item, on));
    });
}

export function nameColumn({
  scene,
  boards,
  lighting,
  thumbnails,
}: StageView): TemplateResult | typeof nothing {
  const leftmost = boards.filter((board) => hasLeftmostRowNames(board, boards));
  if (leftmost.length === 0 || thumbnails) return nothing;
  const width = Math.max(0, Math.min(...leftmost.map((board) => board.x)) - 9);
  return html`<div class="names" aria-hidden="true" style=${styleMap({ width: `${width}px` })}>
    <svg width=${width} height=${scene.height}>
      ${leftmost.map((board) => {
        const { row } = namesOn(board, lighting);
        return guard([board, row], () => rowNames(board, row, board.x));
      })}
    </svg>
  </div>`;
}

/** The layer over the matrices: brackets, captions and names. */
export function bracketsAndNames(view: StageView): TemplateResult {
  const { scene, boards, lighting, words, lit, thumbnails, point, take } = view;
  return html`<svg class="layer front" aria-hidden="true" width=${scene.width} height=${scene.height}>
    ${boards.map((board) => {
      const isLit = lit.includes(board.node);
      if (thumbnails) return guard([board, isLit], () => thumbnailCaption(board, isLit));
      const { row, column } = namesOn(board, lighting);
      const leftmost = hasLeftmostRowNames(board, boards);
      return guard([board, isLit, words, row, column, leftmost], () => {
        const rows = leftmost ? nothing : rowNames(board, row, Infinity);
        return svg`${brackets(board)}${caption(board, isLit, words, point, take)}${rows}${columnNamesOf(board, column)}`;
      });
    })}
    ${curves(view, true)} ${guard([scene.labels], () => scene.labels.filter((item) => item.over).map(label))}
  </svg>`;
}

/** The top layer: the frames, which move with the pointer, without any other line. */
export function framesOver(view: StageView): TemplateResult {
  const { scene, snapshots, boards, lighting, lit, operand, origin, covered, pinned, thumbnails } = view;
  return html`<svg class="layer" aria-hidden="true" width=${scene.width} height=${scene.height}>
    ${guard([scene.images, snapshots], () => scene.images.map((image) => imageFrames(image, snapshots)))}
    ${covered ? boards.map((board) => cover(board, covered)) : nothing}
    ${boards.map((board) =>
      frames(board, lighting, {
        lit: !thumbnails && lit.includes(board.node),
        operand: operand && board.run(operand.node, operand.index, operand.index),
        origin: origin && board.run(origin.node, origin.index, origin.index),
        pinned,
      }),
    )}
  </svg>`;
}

/** One grid per tensor, in the order of the scene, which is the order of the graph. */
export function grids(view: StageView): TemplateResult {
  const { boards, words, nodeWords, covered, isMoving } = view;
  return html`${repeat(
    boards.filter((board) => board.stop),
    (board) => board.id,
    (board) => {
      const place = view.place(board);
      const shown = view.shown(board);
      // nodeWords returns the same as long as board and words are the same, even if it is another function.
      const parts = isMoving
        ? movingParts({ board, nodeWords, words, covered })
        : [board, shown, words, covered];
      return guard([...parts, isWhole(board) ? -1 : place[0]], () =>
        grid({ board, place, shown, words, nodeWords, covered, isMoving }),
      );
    },
  )}`;
}

/** The buttons of a strip, one per tensor. */
export function thumbnailButtons(view: StageView, go: (node: string) => void): TemplateResult[] {
  return view.boards.map((board) => {
    const name = view.nodeWords?.(board.node).name || board.tensor?.placed.name || board.node;
    // High enough for a finger, and extended to both sides when there are few columns.
    const width = board.columns * board.cellWidth;
    const beside = Math.max(0, 24 - width) / 2;
    const size = box(board.x - beside, board.y - 4, width + 2 * beside, board.rows * board.cellHeight + 32);
    const choose = (): void => go(board.node);
    return html`<button
      class="thumbnail"
      aria-label=${name}
      style=${styleMap(size)}
      @click=${choose}
    ></button>`;
  });
}
