/** The stage of the attention lab on a phone: one product at a time, with one factor at the left, one above, and the result where they cross. */
import type { Room, Scene } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import {
  BRACKET,
  CAPTION_ABOVE,
  CLOSE,
  CAPTION_BELOW,
  LEGEND,
  cellWidthFor,
  emptyScene,
  headroom,
  labelWidth,
  legend,
  operator,
  operatorGap,
  place,
  type Block,
} from "../../stage/place.js";
import { phonePictures, stopIds, stopOf } from "./flow.js";
import { GAP_V, operationTo, scaleTexts, type Parts } from "./parts.js";

const CELL_HEIGHT = 30;
const GAP = 26;

/** The width of a cell if `columns` of them stand side by side and everything else takes the width `fixed`. */
const cellFor = (room: Room, fixed: number, columns: number): number =>
  cellWidthFor(room.width, (cell) => fixed + columns * cell, 44);

/** Adds a legend for each family, one below the other from `y` on. The scene ends below them, and to the right of `edge`. */
function withLegends(scene: Scene, room: Room, label: number, y: number, edge: number): Scene {
  const tensorsWithScale = scene.tensors.filter(({ family }) => scaleTexts[family]);
  const families = new Map(tensorsWithScale.map(({ family, fill }) => [family, fill]));
  const left = label - BRACKET;
  [...families].forEach(([family, fill], index) => {
    const text = room.words(scaleTexts[family]!.slice(0, 2).at(-1)!);
    legend(scene, family, fill, left, y + index * LEGEND, room.width - left - 12, text);
  });
  return { ...scene, width: Math.max(room.width, edge + 12), height: y + families.size * LEGEND + 6 };
}

/** The scene of left × above = result. If the left factor is a column of weights (`isColumn`), it stands beside the factor above. */
function productScene(
  room: Room,
  [left, above, result]: readonly [Block, Block, Block],
  rowNames: readonly string[],
  columnNames: readonly string[],
  isColumn = false,
): Scene {
  const scene = emptyScene(room.width);
  const label = labelWidth(rowNames);
  const cell = cellFor(room, label + GAP + 12, left.columns + result.columns);
  const x = isColumn ? label : label + left.columns * cell + GAP;
  const edge = x + result.columns * cell;
  const top = headroom(columnNames, cell);
  const resultY = top + above.rows * CELL_HEIGHT + 26;
  place(scene, above, x, top, cell, CELL_HEIGHT, {
    id: above.node === "V" ? "V_above" : above.node,
    caption: "above",
    ...(columnNames.length ? { columnNames } : {}),
  });
  if (isColumn) place(scene, left, edge + GAP_V, top, cell, CELL_HEIGHT, { caption: "above" });
  else
    place(scene, left, label, resultY, cell, CELL_HEIGHT, {
      caption: "below",
      rowNames,
      captionWidth: left.columns * cell + GAP - 8,
    });
  place(scene, result, x, resultY, cell, CELL_HEIGHT, {
    caption: "below",
    ...(isColumn ? { rowNames } : {}),
  });
  const end = resultY + result.rows * CELL_HEIGHT + CAPTION_BELOW + 6;
  return withLegends(scene, room, label, end, isColumn ? edge + GAP_V + cell + 4 : edge);
}

/** The scene of an operation on each cell: the result is beside the operand, or below it if there is too little room for numbers. */
function elementwiseScene(parts: Parts, from: Block, to: Block): Scene {
  const { room, names: rowNames, keyNames: columnNames } = parts;
  const scene = emptyScene(room.width);
  const name = operationTo(to.node, parts);
  const label = labelWidth(rowNames);
  const gap = Math.max(42, operatorGap(name, CLOSE));
  const side = cellFor(room, label + gap + 12, from.columns + to.columns);
  const isBeside = side >= 26;
  const cell = isBeside ? side : cellFor(room, label + 12, from.columns);
  const height = isBeside ? CELL_HEIGHT : Math.min(CELL_HEIGHT, Math.max(18, cell));
  const top = headroom(columnNames, cell);
  const end = top + from.rows * height + CAPTION_BELOW;
  const edge = label + from.columns * cell;
  const placing = { caption: "below", columnNames } as const;
  place(scene, from, label, top, cell, height, { ...placing, rowNames });
  if (isBeside) {
    place(scene, to, edge + gap, top, cell, height, placing);
    operator(scene, to.node, edge, edge + gap, top + (from.rows * height) / 2, name, to.step);
    return withLegends(scene, room, label, end + 6, edge);
  }
  place(scene, to, label, end + top, cell, height, { ...placing, rowNames });
  scene.labels.push({ x: label, y: end + 16, text: `↓ ${name.join("")}`, kind: "axis", step: to.step });
  return withLegends(scene, room, label, 2 * end + 6, edge);
}

