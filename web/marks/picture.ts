/** Makes a picture of the stage, or of one tensor on it, for export. It depends only on the scene and its numbers. */
import type { Words } from "../i18n/words.js";
import { boardsOf, namesOf, sameCell, type Board, type Cell } from "./board.js";
import { drawingOf, formatsOf, veilOn, type CellFormats } from "./board-drawing.js";
import type { DrawnStage } from "./cell-copy.js";
import { cssColour, type Palette } from "./colour.js";
import { withoutCovered } from "./cover.js";
import { domainsOf, familyOf } from "./domains.js";
import { lightingOf, ofShownTarget, type Lighting, type Region } from "./lighting.js";
import { boardRectangle } from "./matrix-lines.js";
import { cutName, columnNames, textWidth } from "./measure.js";
import { framedPatches, imageShapes } from "./picture-image.js";
import { boardShapes, coverShapes, frameShapes, litShapes } from "./picture-matrix.js";
import { extentOf, legendShapes, overShapes, scoreShapes } from "./picture-score.js";
import type { Curve, PlacedTensor, Scene, Snapshots } from "./scene.js";
import type { PictureShapes, Shape } from "./shapes.js";
import { sceneUntil, shownCells, type Progress } from "./stops.js";
import type { NodeWords } from "./wording.js";

export interface PictureOptions {
  words: Words;
  palette: Palette;
  /** One colour scale per family, or one per tensor. */
  scales: "shared" | "own";
  title: string;
  /** The target, framed with its sources; null for none. */
  target: { cell: Cell; regions: readonly Region[] } | null;
  /** The cell whose number is covered. */
  covered?: Cell | null;
  /** How far Play has come; when absent, everything is drawn. */
  play?: Progress;
}

/** The margin of a picture. */
export const MARGIN = 24;

const dark: Lighting = { target: null, twins: [], sources: new Map(), leaders: [] };

/** Moves shapes by an offset. */
function moved(shapes: readonly Shape[], right: number, down: number): PictureShapes["shapes"] {
  return [{ kind: "moved", right, down, shapes }];
}

function matrixShape(
  board: Board,
  domain: number,
  formats: CellFormats,
  palette: Palette,
  shown = Infinity,
): Shape {
  const format = formats.get(board) ?? null;
  const drawing = drawingOf(board, { palette, domain, format, ratio: 1, shown });
  return { kind: "matrix", x: board.x, y: board.y, drawing };
}

/** What a picture of the whole stage shows of a scene. */
export function drawnStage(
  whole: Scene,
  snapshots: Snapshots,
  { palette, scales, target, play, covered = null }: PictureOptions,
): DrawnStage & { scene: Scene } {
  const scene = withoutCovered(play ? sceneUntil(whole, play.step) : whole, snapshots, covered);
  const boards = boardsOf(scene, snapshots);
  const shown = (board: Board): number => shownCells(board, play ?? null, boards, snapshots);
  const lit = target ? lightingOf(boards, target.cell, target.regions, null) : dark;
  // Colours mean the same at every stop of a scene.
  const domains = domainsOf(boardsOf(whole, snapshots), scales, null);
  return { scene, boards, shown, lighting: ofShownTarget(lit, shown), domains, scales, palette };
}

/** A picture of the whole stage. */
export function stagePicture(whole: Scene, snapshots: Snapshots, options: PictureOptions): PictureShapes {
  const { words, palette, scales, title, target, covered = null } = options;
  const { scene, boards, lighting, domains, shown } = drawnStage(whole, snapshots, options);
  const domain = (family: string): number | null => (scales === "own" ? null : (domains.get(family) ?? 1));
  const cells = ({ cells = [] }: Curve): number =>
    target ? cells.findIndex((cell) => sameCell(cell, target.cell)) : -1;
  const images = scene.images.flatMap((image) => {
    const snapshot = snapshots.get(image.node);
    return snapshot ? imageShapes(image, snapshot, veilOn(image, snapshots), palette) : [];
  });
  const formats = formatsOf(boards);
  const matrices = boards
    .filter((board) => board.tensor)
    .map((board) =>
      matrixShape(board, domains.get(familyOf(board, scales)) ?? 1, formats, palette, shown(board)),
    );
  const patches = scene.images.flatMap((image) =>
    framedPatches(image, snapshots.get(image.node)?.shape ?? []).flatMap(({ at, role }) =>
      frameShapes(at, role, palette),
    ),
  );
  const shapes: Shape[] = [
    ...scoreShapes(scene, boards, lighting, domain, cells, words, palette),
    ...images,
    ...matrices,
    ...boards.flatMap((board) => boardShapes(board, boards, lighting, words, palette)),
    ...overShapes(scene, cells, palette),
    ...patches,
    ...(covered ? boards.flatMap((board) => coverShapes(board, covered, palette)) : []),
    ...boards.flatMap((board) => litShapes(board, lighting, palette)),
  ];
  const { right, bottom } = extentOf(whole, boardsOf(whole, snapshots));
  return {
    width: Math.ceil(Math.min(whole.width, right)) + 2 * MARGIN,
    height: Math.ceil(Math.min(whole.height, bottom)) + 2 * MARGIN,
    paper: cssColour(palette.paper),
    title,
    shapes: moved(shapes, MARGIN, MARGIN),
  };
}

