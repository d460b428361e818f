/** What CLS looks at, laid over the image: a picture for each head of the last layer and one for the rollout; the numbers as rows. */
import type { VitNumbers } from "../../../config/config.js";
import { encoderOf } from "../../../config/labs/vit.js";
import { patchCount } from "../../../config/labs/vit.js";
import { formatNote } from "../../../marks/numbers.js";
import type { PlacedImage } from "../../../marks/scene.js";
import { LEGEND, legend, place } from "../../../stage/place.js";
import { clsCount, rowCount, stepIds } from "../blocks.js";
import { caption, eachPatch, pixelOf, type Parts } from "../pictures.js";
import { encoderTensors, sayIn } from "./tensors.js";

/** Most patches that are drawn one by one over the rows. */
const SMALL_IMAGES = 64;
const ROW = 17;
const ROW_GAP = 5;
/** Narrower pictures do not say their largest weight. */
const SAYS = 124;
export const CAPTION = 24;

/** How the pictures of the heads stand: rows of them. */
export function headRows({ heads }: { heads: number }): number {
  return heads === 1 ? 1 : heads <= 4 ? 2 : 3;
}

interface Look {
  node: "cls_weights" | "cls_rollout";
  /** A place on each axis but the last. */
  at: number[];
  text: string;
}

export function headLooks(numbers: VitNumbers, parts: Parts): Look[] {
  const say = sayIn(parts.room.words);
  return Array.from({ length: encoderOf(numbers).heads }, (_, head) => ({
    node: "cls_weights",
    at: [head, 0],
    text: say("head", { n: head }),
  }));
}

export function rolloutLook(parts: Parts): Look {
  const { layers } = encoderOf(parts.config.numbers);
  const text = sayIn(parts.room.words)(layers === 1 ? "heading.rollout.one" : "heading.rollout.many", {
    n: layers,
  });
  return { node: "cls_rollout", at: [0], text };
}

/** The weights of a look, CLS first. */
function rowOf({ snapshots, config }: Parts, { node, at }: Look): Float64Array | undefined {
  const total = rowCount(config.numbers);
  const row = node === "cls_weights" ? at[0]! : 0;
  return snapshots.get(node)?.data.subarray(row * total, (row + 1) * total) as Float64Array | undefined;
}

/** A look over the image: the more of the attention's colour on a patch, the larger its weight. */
export function picture(parts: Parts, look: Look, x: number, y: number, size: number): void {
  const { config, scene, room } = parts;
  const { numbers } = config;
  const { node, at } = look;
  const weights = rowOf(parts, look)?.subarray(clsCount(numbers));
  const largest = weights?.length ? Math.max(...weights) : 0;
  const most = size >= SAYS ? sayIn(room.words)("scale", { most: formatNote(largest) }) : "";
  const step = stepIds(numbers).indexOf(node === "cls_weights" ? "look" : "rollout");
  caption(parts, [x, y - 9, size], look.text, most, step);
  const { cell } = room;
  const here = cell?.node === node && cell.index.slice(0, -1).join() === at.join();
  const patch = here ? cell.index.at(-1)! - 1 : -1;
  const frames: PlacedImage["frames"] = patch < 0 ? [] : [{ patch, role: "ink" }];
  scene.images.push({
    id: `${node}-${at.join("-")}`,
    node: "image",
    x,
    y,
    size,
    patch: numbers.patch,
    frames,
    step,
    veil: { node, at: [...at, null], skip: clsCount(numbers), tint: "attention" },
    cells: eachPatch(parts, (n) => ({ node, index: [...at, n + clsCount(numbers)] })),
  });
}

/** The pictures of the heads in a square of `size`. */
export function heads(parts: Parts, x: number, y: number, size: number): number {
  const { numbers } = parts.config;
  const looks = headLooks(numbers, parts);
  const rows = headRows({ heads: looks.length });
  const columns = Math.ceil(looks.length / rows);
  const side = (size - (rows - 1) * (CAPTION + 4)) / rows;
  looks.forEach((look, at) => {
    const column = at % columns;
    picture(parts, look, x + column * (side + 14), y + Math.floor(at / columns) * (side + CAPTION + 4), side);
  });
  return columns * (side + 14) - 14;
}

export function headsWidth(numbers: VitNumbers, size: number): number {
  const { heads: count } = encoderOf(numbers);
  const rows = headRows({ heads: count });
  const columns = Math.ceil(count / rows);
  return columns * ((size - (rows - 1) * (CAPTION + 4)) / rows + 14) - 14;
}

/** The rows of looks under the line of patches, and their scales. */
export function looksLine(parts: Parts, looks: readonly Look[], x: number, y: number, width: number): number {
  const { config, scene, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const say = sayIn(words);
  const count = patchCount(numbers);
  const total = rowCount(numbers);
  const label = 62;
  const cell = Math.min(40, (width - label) / total);
  const left = x + label;
  const narrow = room.layout === "narrow";
  const title = narrow ? say("line", { n: count }) : words("labs.vit.sentence.cls", { n: count });
  caption(parts, [x, y, width], title, String(total), 1);
  let top = y + 10;
  if (count <= SMALL_IMAGES) {
    const size = Math.max(3, Math.min(28, cell - 2));
    for (let n = 0; n < count; n += 1) {
      scene.images.push({
        id: `word-${n}`,
        node: "image",
        x: left + (n + 1) * cell + (cell - size) / 2,
        y: top,
        size,
        patch: numbers.patch,
        only: n,
        frames: [],
        cells: [pixelOf(parts, n)],
        step: 1,
      });
    }
    scene.labels.push({
      x: left - 8,
      y: top + size / 2 + 4,
      text: "CLS",
      kind: "axis",
      anchor: "end",
      step: 1,
    });
    top += size + 7;
  }
  const tensors = new Map(encoderTensors(config, words).map((tensor) => [tensor.node, tensor]));
  for (const { node, at } of looks) {
    const rolled = node === "cls_rollout";
    const tensor = tensors.get(node)!;
    place(scene, { ...tensor, rows: 1, columns: total, at: [...at, null] }, left, top, cell, ROW, {
      id: `${node}-row-${at[0]!}`,
    });
    scene.labels.push({
      x: left - 10,
      y: top + 12,
      text: rolled ? say("stop.rollout") : say("head", { n: at[0]! }),
      kind: "axis",
      anchor: "end",
      step: tensor.step,
    });
    top += ROW + ROW_GAP;
  }
  return scales(parts, looks, x, top + 6, width);
}

function scales(parts: Parts, looks: readonly Look[], x: number, y: number, width: number): number {
  const say = sayIn(parts.room.words);
  const families = (["cls_weights", "cls_rollout"] as const).filter((name) =>
    looks.some(({ node }) => node === name),
  );
  const perLine = width >= 600 ? families.length : 1;
  const each = Math.floor(width / perLine);
  families.forEach((node, at) => {
    const [family, text] =
      node === "cls_weights"
        ? (["looks", say("legend.looks")] as const)
        : (["rolled", say("legend.rolled")] as const);
    const line = Math.floor(at / perLine);
    const left = x + (at % perLine) * each;
    legend(parts.scene, family, "probability", left, y + line * LEGEND, each - 8, text);
  });
  return y + Math.ceil(families.length / perLine) * LEGEND + 6;
}
