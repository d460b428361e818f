/** The attention lab on a phone: one product at a time, row from the left, column from above, result at the crossing. */
import type { AttentionNumbers, ConfigOf } from "../../config/config.js";
import type { Fill, Room, Scene } from "../../marks/scene.js";
import { arrangementOf, remembered } from "../../stage/arrangement.js";
import { oneQuery, queryOf, weighed } from "./additive.js";
import { attentionBlocks, isAdditive, logitNodes, stepIds, wordNames, type AttentionNode } from "./blocks.js";
import { isOwn } from "./own.js";
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

const CELL_HEIGHT = 30;
const GAP = 26;

/** Which of the three projections a phone shows: the one that the target belongs to. */
export function projectionOf(room: Room): "Q" | "K" | "V" {
  const node = room.cell?.node ?? "";
  return /^(W_)?K$/.test(node) ? "K" : /^(W_)?V$/.test(node) ? "V" : "Q";
}

const FAMILIES: Record<
  string,
  [
    Fill,
    (
      | "labs.legend.vectors.short"
      | "labs.legend.parameters.short"
      | "labs.legend.score"
      | "labs.legend.weights"
    ),
  ]
> = {
  vectors: ["activation", "labs.legend.vectors.short"],
  parameters: ["parameter", "labs.legend.parameters.short"],
  scores: ["activation", "labs.legend.score"],
  weights: ["probability", "labs.legend.weights"],
};

/** A legend per family on the scene, one under the other. */
function legends(scene: Scene, room: Room, left: number, y: number): void {
  const families = [...new Set(scene.tensors.map(({ family }) => family))];
  families.forEach((family, index) => {
    const [fill, text] = FAMILIES[family]!;
    legend(scene, family, fill, left, y + index * LEGEND, room.width - left - 12, room.words(text));
  });
  scene.height = y + families.length * LEGEND + 6;
}

/** left × above = result. */
function product(
  room: Room,
  left: Block,
  above: Block,
  result: Block,
  names: readonly string[],
  columns: readonly string[],
): Scene {
  const scene = emptyScene(room.width);
  const label = labelWidth(names);
  const cell = cellWidthFor(room.width, (w) => label + (left.columns + result.columns) * w + GAP + 12, 44);
  const x = label + left.columns * cell + GAP;
  const base = headroom(columns, cell) + above.rows * CELL_HEIGHT;
  const low = base + 26;
  place(scene, above, x, base - above.rows * CELL_HEIGHT, cell, CELL_HEIGHT, {
    id: above.node === "V" ? "V_above" : above.node,
    caption: "above",
    ...(columns.length ? { columnNames: columns } : {}),
  });
  place(scene, left, label, low, cell, CELL_HEIGHT, {
    caption: "below",
    rowNames: names,
    captionWidth: left.columns * cell + GAP - 8,
  });
  place(scene, result, x, low, cell, CELL_HEIGHT, { caption: "below" });
  scene.width = Math.max(room.width, x + result.columns * cell + 12);
  legends(scene, room, label - BRACKET, low + result.rows * CELL_HEIGHT + CAPTION_BELOW + 6);
  return scene;
}

/** One tensor becomes another, cell by cell: beside it, or under it where that leaves too little room for numbers. */
function becoming(
  room: Room,
  from: Block,
  to: Block,
  name: readonly [string, string?],
  names: readonly string[],
  columns: readonly string[],
): Scene {
  const scene = emptyScene(room.width);
  const label = labelWidth(names);
  const gap = Math.max(42, operatorGap(name, CLOSE));
  const cell = cellWidthFor(room.width, (w) => label + (from.columns + to.columns) * w + gap + 12, 44);
  if (cell >= 26) {
    const top = headroom(columns, cell);
    const a = place(scene, from, label, top, cell, CELL_HEIGHT, {
      caption: "below",
      rowNames: names,
      columnNames: columns,
    });
    const b = place(scene, to, right(a, from.columns) + gap, top, cell, CELL_HEIGHT, {
      caption: "below",
      columnNames: columns,
    });
    operator(scene, to.node, right(a, from.columns), b.x, top + (from.rows * CELL_HEIGHT) / 2, name, to.step);
    legends(scene, room, label - BRACKET, top + from.rows * CELL_HEIGHT + CAPTION_BELOW + 6);
    return scene;
  }
  const single = cellWidthFor(room.width, (w) => label + from.columns * w + 12, 44);
  const top = headroom(columns, single);
  const height = Math.min(CELL_HEIGHT, Math.max(18, single));
  place(scene, from, label, top, single, height, { caption: "below", rowNames: names, columnNames: columns });
  const second = top + from.rows * height + CAPTION_BELOW + headroom(columns, single);
  place(scene, to, label, second, single, height, {
    caption: "below",
    rowNames: names,
    columnNames: columns,
  });
  scene.labels.push({
    x: label,
    y: top + from.rows * height + CAPTION_BELOW + 16,
    text: `↓ ${name.join("")}`,
    kind: "axis",
    step: to.step,
  });
  scene.width = Math.max(room.width, label + from.columns * single + 12);
  legends(scene, room, label - BRACKET, second + to.rows * height + CAPTION_BELOW + 6);
  return scene;
}

