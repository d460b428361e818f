/** The stage of the attention lab: a score with one height per word, for wide, middle and narrow screens. */
import type { ConfigOf } from "../../config/config.js";
import type { PlacedTensor, Room, Scene, Snapshots } from "../../marks/scene.js";
import { remembered } from "../../stage/arrangement.js";
import { attentionBlocks, isAdditive, logitNodes, type AttentionNode } from "./blocks.js";
import { queryOf } from "./additive.js";
import { isOwn } from "./own.js";
import {
  GAP,
  NOTE,
  partsOf,
  attentionColumns,
  fitColumns,
  placeColumns,
  operators,
  legends,
  placeOperands,
  climb,
  noteAbove,
  noteBetween,
  type Column,
  type Parts,
} from "./columns.js";
import { productScene } from "./narrow.js";
import {
  BRACKET,
  CAPTION_ABOVE,
  CAPTION_BELOW,
  CHANNEL,
  LEGEND,
  cellHeightFor,
  emptyScene,
  headroom,
  labelWidth,
  place,
  right,
  thumbnails,
  wire,
} from "../../stage/place.js";
import { stepNodes } from "./words.js";

/** Everything on one screen, words to output. With a memory, its projections stand on a tier of their own; so do the reader's own keys. */
function wide(parts: Parts): Scene {
  const { blocks, names, keyNames, room, cross, own, over, query } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const memoryLabels = cross ? labelWidth(keyNames) : 0;
  const columns: Column[] = [
    ...(own ? [] : [{ block: blocks.X, gap: 0 }]),
    { block: blocks.Q, gap: own ? 0 : GAP.first },
    ...(cross ? [{ block: blocks.M, gap: memoryLabels + 16 }] : []),
    ...(own
      ? []
      : [
          { block: blocks.K, gap: cross ? GAP.first : GAP.projections },
          { block: blocks.V, gap: GAP.projections },
        ]),
    ...attentionColumns(parts, GAP.scores),
  ];
  const noted = room.layout === "wide";
  const beside = fitColumns(columns, left, room.width, noted, query !== null);
  // Where not all fits, no column makes room for the note: it stands above.
  const { cell, gaps } = beside.fits ? beside : fitColumns(columns, left, room.width, false);
  const above = beside.fits || !noted ? 0 : NOTE.height;
  const tops = (h: number): number =>
    Math.ceil(
      Math.max(
        cross ? above + CAPTION_ABOVE + blocks.W_K.rows * h + CAPTION_ABOVE + 6 + blocks.K.rows * h : 0,
        above + CAPTION_ABOVE + blocks.W_Q.rows * h,
        above + headroom(keyNames, cell) + over.rows * h,
        CAPTION_ABOVE + blocks.V.rows * h,
        noted ? NOTE.height : 0,
      ),
    );
  const below = CAPTION_BELOW + 4 + 2 * LEGEND;
  const height = cellHeightFor(room.height, (h) => tops(h) + CHANNEL + blocks.X.rows * h + below);
  const base = tops(height);
  const low = base + CHANNEL;
  const onMemory = new Set(cross ? ["M", "K", "V"] : []);

  const at = new Map<string, PlacedTensor>();
  let x = left;
  columns.forEach(({ block, empty }, index) => {
    x += gaps[index]!;
    if (empty) {
      x += block.columns * cell;
      return;
    }
    const tier = onMemory.has(block.node);
    at.set(
      block.node,
      place(scene, block, x, tier ? base - block.rows * height : low, cell, height, {
        caption: tier ? "above" : "below",
        ...(block.node === (own ? "Q" : "X")
          ? { rowNames: names }
          : block.node === "M"
            ? { rowNames: keyNames }
            : {}),
        captionWidth: block.columns * cell + Math.min(gaps[index + 1] ?? 10, 42) - 8,
      }),
    );
    x += block.columns * cell;
  });
  if (own) {
    // Where the projection of the queries would stand.
    const y = base - blocks.K.rows * height;
    at.set("K", place(scene, blocks.K, left, y, cell, height, { caption: "above", rowNames: keyNames }));
  }
  for (const [weight, result] of own
    ? []
    : ([
        ["W_Q", "Q"],
        ["W_K", "K"],
        ["W_V", "V"],
      ] as const)) {
    const under = at.get(result)!;
    const bottom = onMemory.has(result) ? under.y - CAPTION_ABOVE - 6 : base;
    at.set(
      weight,
      place(scene, blocks[weight], under.x, bottom - blocks[weight].rows * height, cell, height, {
        caption: "above",
      }),
    );
  }
  placeOperands(scene, parts, at, base);
  const start = cross ? base + 7 : low - 7;
  const [keys, turned] = [at.get("K")!, at.get(over.node)!];
  if (own) {
    const y = turned.y + (over.rows * height) / 2;
    const ends: [number, number][] = [
      [right(keys, blocks.K.columns) + 7, y],
      [turned.x - 9, y],
    ];
    wire(scene, `K-${over.node}`, "K", over.node, ends, blocks.K.role, over.step);
  } else {
    climb(scene, "K", over.node, base + 20, keys, turned, blocks.K, over, start);
    climb(
      scene,
      "V",
      "V_above",
      base + 32,
      at.get("V")!,
      at.get("V_above")!,
      blocks.V,
      { ...blocks.V, step: blocks.output.step },
      start,
    );
  }
  operators(scene, parts, at);
  const end = low + blocks.X.rows * height;
  const spans = new Map(at);
  if (cross) for (const node of ["K", "V"]) spans.delete(node);
  legends(scene, parts, spans, end + CAPTION_BELOW + 4);
  if (noted) scene.note = beside.fits ? noteBetween(at, parts, 8) : noteAbove(at, left, 8, room);
  scene.width = Math.max(room.width, x + 12);
  scene.height = end + below;
  return scene;
}