/** The cells of a single tensor are enlarged to hold numbers, unless it has too many or gets wider than this. */
const CARD_CELL = { width: 48, height: 28, most: 1024 };
const CARD_WIDTH = 1600;
const CARD_LEGEND = 168;
/** The least width for a caption beside the symbol; narrower tensors have it below. */
const CAPTION_ABOVE = 220;
const CAPTION_HEIGHT = 52;
const LEGEND_HEIGHT = 40;

/** A picture of one tensor: its matrix, caption, names and scale. Null if the scene has no such tensor. */
export function tensorPicture(
  scene: Scene,
  snapshots: Snapshots,
  id: string,
  nodeWords: (node: string) => NodeWords,
  options: PictureOptions,
): PictureShapes | null {
  const { words, palette, scales, title } = options;
  const boards = boardsOf(scene, snapshots);
  const board = boards.find((other) => other.id === id);
  const image = scene.images.find((other) => other.id === id);
  const paper = cssColour(palette.paper);
  if (!board?.tensor) {
    const snapshot = image && snapshots.get(image.node);
    if (!image || !snapshot) return null;
    const shapes = imageShapes(image, snapshot, veilOn(image, snapshots), palette);
    const size = image.size + 2 * MARGIN;
    return {
      width: size,
      height: size,
      paper,
      title,
      shapes: moved(shapes, MARGIN - image.x, MARGIN - image.y),
    };
  }
  const { placed } = board.tensor;
  const wordsOfNode = nodeWords(placed.node);
  const { rows: rowNames, columns } = namesOf(board.tensor, wordsOfNode);
  const readable =
    board.rows * board.columns <= CARD_CELL.most && board.columns * CARD_CELL.width <= CARD_WIDTH;
  const cellWidth = readable ? Math.max(CARD_CELL.width, board.cellWidth) : board.cellWidth;
  const cellHeight = readable ? Math.max(CARD_CELL.height, board.cellHeight) : board.cellHeight;
  const width = board.columns * cellWidth;
  const above = width >= CAPTION_ABOVE;
  const beside = Math.max(0, ...rowNames.map((name) => textWidth(cutName(name))));
  const overhead = columns.length ? columnNames(columns, cellWidth).height : 0;
  const x = MARGIN + 12 + (rowNames.length ? beside + 12 : 0);
  const y = MARGIN + (above ? 24 : 0) + overhead + 8;
  const alone: PlacedTensor = {
    ...placed,
    id: "alone",
    x,
    y,
    cellWidth,
    cellHeight,
    name: placed.name || wordsOfNode.name,
    caption: above ? "above" : "below",
    rowNames,
    columnNames: columns,
  };
  const [own] = boardsOf({ ...scene, tensors: [alone], images: [] }, snapshots);
  if (!own) return null;
  const domains = domainsOf(boards, scales, null);
  const domain = domains.get(familyOf(board, scales)) ?? 1;
  const whole = boardRectangle(own);
  const legendY = whole.y + whole.height + (above ? 16 : CAPTION_HEIGHT);
  const legend = {
    family: "",
    fill: placed.fill,
    x,
    y: legendY,
    width: Math.max(width, CARD_LEGEND),
    text: "",
  };
  return {
    width: Math.ceil(x + Math.max(width, CARD_LEGEND) + 12 + MARGIN),
    height: Math.ceil(legendY + LEGEND_HEIGHT - 16 + MARGIN),
    paper,
    title,
    shapes: [
      matrixShape(own, domain, formatsOf([own]), palette),
      ...boardShapes(own, [], dark, words, palette),
      ...(options.covered ? coverShapes(own, options.covered, palette) : []),
      ...legendShapes(legend, domain, words, palette),
    ],
  };
}