/** The scene of tensors without an operation, one below the other. `columnNames` stand above those with as many columns. */
function tensorsScene(
  { room, names, keyNames }: Parts,
  blocks: readonly Block[],
  columnNames: readonly string[] = [],
): Scene {
  const scene = emptyScene(room.width);
  // A row that is the same for all queries has no name.
  const rowNames = ({ node, at }: Block) => (node === "M" ? keyNames : at?.length === 1 ? [] : names);
  const label = Math.max(...blocks.map((block) => labelWidth(rowNames(block))));
  const widest = Math.max(...blocks.map(({ columns }) => columns));
  const cell = cellFor(room, label + 12, widest);
  let y = 8;
  for (const block of blocks) {
    const headings = block.columns === columnNames.length ? { columnNames } : {};
    if (columnNames.length > 0) y += headroom(columnNames, cell) - CAPTION_ABOVE;
    place(scene, block, label, y, cell, CELL_HEIGHT, {
      caption: "below",
      rowNames: rowNames(block),
      ...headings,
    });
    y += block.rows * CELL_HEIGHT + CAPTION_BELOW + 12;
  }
  return withLegends(scene, room, label, y, label + widest * cell);
}

/** The scene of the sum of one query, as a column, and all keys, above. The graph of additive attention does not transpose the keys, so the stage does. */
function sumScene({ room, of, overScores, keyNames, query }: Parts): Scene {
  const column = (node: string, symbol: Block["symbol"], letters: string): Block => {
    const { rows, columns, ...block } = of(node);
    return { ...block, rows: columns, columns: rows, turned: true, symbol, letters };
  };
  const queryColumn = {
    ...column("Q", { text: "q", sub: String(query) }, "d_k"),
    columns: 1,
    at: [query, null],
  };
  const keys = { ...column("K", { text: "K", sup: "T" }, overScores.letters), step: overScores.step };
  return productScene(room, [queryColumn, { ...keys, editable: false, leaf: "" }, overScores], [], keyNames);
}

/** The scene of a picture of `phonePictures`. */
function sceneOf(id: string, parts: Parts): Scene {
  const { numbers, room, of, names, keyNames, hasOwnMatrices, overScores, values, query } = parts;
  const blocks = (phonePictures(numbers)[id] ?? []).map((node) =>
    node === "V" && id === "mix" ? values : of(node),
  );
  if (id === "add") return sumScene(parts);
  if (id === "words" || (hasOwnMatrices && id.startsWith("project"))) return tensorsScene(parts, blocks);
  if (id === "convert" || (id === "softmax" && blocks.length > 2))
    return tensorsScene(parts, blocks, keyNames);
  const [first, second, third] = blocks as [Block, Block, Block?];
  if (!third) return elementwiseScene(parts, first, second);
  const columnNames = id === "compare" ? keyNames : [];
  const isColumn = id === "compare" && query !== null;
  const above = isColumn ? overScores : second;
  return productScene(
    room,
    [first, above, third],
    first.node === "M" ? keyNames : names,
    columnNames,
    isColumn,
  );
}

export function narrowPicture(parts: Parts): Scene {
  const { id } = readArrangement(parts.room);
  return { ...sceneOf(id, parts), stop: stopIds(parts.numbers).indexOf(stopOf(id)) };
}