/** Two systems, broken as music is: words to Q K V, then Q to the output. */
function two(parts: Parts): Scene {
  const { blocks, names, keyNames, room, cross, over, query } = parts;
  const scene = emptyScene(room.width);
  const left = labelWidth(names);
  const first: Column[] = [
    { block: blocks.X, gap: 0 },
    { block: blocks.Q, gap: GAP.first },
    ...(cross ? [{ block: blocks.M, gap: labelWidth(keyNames) + 16 }] : []),
    { block: blocks.K, gap: cross ? GAP.first : GAP.projections },
    { block: blocks.V, gap: GAP.projections },
  ];
  const second: Column[] = [{ block: blocks.Q, gap: 0 }, ...attentionColumns(parts, GAP.scores)];
  const height = 34;
  const upper = fitColumns(first, left, room.width, false);
  const lower = fitColumns(second, left, room.width, false, query !== null);
  // Cells of both systems are as wide.
  const cell = Math.min(upper.cell, lower.cell);
  const base1 = CAPTION_ABOVE + blocks.W_Q.rows * height;
  const low1 = base1 + 28;
  const at = placeColumns(scene, first, upper.gaps, left, low1, cell, height, (node) =>
    node === "X" ? names : node === "M" ? keyNames : undefined,
  );
  for (const [weight, result] of [
    ["W_Q", "Q"],
    ["W_K", "K"],
    ["W_V", "V"],
  ] as const) {
    place(scene, blocks[weight], at.get(result)!.x, base1 - blocks[weight].rows * height, cell, height, {
      caption: "above",
    });
  }
  const end1 = low1 + Math.max(blocks.X.rows, blocks.K.rows) * height;
  legends(scene, parts, at, end1 + CAPTION_BELOW + 6);
  const edge1 = right(at.get("V")!, blocks.V.columns) + BRACKET;

  const top = end1 + CAPTION_BELOW + 2 * LEGEND + 24;
  const base2 =
    top + Math.max(headroom(keyNames, cell) + over.rows * height, CAPTION_ABOVE + blocks.V.rows * height);
  const low2 = base2 + 28;
  const below = placeColumns(scene, second, lower.gaps, left, low2, cell, height, (node) =>
    node === "Q" ? names : undefined,
  );
  scene.tensors.find((tensor) => tensor === below.get("Q"))!.id = "Q_again";
  placeOperands(scene, parts, below, base2);
  operators(scene, parts, below);
  const end2 = low2 + blocks.scores.rows * height;
  const spans = new Map(below);
  spans.delete("Q");
  legends(scene, parts, spans, end2 + CAPTION_BELOW + 6);

  const edge2 = right(below.get("output")!, blocks.output.columns) + 12;
  scene.width = Math.max(room.width, edge1 + 12, edge2);
  scene.height = end2 + CAPTION_BELOW + LEGEND + 6;
  return scene;
}

export function attentionScene(config: ConfigOf<"attention">, _snapshots: Snapshots, room: Room): Scene {
  if (room.layout === "narrow") return productScene(config, room);
  const parts = partsOf(config, room);
  const scene = room.layout === "wide" || parts.own ? wide(parts) : two(parts);
  if (parts.query !== null) scene.arrangement = remembered("additive", [parts.query]);
  return scene;
}

export function attentionStrip(config: ConfigOf<"attention">, _snapshots: Snapshots, room: Room): Scene {
  const additive = isAdditive(config.numbers);
  const blocks = attentionBlocks(config, room.words, additive ? queryOf(config.numbers, room) : 0);
  const cross = config.numbers.memory.length > 0;
  const order: AttentionNode[] = [
    ...(isOwn(config.numbers) ? [] : (["X"] as const)),
    ...(cross ? (["M"] as const) : []),
    "Q",
    "K",
    "V",
    ...(additive ? (["hidden"] as const) : []),
    ...(logitNodes(config.numbers) as AttentionNode[]),
    "weights",
    "output",
  ];
  return thumbnails(
    order.map((node) => (node === "hidden" ? { ...blocks.hidden, symbol: { text: "tanh" } } : blocks[node])),
    stepNodes(config.numbers, room),
    room.width,
  );
}
