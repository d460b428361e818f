/** The attention lab on a phone: one product at a time, row from the left, column from above, result at the crossing. */
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
import { shownOn, stopIds, stopOf } from "./flow.js";
import { GAP_V, operationTo, scaleTexts, type Parts } from "./parts.js";

const CELL_HEIGHT = 30;
const GAP = 26;

/** As wide as cells can be where so many stand side by side, and what else there is takes `fixed`. */
const cellFor = (room: Room, fixed: number, columns: number): number =>
  cellWidthFor(room.width, (cell) => fixed + columns * cell, 44);

/** A legend per family on the scene from `y` on, one under the other; the scene ends under them, and right of `edge`. */
function finish(scene: Scene, room: Room, label: number, y: number, edge: number): Scene {
  const scaled = scene.tensors.filter(({ family }) => scaleTexts[family]);
  const families = new Map(scaled.map(({ family, fill }) => [family, fill]));
  const left = label - BRACKET;
  [...families].forEach(([family, fill], index) => {
    const text = room.words(scaleTexts[family]!.slice(0, 2).at(-1)!);
    legend(scene, family, fill, left, y + index * LEGEND, room.width - left - 12, text);
  });
  return { ...scene, width: Math.max(room.width, edge + 12), height: y + families.size * LEGEND + 6 };
}

/** left × above = result. Where the left factor is a column, it weighs what is above, and stands beside that. */
function product(
  room: Room,
  [left, above, result]: readonly [Block, Block, Block],
  rowNames: readonly string[],
  columnNames: readonly string[],
  weighs = false,
): Scene {
  const scene = emptyScene(room.width);
  const label = labelWidth(rowNames);
  const cell = cellFor(room, label + GAP + 12, left.columns + result.columns);
  const x = weighs ? label : label + left.columns * cell + GAP;
  const edge = x + result.columns * cell;
  const top = headroom(columnNames, cell);
  const low = top + above.rows * CELL_HEIGHT + 26;
  place(scene, above, x, top, cell, CELL_HEIGHT, {
    id: above.node === "V" ? "V_above" : above.node,
    caption: "above",
    ...(columnNames.length ? { columnNames } : {}),
  });
  if (weighs) place(scene, left, edge + GAP_V, top, cell, CELL_HEIGHT, { caption: "above" });
  else
    place(scene, left, label, low, cell, CELL_HEIGHT, {
      caption: "below",
      rowNames,
      captionWidth: left.columns * cell + GAP - 8,
    });
  place(scene, result, x, low, cell, CELL_HEIGHT, { caption: "below", ...(weighs ? { rowNames } : {}) });
  const end = low + result.rows * CELL_HEIGHT + CAPTION_BELOW + 6;
  return finish(scene, room, label, end, weighs ? edge + GAP_V + cell + 4 : edge);
}

/** One tensor becomes another, cell by cell: beside it, or under it where that leaves too little room for numbers. */
function becoming(parts: Parts, from: Block, to: Block): Scene {
  const { room, names: rowNames, keyNames: columnNames } = parts;
  const scene = emptyScene(room.width);
  const name = operationTo(to.node, parts);
  const label = labelWidth(rowNames);
  const gap = Math.max(42, operatorGap(name, CLOSE));
  const side = cellFor(room, label + gap + 12, from.columns + to.columns);
  const beside = side >= 26;
  const cell = beside ? side : cellFor(room, label + 12, from.columns);
  const height = beside ? CELL_HEIGHT : Math.min(CELL_HEIGHT, Math.max(18, cell));
  const top = headroom(columnNames, cell);
  const end = top + from.rows * height + CAPTION_BELOW;
  const edge = label + from.columns * cell;
  const named = { caption: "below", columnNames } as const;
  place(scene, from, label, top, cell, height, { ...named, rowNames });
  if (beside) {
    place(scene, to, edge + gap, top, cell, height, named);
    operator(scene, to.node, edge, edge + gap, top + (from.rows * height) / 2, name, to.step);
    return finish(scene, room, label, end + 6, edge);
  }
  place(scene, to, label, end + top, cell, height, { ...named, rowNames });
  scene.labels.push({ x: label, y: end + 16, text: `↓ ${name.join("")}`, kind: "axis", step: to.step });
  return finish(scene, room, label, 2 * end + 6, edge);
}

/** Tensors alone, one under the other; over those of the scores the names of the keys. */
function alone(
  { room, names, keyNames }: Parts,
  blocks: readonly Block[],
  columnNames: readonly string[] = [],
): Scene {
  const scene = emptyScene(room.width);
  // A row for all queries has no name.
  const rowNames = ({ node, at }: Block) => (node === "M" ? keyNames : at?.length === 1 ? [] : names);
  const label = Math.max(...blocks.map((block) => labelWidth(rowNames(block))));
  const widest = Math.max(...blocks.map(({ columns }) => columns));
  const cell = cellFor(room, label + 12, widest);
  let y = 8;
  for (const block of blocks) {
    const named = block.columns === columnNames.length ? { columnNames } : {};
    if (columnNames.length > 0) y += headroom(columnNames, cell) - CAPTION_ABOVE;
    place(scene, block, label, y, cell, CELL_HEIGHT, {
      caption: "below",
      rowNames: rowNames(block),
      ...named,
    });
    y += block.rows * CELL_HEIGHT + CAPTION_BELOW + 12;
  }
  return finish(scene, room, label, y, label + widest * cell);
}

/** One query in a column, what it meets above, and what they add up to at the crossing. Additive attention turns no keys: the stage does. */
function added({ room, of, over, keyNames, query }: Parts): Scene {
  const column = (node: string, symbol: Block["symbol"], letters: string): Block => {
    const { rows, columns, ...block } = of(node);
    return { ...block, rows: columns, columns: rows, turned: true, symbol, letters };
  };
  const one = { ...column("Q", { text: "q", sub: String(query) }, "d_k"), columns: 1, at: [query, null] };
  const keys = { ...column("K", { text: "K", sup: "T" }, over.letters), step: over.step };
  return product(room, [one, { ...keys, editable: false, leaf: "" }, over], [], keyNames);
}

function shownAs(id: string, parts: Parts): Scene {
  const { numbers, room, of, names, keyNames, own, over, values, query } = parts;
  const shown = (shownOn(numbers)[id] ?? []).map((node) =>
    node === "V" && id === "mix" ? values : of(node),
  );
  if (id === "add") return added(parts);
  if (id === "words" || (own && id.startsWith("project"))) return alone(parts, shown);
  if (id === "convert" || (id === "softmax" && shown.length > 2)) return alone(parts, shown, keyNames);
  const [first, second, third] = shown as [Block, Block, Block?];
  if (!third) return becoming(parts, first, second);
  const columnNames = id === "compare" ? keyNames : [];
  const weighs = id === "compare" && query !== null;
  const above = weighs ? over : second;
  return product(room, [first, above, third], first.node === "M" ? keyNames : names, columnNames, weighs);
}

export function narrow(parts: Parts): Scene {
  const { id } = readArrangement(parts.room);
  return { ...shownAs(id, parts), stop: stopIds(parts.numbers).indexOf(stopOf(id)) };
}
