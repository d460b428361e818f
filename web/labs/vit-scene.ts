/** The stage of the ViT lab: the image with its grid, one patch large, its flat numbers, and the image veiled by what is not looked at. */
import type { ConfigOf } from "../config/config.js";
import { patchCount } from "../config/leaves.js";
import type { PlacedImage, Role, Room, Scene, Snapshots } from "../marks/scene.js";
import { crossingScene } from "./crossing.js";
import { LEGEND, emptyScene, legend, place, thumbnails, type Block } from "./place.js";
import {
  block,
  clsCount,
  focusOf,
  rowCount,
  rowNames,
  sequenceNode,
  stepIds,
  type Focus,
  type VitNode,
} from "./vit-blocks.js";

/** More patches than this are not drawn one by one in the line of patches. */
const SMALL_IMAGES = 64;
const NOTE = { width: 176, height: 190 };

interface Parts {
  config: ConfigOf<"vit">;
  room: Room;
  focus: Focus;
  scene: Scene;
}

type CellOf = PlacedImage["cellOf"];

/** The upper left pixel of a patch, red. */
function pixelOf({ config }: Parts): CellOf {
  const { size, patch } = config.numbers;
  const perLine = size / patch;
  return (n) => ({ node: "image", index: [0, Math.floor(n / perLine) * patch, (n % perLine) * patch] });
}

function caption({ scene }: Parts, x: number, y: number, width: number, text: string, shape: string): void {
  scene.labels.push({ x, y, text, kind: "caption" });
  if (shape) scene.labels.push({ x: x + width, y, text: shape, kind: "shape", anchor: "end" });
}

/** The whole image under its grid; a pointed-at patch becomes the one that is unfolded. */
function whole(parts: Parts, x: number, y: number, size: number): void {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const cls = clsCount(numbers);
  caption(parts, x, y - 12, size, room.words("labs.vit.image"), `3×${numbers.size}×${numbers.size} C×H×W`);
  scene.images.push({
    id: "image",
    node: "image",
    x,
    y,
    size,
    patch: numbers.patch,
    step: 0,
    frames: cls && focus.row < cls ? [] : [{ patch: focus.patch, role: "ink" }],
    cellOf: (n) => ({ node: "weights", index: [n + cls, focus.key ?? n + cls] }),
  });
}

/** The image under a veil: what is clear is what the unfolded row looks at. */
function veiled(parts: Parts, x: number, y: number, size: number): void {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const cls = clsCount(numbers);
  const name = rowNames(numbers, room.words)[focus.row] ?? "";
  caption(parts, x, y - 12, size, room.words("labs.vit.looks", { patch: name }), String(rowCount(numbers)));
  const frames: { patch: number; role: Role | "ink" }[] =
    focus.row < cls ? [] : [{ patch: focus.patch, role: "query" }];
  if (focus.key !== null && focus.key >= cls && focus.key !== focus.row)
    frames.push({ patch: focus.key - cls, role: "ink" });
  scene.images.push({
    id: "veiled",
    node: "image",
    x,
    y,
    size,
    patch: numbers.patch,
    frames,
    step: stepIds(numbers).indexOf("attend"),
    veil: { node: "weights", at: [focus.row, null], skip: cls },
    cellOf: (n) => ({ node: "weights", index: [focus.row, n + cls] }),
  });
}

/** One patch, large, and its numbers: red, green and blue apart; or, for a score, both flat rows one under the other. */
function patch(parts: Parts, x: number, y: number, size: number): number {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const side = numbers.patch;
  caption(parts, x, y - 12, size, words("labs.vit.patch", { n: focus.patch }), `3×${side}×${side}`);
  scene.images.push({
    id: "patch",
    node: "image",
    x,
    y,
    size,
    patch: side,
    only: focus.patch,
    frames: [],
    cellOf: pixelOf(parts),
    step: 0,
  });
  const flat = 3 * side * side;
  let top = y + size + 42;
  caption(parts, x, top - 10, size, words("labs.vit.flattened"), `${flat} P·P·C`);
  if (focus.node === "scores" && numbers.compare === "pixels" && focus.key !== null) {
    const cell = size / flat;
    const row: Block = { ...block(config, "patches", words), rows: 1, at: [focus.row, null] };
    const column: Block = { ...block(config, "K_T", words), rows: 1, columns: flat, at: [null, focus.key] };
    place(scene, row, x, top, cell, 20, { id: "patch-row" });
    place(scene, column, x, top + 30, cell, 20, { id: "K_T-column" });
    return top + 56;
  }
  const bands = { ...block(config, "bands", words), at: [focus.patch, null, null] };
  place(scene, bands, x, top, size / (side * side), 17, { rowNames: ["R", "G", "B"] });
  top += 3 * 17 + 6;
  return top;
}