/** The inputs alone: words, and the memory under them. */
function inputs(room: Room, blocks: Block[], names: readonly (readonly string[])[]): Scene {
  const scene = emptyScene(room.width);
  const label = Math.max(...names.map(labelWidth));
  const cell = cellWidthFor(
    room.width,
    (w) => label + Math.max(...blocks.map(({ columns }) => columns)) * w + 12,
    44,
  );
  let y = 8;
  blocks.forEach((block, index) => {
    place(scene, block, label, y, cell, CELL_HEIGHT, { caption: "below", rowNames: names[index]! });
    y += block.rows * CELL_HEIGHT + CAPTION_BELOW + 12;
  });
  scene.width = Math.max(room.width, label + Math.max(...blocks.map(({ columns }) => columns)) * cell + 12);
  legends(scene, room, label - BRACKET, y);
  return scene;
}

/** What each stop holds, so that pointing at an operand leaves the product on the stage. */
function holds(id: string, numbers: AttentionNumbers): readonly string[] | undefined {
  const cross = numbers.memory.length > 0;
  const own = isOwn(numbers);
  const logits = logitNodes(numbers);
  const held: Record<string, string[]> = {
    words: own ? ["Q"] : ["X", "M"],
    "project-Q": own ? ["K", "V"] : ["X", "W_Q", "Q"],
    "project-K": own ? ["K", "V"] : [cross ? "M" : "X", "W_K", "K"],
    "project-V": own ? ["K", "V"] : [cross ? "M" : "X", "W_V", "V"],
    add: ["Q", "K", "hidden"],
    compare: isAdditive(numbers) ? ["hidden", "v", "scores"] : ["Q", "K_T", "scores"],
    scale: ["scores", "scaled"],
    mask: logits.slice(-2),
    softmax: [...logits.slice(-1), "weights"],
    mix: ["weights", "V", "output"],
  };
  return held[id];
}

export function productScene(config: ConfigOf<"attention">, room: Room): Scene {
  const { numbers } = config;
  const steps = stepIds(numbers);
  const step = steps[Math.max(0, Math.min(room.step, steps.length - 1))]!;
  const wanted = step === "project" ? `project-${projectionOf(room)}` : step;
  const known = new Set(
    steps.flatMap((id) => (id === "project" ? ["project-Q", "project-K", "project-V"] : [id])),
  );
  const { id } = arrangementOf(room, wanted, (asked) =>
    known.has(asked) ? holds(asked, numbers) : undefined,
  );
  const query = isAdditive(numbers) ? queryOf(numbers, room) : null;
  const scene = stopScene(config, room, id, query);
  scene.arrangement = remembered(id, query === null ? [] : [query]);
  scene.stop = steps.indexOf(id.startsWith("project") ? "project" : id);
  return scene;
}

function stopScene(config: ConfigOf<"attention">, room: Room, step: string, query: number | null): Scene {
  const { numbers } = config;
  const { words } = room;
  const blocks = attentionBlocks(config, words, query ?? 0);
  const names = wordNames(numbers.tokens, words);
  const cross = numbers.memory.length > 0;
  const keyNames = cross ? wordNames(numbers.memory, words) : names;
  const logits = logitNodes(numbers) as AttentionNode[];
  const own = isOwn(numbers);
  switch (step) {
    case "words":
      if (own) return inputs(room, [blocks.Q], [names]);
      return inputs(room, cross ? [blocks.X, blocks.M] : [blocks.X], [names, keyNames]);
    case "project-Q":
    case "project-K":
    case "project-V": {
      if (own) return inputs(room, [blocks.K, blocks.V], [names, names]);
      const result = step.slice(-1) as "Q" | "K" | "V";
      const ofMemory = cross && result !== "Q";
      return product(
        room,
        ofMemory ? blocks.M : blocks.X,
        blocks[`W_${result}`],
        blocks[result],
        ofMemory ? keyNames : names,
        [],
      );
    }
    case "add":
      return product(room, oneQuery(blocks.Q, query ?? 0), blocks.K_T, blocks.hidden, [], keyNames);
    case "compare": {
      if (query === null) return product(room, blocks.Q, blocks.K_T, blocks.scores, names, keyNames);
      const { scene, left, end } = weighed(room, blocks, names, keyNames, CELL_HEIGHT);
      legends(scene, room, left - BRACKET, end);
      return scene;
    }
    case "scale":
      return becoming(room, blocks.scores, blocks.scaled, [`÷√${numbers.keyDim}`], names, keyNames);
    case "mask":
      return becoming(
        room,
        blocks[logits.at(-2)!],
        blocks.masked,
        [words("labs.operator.mask")],
        names,
        keyNames,
      );
    case "softmax":
      return becoming(room, blocks[logits.at(-1)!], blocks.weights, ["soft", "max"], names, keyNames);
    default:
      return product(
        room,
        blocks.weights,
        { ...blocks.V, step: blocks.output.step },
        blocks.output,
        names,
        [],
      );
  }
}
