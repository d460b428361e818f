/** The model of the map: an example of the lab "encoder-decoder", its numbers, and the words of a block and of a cell. */
import type { Cell } from "../../marks/board.js";
import { boardsOf } from "../../marks/board.js";
import { domainsOf } from "../../marks/domains.js";
import { formatNote } from "../../marks/numbers.js";
import { placeOf } from "../../marks/plane.js";
import { symbolName } from "../../marks/lettering.js";
import type { Lighting } from "../../marks/lighting.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import { decodedWords, vocabulary } from "../../labs/encoder-decoder/vocabulary.js";
import { largestInRow } from "../../telling/largest.js";
import { emptyScene, place } from "../../stage/place.js";
import type { LabPlace } from "../openings.js";
import { attentions, blocks, sizeOf, tensorsOf, type ModelConfig } from "./blocks.js";
import { blockIds, staveOf, type BlockId } from "./places.js";
import type { MapWords } from "./words.js";

export interface Model {
  config: ModelConfig;
  /** Empty until they are computed. */
  snapshots: Snapshots;
}

/** The words of the rows of each stave, and the word that each row of the decoder predicts. */
export function wordsOf({ config, snapshots }: Model) {
  const decoded = decodedWords(config.numbers, snapshots);
  return {
    rows: { encoder: config.numbers.tokens, decoder: decoded?.inputs ?? [] },
    predicted: decoded?.outputs ?? [],
  };
}

/** The names of the rows and columns of a block; of columns that are not words none. */
export function namesIn(id: BlockId, model: Model): { rows: readonly string[]; columns: readonly string[] } {
  const { rows } = wordsOf(model);
  const own = rows[staveOf(id)];
  const { kind } = blocks[id];
  if (kind === "next") return { rows: own, columns: vocabulary };
  if (kind === "cross") return { rows: own, columns: rows.encoder };
  return { rows: own, columns: attentions.includes(kind) ? own : [] };
}

/** The cell that a block is shown at: a large number of the third row. */
export function tellingCell(id: BlockId, { config, snapshots }: Model): Cell {
  const { kind, node } = blocks[id];
  const row = Math.min(2, sizeOf(id, config).rows - 1);
  const index = attentions.includes(kind) ? [0, row, 0] : [row, 0];
  return largestInRow(snapshots, { node, index });
}

/** What a block opens: the lab of this translation at the cell, and a lab that reads any words with the words of its rows. */
export function openingOfBlock(id: BlockId, cell: Cell, model: Model): LabPlace {
  const { lab } = blocks[id];
  if (lab === model.config.view.lab) return { lab, view: { cell } };
  const tokens = wordsOf(model).rows[staveOf(id)];
  return lab === "block" && tokens.length > 0 ? { lab, tokens } : { lab };
}

/** The address of a cell as NumPy writes it. */
export const addressOf = ({ node, index }: Cell): string => `${node}[${index.join(", ")}]`;

/** Its number as text; empty before it is computed. */
export function numberAt({ node, index }: Cell, snapshots: Snapshots): string {
  const snapshot = snapshots.get(node);
  const value = snapshot?.data[placeOf(snapshot.shape, index)];
  return value === undefined ? "" : formatNote(value);
}

/** What stands out for a cell: the cell, and the rows of words that it is about, framed where each stave begins. */
export function lightingOfCell(cell: Cell | null, id: BlockId, scene: Scene, { snapshots }: Model): Lighting {
  const boards = boardsOf(scene, snapshots);
  const sources: Map<string, { top: number; bottom: number; left: number; right: number }[]> = new Map();
  const lighting: Lighting = { target: null, twins: [], sources, leaders: [] };
  if (!cell) return lighting;
  for (const board of boards) {
    const run = board.run(cell.node, cell.index, cell.index);
    if (run) lighting.target = { board, run };
  }
  const { kind } = blocks[id];
  const row = cell.index.at(-2) ?? 0;
  const frame = (words: BlockId, at: number): void => {
    const board = boards.find((other) => other.id === `${words}-0`);
    if (!board || board === lighting.target?.board) return;
    const runs = sources.get(board.id) ?? [];
    sources.set(board.id, [...runs, { top: at, bottom: at, left: 0, right: board.columns - 1 }]);
  };
  const stave = staveOf(id);
  frame(`${stave}.words`, row);
  const column = cell.index.at(-1) ?? 0;
  if (kind === "cross") frame("encoder.words", column);
  else if (attentions.includes(kind) && column !== row) frame(`${stave}.words`, column);
  return lighting;
}

/** The scales of the map and of its note: those of all its blocks. */
export function scalesOf({ snapshots }: Model, strings: MapWords): ReadonlyMap<string, number> {
  let scales = known.get(snapshots);
  if (scales) return scales;
  const scene = emptyScene(0);
  for (const id of blockIds)
    tensorsOf(id, snapshots, strings).forEach((tensor, at) =>
      place(scene, tensor, 0, 0, 1, 1, { id: `${id}-${at}` }),
    );
  scales = domainsOf(boardsOf(scene, snapshots), "shared", null);
  known.set(snapshots, scales);
  return scales;
}
const known = new WeakMap<Snapshots, ReadonlyMap<string, number>>();

/** One matrix of a block, large enough for its numbers; null where they do not fit into the width. */
export function largeScene(
  id: BlockId,
  head: number,
  width: number,
  model: Model,
  strings: MapWords,
): Scene | null {
  const tensor = tensorsOf(id, model.snapshots, strings)[head];
  if (!tensor) return null;
  const { rows, columns } = namesIn(id, model);
  const left = 74;
  const cell = Math.min(44, Math.floor((width - left - 10) / tensor.columns));
  if (cell < 28) return null;
  const scene = emptyScene(width);
  const top = columns.length > 0 ? 28 : 8;
  const named = columns.length > 0 ? { columnNames: columns } : {};
  place(scene, tensor, left, top, cell, 20, { id, rowNames: rows, ...named });
  scene.height = top + tensor.rows * 20 + 8;
  return scene;
}

/** The symbol of a block without its heads: "A_E". */
export const symbolOf = (id: BlockId): string => symbolName(blocks[id].symbol);