/** Every row of the sequence in reading order: the patches themselves, and how much the unfolded row looks at each. */
function line(parts: Parts, x: number, y: number, width: number): number {
  const { config, focus, scene, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const cls = clsCount(numbers);
  const count = patchCount(numbers);
  const total = rowCount(numbers);
  const sequence = sequenceNode(numbers);
  const title = words(cls ? "labs.vit.sentence.cls" : "labs.vit.sentence", { n: count });
  caption(parts, x, y, width, title, `${total}×${block(config, sequence, words).columns}`);
  const label = 52;
  const cell = Math.min(40, (width - label) / total);
  const left = x + label;
  let top = y + 10;
  if (count <= SMALL_IMAGES) {
    const size = Math.min(28, cell - 2);
    if (cls)
      scene.labels.push({
        x: x + label - 8,
        y: top + size / 2 + 4,
        text: "CLS",
        kind: "axis",
        anchor: "end",
        role: "weight",
      });
    for (let n = 0; n < count; n += 1) {
      scene.images.push({
        id: `word-${n}`,
        node: "image",
        x: left + (n + cls) * cell + 1,
        y: top,
        size,
        patch: numbers.patch,
        only: n,
        frames: [],
        cellOf: () => ({ node: "weights", index: [focus.row, n + cls] }),
        step: 1,
      });
    }
    top += size + 8;
  }
  const node: VitNode = focus.node === "scores" || focus.node === "scaled" ? focus.node : "weights";
  const rows: VitNode[] =
    node === "weights" ? ["scaled", "weights"] : node === "scaled" ? ["scores", "scaled"] : ["scores"];
  for (const name of rows) {
    const row: Block = { ...block(config, name, words), rows: 1, columns: total, at: [focus.row, null] };
    place(scene, row, left, top, cell, 20, { id: `${name}-row` });
    scene.labels.push({
      x: x + label - 10,
      y: top + 14,
      text: words(`labs.vit.single.${name as "scores" | "scaled" | "weights"}`, { root: "√d" }),
      kind: "axis",
      anchor: "end",
    });
    top += 28;
  }
  return top;
}

const LEGENDS = ["pixels", "scores", "weights"] as const;

function legends(parts: Parts, x: number, y: number, width: number, perLine: number): number {
  const { scene, room } = parts;
  const shown = LEGENDS.filter((family) => scene.tensors.some((tensor) => tensor.family === family));
  const each = Math.floor(width / perLine);
  shown.forEach((family, index) => {
    const fill = family === "weights" ? "probability" : "activation";
    const text = room.words(
      family === "pixels"
        ? "labs.legend.pixels"
        : family === "scores"
          ? "labs.legend.scores"
          : "labs.legend.weights",
    );
    legend(
      scene,
      family,
      fill,
      x + (index % perLine) * each,
      y + Math.floor(index / perLine) * LEGEND,
      each - 20,
      text,
    );
  });
  return y + Math.ceil(shown.length / perLine) * LEGEND + 6;
}

/** Everything on one screen. */
function wide(parts: Parts): Scene {
  const { scene, room } = parts;
  const top = 30;
  const size = Math.max(200, Math.min(360, room.height - top - 190, Math.floor((room.width - 470) / 2.1)));
  const inner = Math.min(264, size - 96);
  const left = 8;
  const middle = left + size + 44;
  const last = room.width - size - 8;
  whole(parts, left, top, size);
  patch(parts, middle, top, inner);
  veiled(parts, last, top, size);
  const note = middle + inner + 28;
  scene.note = last - 24 - note >= NOTE.width - 40 ? { x: note, y: top, width: last - 24 - note } : null;
  const y = line(parts, left, top + size + 34, room.width - 16);
  scene.height = legends(parts, left, y + 6, room.width - 16, 3);
  return scene;
}

/** Image and patch side by side, then the veiled image and the line of patches; the note keeps the gap beside the veiled image. */
function two(parts: Parts): Scene {
  const { scene, room } = parts;
  const size = Math.min(360, Math.floor((room.width - 60) / 2));
  whole(parts, 8, 30, size);
  const patchEnd = patch(parts, 8 + size + 44, 30, Math.min(264, size - 20));
  const second = Math.max(30 + size, patchEnd) + 40;
  veiled(parts, 8, second, size);
  scene.note = { x: 8 + size + 28, y: second, width: room.width - size - 52 };
  const y = line(parts, 8, second + size + 34, room.width - 16);
  scene.height = legends(parts, 8, y + 6, room.width - 16, 2);
  return scene;
}

function narrow(parts: Parts): Scene {
  const { scene, room, config } = parts;
  const id = stepIds(config.numbers)[Math.max(0, room.step)] ?? "cut";
  const size = room.width - 16;
  if (id === "cut") {
    whole(parts, 8, 30, size);
    scene.height = 30 + size + 12;
  } else if (id === "flatten") {
    scene.height = legends(parts, 8, patch(parts, 30, 30, Math.min(264, size - 30)) + 8, size, 1);
  } else {
    veiled(parts, 8, 30, size);
    scene.height = legends(parts, 8, line(parts, 8, 30 + size + 30, size) + 6, size, 1);
  }
  return scene;
}

/** The product that a target belongs to, where that is not the image itself. */
function crossing(parts: Parts): Scene | null {
  const { config, focus, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const made = (node: VitNode) => block(config, node, words);
  const legendOf = (family: string) =>
    words(`labs.legend.vit.${family as "pixels" | "vectors" | "parameters" | "scores" | "weights"}`);
  const sequence = sequenceNode(numbers);
  const steps = stepIds(numbers);
  const step = room.layout === "narrow" ? steps[room.step] : null;
  if (focus.node === "output" || step === "mix") {
    return crossingScene(room, {
      left: made("weights"),
      above: made(sequence),
      result: made("output"),
      rowNames: rowNames(numbers, words),
      legendOf,
    });
  }
  if (focus.node === "K_T") {
    return crossingScene(room, {
      left: made(sequence),
      above: made("K_T"),
      result: made("scores"),
      rowNames: rowNames(numbers, words),
      legendOf,
    });
  }
  if (numbers.compare !== "projection") return null;
  const projecting =
    ["patches", "W_E", "b_E", "projected", "tokens"].includes(focus.node) || step === "project";
  if (projecting) {
    const names = rowNames({ ...numbers, cls: false }, words);
    return crossingScene(room, {
      left: made("patches"),
      above: made("W_E"),
      result: made("projected"),
      then: [made("tokens")],
      rowNames: names,
      legendOf,
    });
  }
  const placing = ["CLS", "joined", "position", "sequence"].includes(focus.node) || step === "place";
  return placing && numbers.cls ? sums(parts) : null;
}

/** CLS before the tokens, plus the positions, is the sequence: three matrices on the same rows. */
function sums(parts: Parts): Scene {
  const { config, room, scene } = parts;
  const { words } = room;
  const names = rowNames(config.numbers, words);
  const nodes: VitNode[] = ["joined", "position", "sequence"];
  const gap = 40;
  const left = 64;
  const columns = config.numbers.dim;
  const stacked = room.layout === "narrow";
  const cell = Math.min(
    36,
    (room.width - left - 12 - (stacked ? 0 : 2 * gap)) / (stacked ? columns : 3 * columns),
  );
  const height = Math.min(26, Math.max(2, (room.height - 130) / names.length));
  let x = left;
  let y = 16;
  nodes.forEach((node, index) => {
    const rowLabels = index === 0 || stacked ? { rowNames: names } : {};
    place(scene, block(config, node, words), x, y, cell, height, { caption: "below", ...rowLabels });
    if (stacked) y += names.length * height + 70;
    else {
      x += columns * cell + gap;
      if (index < 2)
        scene.labels.push({
          x: x - gap / 2,
          y: y + (names.length * height) / 2,
          text: index === 0 ? "+" : "=",
          kind: "heading",
          anchor: "middle",
        });
    }
  });
  const end = stacked ? y : y + names.length * height + 60;
  const width = Math.min(420, room.width - left - 8);
  legend(scene, "vectors", "activation", left, end, width, words("labs.legend.vit.vectors"));
  legend(scene, "parameters", "parameter", left, end + LEGEND, width, words("labs.legend.vit.parameters"));
  if (!stacked && room.width - x >= 280)
    scene.note = { x: x + 8, y: 8, width: Math.min(480, room.width - x - 16) };
  scene.width = Math.max(room.width, stacked ? left + columns * cell + 12 : x);
  scene.height = end + 2 * LEGEND + 6;
  return scene;
}

export function vitScene(config: ConfigOf<"vit">, _snapshots: Snapshots, room: Room): Scene {
  const parts: Parts = {
    config,
    room,
    focus: focusOf(config.numbers, room.cell),
    scene: emptyScene(room.width),
  };
  const product = crossing(parts);
  if (product) return product;
  return room.layout === "wide" ? wide(parts) : room.layout === "two" ? two(parts) : narrow(parts);
}

export function vitStrip(config: ConfigOf<"vit">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const projected: VitNode[] =
    numbers.compare === "pixels" ? [] : numbers.cls ? ["tokens", "sequence"] : ["tokens"];
  const order: VitNode[] = ["patches", ...projected, "scores", "scaled", "weights", "output"];
  const active = order.filter((node) => block(config, node, room.words).step === room.step);
  return thumbnails(
    order.map((node) => block(config, node, room.words)),
    active,
    room.width,
  );
}
