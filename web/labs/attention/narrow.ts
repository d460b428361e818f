/** The attention lab on a phone: one product at a time, row from the left, column from above, result at the crossing. */
import type { Fill, Room, Scene } from "../../marks/scene.js";
import { arrangedAs } from "../../stage/arrangement.js";
import {
  BRACKET,
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
  right,
  type Block,
} from "../../stage/place.js";
import { shownOn, stopIds, stopOf } from "./flow.js";
import { GAP_V, operationTo, type Parts } from "./parts.js";

const CELL_HEIGHT = 30;
const GAP = 26;

const FAMILIES = {
  vectors: ["activation", "labs.legend.vectors.short"],
  parameters: ["parameter", "labs.legend.parameters.short"],
  scores: ["activation", "labs.legend.score"],
  weights: ["probability", "labs.legend.weights"],
} as const satisfies Record<string, readonly [Fill, string]>;

/** As wide as cells can be where so many stand side by side, and what else there is takes `fixed`. */
const cellFor = (room: Room, fixed: number, columns: number): number =>
  cellWidthFor(room.width, (cell) => fixed + columns * cell, 44);

/** A legend per family on the scene from `y` on, one under the other; the scene ends under them, and right of `edge`. */
function finish(scene: Scene, room: Room, label: number, y: number, edge: number): Scene {
  const families = [...new Set(scene.tensors.map(({ family }) => family))] as (keyof typeof FAMILIES)[];
  const left = label - BRACKET;
  families.forEach((family, index) => {
    const [fill, text] = FAMILIES[family];
    legend(scene, family, fill, left, y + index * LEGEND, room.width - left - 12, room.words(text));
  });
  return { ...scene, width: Math.max(room.width, edge + 12), height: y + families.length * LEGEND + 6 };
}

/** left × above = result. */
function product(
  room: Room,
  [left, above, result]: readonly [Block, Block, Block],
  rowNames: readonly string[],
  columnNames: readonly string[],
): Scene {
  const scene = emptyScene(room.width);
  const label = labelWidth(rowNames);
  const cell = cellFor(room, label + GAP + 12, left.columns + result.columns);
  const x = label + left.columns * cell + GAP;
  const top = headroom(columnNames, cell);
  const low = top + above.rows * CELL_HEIGHT + 26;
  place(scene, above, x, top, cell, CELL_HEIGHT, {
    id: above.node === "V" ? "V_above" : above.node,
    caption: "above",
    ...(columnNames.length ? { columnNames } : {}),
  });
  place(scene, left, label, low, cell, CELL_HEIGHT, {
    caption: "below",
    rowNames,
    captionWidth: left.columns * cell + GAP - 8,
  });
  place(scene, result, x, low, cell, CELL_HEIGHT, { caption: "below" });
  const end = low + result.rows * CELL_HEIGHT + CAPTION_BELOW + 6;
  return finish(scene, room, label, end, x + result.columns * cell);
}

/** Every column over the scores, weighed by v, adds up to the score below it. */
function weighed({ room, of, over, names, keyNames }: Parts): Scene {
  const scene = emptyScene(room.width);
  const scores = of("scores");
  const label = labelWidth(names);
  const cell = cellFor(room, label + GAP_V + 16, scores.columns + 1);
  const top = headroom(keyNames, cell);
  const columns = place(scene, over, label, top, cell, CELL_HEIGHT, {
    caption: "above",
    columnNames: keyNames,
  });
  const beside = right(columns, over.columns) + GAP_V;
  place(scene, of("v"), beside, top, cell, CELL_HEIGHT, { caption: "above" });
  const low = top + over.rows * CELL_HEIGHT + 26;
  place(scene, scores, label, low, cell, CELL_HEIGHT, { caption: "below", rowNames: names });
  const end = low + scores.rows * CELL_HEIGHT + CAPTION_BELOW + 6;
  return finish(scene, room, label, end, beside + cell + 4);
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
  const second = end + top;
  place(scene, to, label, second, cell, height, { ...named, rowNames });
  scene.labels.push({ x: label, y: end + 16, text: `↓ ${name.join("")}`, kind: "axis", step: to.step });
  return finish(scene, room, label, second + to.rows * height + CAPTION_BELOW + 6, edge);
}

/** Tensors alone, one under the other. */
function alone(room: Room, blocks: readonly (readonly [Block, readonly string[]])[]): Scene {
  const scene = emptyScene(room.width);
  const label = Math.max(...blocks.map(([, names]) => labelWidth(names)));
  const widest = Math.max(...blocks.map(([{ columns }]) => columns));
  const cell = cellFor(room, label + 12, widest);
  let y = 8;
  for (const [block, rowNames] of blocks) {
    place(scene, block, label, y, cell, CELL_HEIGHT, { caption: "below", rowNames });
    y += block.rows * CELL_HEIGHT + CAPTION_BELOW + 12;
  }
  return finish(scene, room, label, y, label + widest * cell);
}

/** One query in a column, what it meets above, and what they add up to at the crossing. */
function added({ room, of, over, keyNames, query }: Parts): Scene {
  const [queries, keys] = [of("Q"), of("K")];
  const one: Block = {
    ...queries,
    rows: queries.columns,
    columns: 1,
    at: [query, null],
    turned: true,
    symbol: { text: "q", sub: String(query) },
    letters: "d_k",
  };
  // Additive attention turns no keys: the stage does.
  const turned: Block = {
    ...keys,
    rows: keys.columns,
    columns: keys.rows,
    turned: true,
    symbol: { text: "K", sup: "T" },
    letters: over.letters,
    step: over.step,
    editable: false,
    leaf: "",
  };
  return product(room, [one, turned, over], [], keyNames);
}

function shownAs(id: string, parts: Parts): Scene {
  const { config, room, of, names, keyNames, own, values, query } = parts;
  const shown = shownOn(config.numbers)[id] ?? [];
  const rowNames = (node: string) => (node === "M" ? keyNames : names);
  if (id === "add") return added(parts);
  if (id === "compare" && query !== null) return weighed(parts);
  if (id === "words" || (own && id.startsWith("project")))
    return alone(
      room,
      shown.map((node) => [of(node), rowNames(node)] as const),
    );
  const [first, second, third] = shown as [string, string, string?];
  if (third === undefined) return becoming(parts, of(first), of(second));
  const above = second === "V" ? values : of(second);
  return product(room, [of(first), above, of(third)], rowNames(first), second === "K_T" ? keyNames : []);
}

export function narrow(parts: Parts): Scene {
  const { id } = arrangedAs(parts.room);
  return { ...shownAs(id, parts), stop: stopIds(parts.config.numbers).indexOf(stopOf(id)) };
}
