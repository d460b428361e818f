/** The pictures of the ViT lab that are drawn by hand: the image under its grid, its veil and its looks, a patch, the products. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderOf, hasEncoder, patchCount } from "../../config/labs/vit.js";
import { formatNote } from "../../marks/numbers.js";
import type { PlacedImage, Role, Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangedAs } from "../../stage/arrangement.js";
import { crossingScene } from "../../stage/crossing.js";
import { LEGEND, emptyScene, labelWidth, legend, place, type Block } from "../../stage/place.js";
import { pixelOf, stopAt } from "./flow.js";
import { sayIn } from "./strings.js";
import { clsCount, rowCount, rowNames, sequenceNode } from "./tensors.js";

type Config = ConfigOf<"vit">;
type Cell = PlacedImage["cells"][number];
type Family = "pixels" | "vectors" | "parameters" | "scores" | "scaled" | "weights";

/** What a picture is drawn of. */
interface Parts {
  numbers: VitNumbers;
  room: Room;
  scene: Scene;
  snapshots: Snapshots;
  of: (node: string) => Block;
  /** The row unfolded; CLS is 0 where there is one. */
  row: number;
  /** Its patch, or the first one for CLS. */
  patch: number;
  /** The row that it is compared with; of an encoder, the head. */
  other: number;
  /** What else is opened: the column of the projection, or the look that `row` is framed in. */
  opened: number | undefined;
}

const TOP = 30;
const LEFT = 8;
/** Heights of a band of one channel, of a row of the sequence, of a row of scores, and of the largest weight over it. */
const BAND = 16;
const THIN = 12;
const ROW = 18;
const SKYLINE = 20;
/** More patches than this are not drawn one by one in the line of patches. */
const SMALL_IMAGES = 64;
/** What the rows of the sequence have left of them, and how wide they are at most. */
const NAMES = 52;
const WIDEST = 40;

/** Says over a picture what it is, from the step of Play on that it comes with. */
function caption(
  { scene }: Parts,
  x: number,
  y: number,
  width: number,
  text: string,
  shape: string,
  step: number,
): void {
  scene.labels.push({ x, y, text, kind: "caption", step });
  if (shape) scene.labels.push({ x: x + width, y, text: shape, kind: "shape", anchor: "end", step });
}

/** An image in a square, with a cell for each patch. */
function image(
  { numbers, scene }: Parts,
  [x, y, size]: readonly [number, number, number],
  rest: Pick<PlacedImage, "id" | "step"> & Partial<PlacedImage>,
  cellOf: (patch: number) => Cell,
): void {
  const cells = Array.from({ length: patchCount(numbers) }, (_, patch) => cellOf(patch));
  scene.images.push({ node: "image", x, y, size, patch: numbers.patch, frames: [], cells, ...rest });
}

/** The largest weight of a patch's own row: what it looks at most. */
function mostOf({ numbers, other, snapshots }: Parts, patch: number): Cell {
  const row = patch + clsCount(numbers);
  const total = rowCount(numbers);
  const weights = snapshots.get("weights")?.data;
  let most = 0;
  for (let at = 1; weights && at < total; at++)
    if (weights[row * total + at]! > weights[row * total + most]!) most = at;
  return { node: "weights", index: [row, weights ? most : other] };
}

/** The whole image under its grid; a pointed-at patch becomes the one that is unfolded, by what it looks at most where that is drawn. */
function whole(parts: Parts, x: number, y: number, size: number): void {
  const { numbers, row, patch, room } = parts;
  const shape = `3×${numbers.size}×${numbers.size} C×H×W`;
  caption(parts, x, y - 12, size, room.words("labs.vit.image"), shape, 0);
  const frames: PlacedImage["frames"] = row < clsCount(numbers) ? [] : [{ patch, role: "ink" }];
  image(parts, [x, y, size], { id: "image", step: 0, frames }, (one) =>
    hasEncoder(numbers) ? pixelOf(numbers, one) : mostOf(parts, one),
  );
}

/** From the framed patch of the image to the same patch drawn large. */
function magnified(
  { numbers, row, patch, scene }: Parts,
  [x, y, size]: readonly [number, number, number],
  [left, top, side]: readonly [number, number, number],
): void {
  if (row < clsCount(numbers)) return;
  const perLine = numbers.size / numbers.patch;
  const patchSide = size / perLine;
  const edge = x + ((patch % perLine) + 1) * patchSide;
  const upper = y + Math.floor(patch / perLine) * patchSide;
  const corners: [number, number][] = [
    [upper, top],
    [upper + patchSide, top + side],
  ];
  corners.forEach(([from, to], n) =>
    scene.curves.push({
      id: `magnified-${n}`,
      points: [
        [edge + 3, from],
        [left - 5, to],
      ],
      role: "activation",
      kind: "dashed",
      over: true,
      step: 0,
    }),
  );
}

/** The image under a veil: what is clear is what the unfolded row looks at. */
function veiled(parts: Parts, x: number, y: number, size: number): void {
  const { numbers, row, patch, other, room, of } = parts;
  const cls = clsCount(numbers);
  const { step, columns } = of("weights");
  const name = rowNames(numbers, room.words)[row] ?? "";
  caption(parts, x, y - 12, size, room.words("labs.vit.looks", { patch: name }), String(columns), step);
  const frames: { patch: number; role: Role | "ink" }[] = row < cls ? [] : [{ patch, role: "query" }];
  if (other >= cls && other !== row) frames.push({ patch: other - cls, role: "ink" });
  const veil = { node: "weights", at: [row, null], skip: cls };
  image(parts, [x, y, size], { id: "veiled", frames, step, veil }, (one) => ({
    node: "weights",
    index: [row, one + cls],
  }));
}

/** One patch, large, and its numbers, red, green and blue apart. */
function unfolded(parts: Parts, x: number, y: number, size: number): number {
  const { numbers, patch, scene, room, of } = parts;
  const side = numbers.patch;
  caption(parts, x, y - 12, size, room.words("labs.vit.patch", { n: patch }), `3×${side}×${side}`, 0);
  const cells = [pixelOf(numbers, patch)];
  image(parts, [x, y, size], { id: "patch", only: patch, cells, step: 0 }, () => cells[0]!);
  const top = y + size + 36;
  const bands = { ...of("bands"), at: [patch, null, null] };
  caption(parts, x, top - 10, size, room.words("labs.vit.flattened"), `${3 * bands.columns} P·P·C`, 1);
  place(scene, bands, x, top, size / bands.columns, BAND, { rowNames: ["R", "G", "B"] });
  return top + 3 * BAND + 8;
}

/** One patch, unfolded, and the rows of it and of the patch looked at. */
function patchWithRows(parts: Parts, x: number, y: number, size: number): number {
  const { numbers, row, other, scene, of } = parts;
  const top = unfolded(parts, x, y, size);
  // The two rows whose dot product a score is, one under the other.
  const query = { ...of(sequenceNode(numbers)), rows: 1, at: [row, null] };
  const key = { ...of("K_T"), rows: 1, columns: query.columns, at: [null, other] };
  const cell = Math.min(33, size / query.columns);
  place(scene, query, x, top, cell, THIN, { id: "row" });
  place(scene, key, x, top + THIN + 8, cell, THIN, { id: "K_T-column" });
  const named = { x: x - 10, kind: "axis", anchor: "end" } as const;
  scene.labels.push({ ...named, y: top + 10, text: "q", role: "query", step: query.step });
  scene.labels.push({ ...named, y: top + THIN + 18, text: "k", role: "key", step: key.step });
  return top + 2 * THIN + 14;
}

/** The patches in reading order, small, over the columns of their rows. */
function smallImages(
  parts: Parts,
  [left, top, cell, size]: readonly [number, number, number, number],
  inset: number,
  cellOf: (patch: number) => Cell,
  role?: Role,
): void {
  const { numbers, scene } = parts;
  const cls = clsCount(numbers);
  if (cls)
    scene.labels.push({
      x: left - 8,
      y: top + size / 2 + 4,
      text: "CLS",
      kind: "axis",
      anchor: "end",
      ...(role ? { role } : {}),
      step: 1,
    });
  for (let n = 0; n < patchCount(numbers); n += 1) {
    const x = left + (n + cls) * cell + inset;
    image(parts, [x, top, size], { id: `word-${n}`, only: n, cells: [cellOf(n)], step: 1 }, cellOf);
  }
}

/** The side of a patch in the line of patches. */
function wordSide({ numbers }: Parts, width: number): number {
  const cell = Math.min(WIDEST, (width - NAMES) / rowCount(numbers));
  return patchCount(numbers) <= SMALL_IMAGES ? Math.min(28, cell - 2) : 0;
}

/** Every row of the sequence in reading order: the patches themselves, and how much the unfolded row looks at each. */
function line(parts: Parts, x: number, y: number, width: number): number {
  const { numbers, row, scene, of, room } = parts;
  const { words } = room;
  const cls = clsCount(numbers);
  const sequence = of(sequenceNode(numbers));
  const total = sequence.rows;
  const title = words(cls ? "labs.vit.sentence.cls" : "labs.vit.sentence", { n: total - cls });
  caption(parts, x, y, width, title, `${total}×${sequence.columns}`, 1);
  const cell = Math.min(WIDEST, (width - NAMES) / total);
  const left = x + NAMES;
  let top = y + 10;
  const size = wordSide(parts, width);
  if (size > 0) {
    const cellOf = (n: number): Cell => ({ node: "weights", index: [row, n + cls] });
    smallImages(parts, [left, top, cell, size], 1, cellOf, "weight");
    top += size + 8;
  }
  for (const name of ["scores", "scaled", "weights"] as const) {
    if (name === "weights") top = skyline(parts, left, top + 2, cell, total);
    const block: Block = { ...of(name), rows: 1, at: [row, null] };
    place(scene, block, left, top, cell, ROW, { id: `${name}-row` });
    scene.labels.push({
      x: left - 10,
      y: top + 12,
      text: name === "scaled" ? "÷√d" : words(`labs.vit.single.${name}`),
      kind: "axis",
      anchor: "end",
      step: block.step,
    });
    top += ROW + 6;
  }
  return top;
}

/** The weights of the unfolded row as heights, the largest full. */
function skyline(
  { row, scene, snapshots, of }: Parts,
  x: number,
  top: number,
  cell: number,
  total: number,
): number {
  const base = top + SKYLINE;
  const weights = snapshots.get("weights")?.data.subarray(row * total, (row + 1) * total);
  const largest = weights ? Math.max(...weights) : 0;
  if (!weights || weights.length !== total || !(largest > 0)) return base + 6;
  const points: [number, number][] = [[x, base]];
  weights.forEach((weight, place) => {
    const y = base - (SKYLINE * weight) / largest;
    points.push([x + place * cell, y], [x + (place + 1) * cell, y]);
  });
  points.push([x + total * cell, base]);
  const { step } = of("weights");
  scene.curves.push({ id: "skyline", points, role: "attention", kind: "line", step });
  scene.labels.push({ x: x - 10, y: top + 9, text: formatNote(largest), kind: "axis", anchor: "end", step });
  return base + 6;
}

function legends({ scene, room }: Parts, x: number, y: number, width: number, perLine: number): number {
  const shown = (["pixels", "scores", "scaled", "weights"] as const).filter((family) =>
    scene.tensors.some((tensor) => tensor.family === family),
  );
  const each = Math.floor(width / perLine);
  shown.forEach((family, index) => {
    const fill = family === "weights" ? "probability" : "activation";
    const text = room.words(family === "pixels" ? "labs.legend.pixels" : `labs.legend.vit.${family}`);
    const top = y + Math.floor(index / perLine) * LEGEND;
    legend(scene, family, fill, x + (index % perLine) * each, top, each - 6, text);
  });
  return y + Math.ceil(shown.length / perLine) * LEGEND + 6;
}

/** The image, a patch of it and what that looks at, with the note in the gap before the veil; on two columns a third of the width each. */
function attended(parts: Parts): void {
  const { scene, room } = parts;
  const inner = room.width - 2 * LEFT;
  if (room.layout === "two") {
    const gap = 22;
    const size = Math.min(360, Math.floor((inner - 2 * gap) / 3));
    whole(parts, LEFT, TOP, size);
    const end = patchWithRows(parts, LEFT + size + gap, TOP, size);
    veiled(parts, LEFT + 2 * (size + gap), TOP, size);
    const y = line(parts, LEFT, Math.max(TOP + size, end) + 34, inner);
    scene.height = legends(parts, LEFT, y + 6, inner, 2);
    return;
  }
  const size = Math.max(
    200,
    Math.min(
      360,
      room.height - TOP - 176 - SKYLINE - wordSide(parts, inner),
      Math.floor((room.width - 590) / 2.1),
    ),
  );
  const side = Math.min(264, size - 97);
  const middle = LEFT + size + 44;
  const last = room.width - size - LEFT;
  whole(parts, LEFT, TOP, size);
  patchWithRows(parts, middle, TOP, side);
  magnified(parts, [LEFT, TOP, size], [middle, TOP, side]);
  veiled(parts, last, TOP, size);
  const note = middle + side + 28;
  scene.note = last - 24 - note >= 136 ? { x: note, y: TOP, width: last - 24 - note } : null;
  const y = line(parts, LEFT, TOP + size + 40, inner);
  scene.height = legends(parts, LEFT, y + 6, inner, 4);
}

/** The note right of what is drawn, where it has room. */
const noteAt = (room: Room, x: number, y: number, most = 480): Scene["note"] =>
  room.width - x - 8 >= 240 ? { x, y, width: Math.min(most, room.width - x - 8) } : null;

/** The image and one patch of it, unfolded. */
function cut(parts: Parts): void {
  const { room, scene } = parts;
  const inner = room.width - 2 * LEFT;
  const size = Math.min(360, Math.floor((inner - 60) / 2), Math.max(220, room.height - TOP - 60));
  whole(parts, LEFT, TOP, size);
  const middle = LEFT + size + 56;
  const side = Math.min(264, size - 90);
  const end = unfolded(parts, middle, TOP, side);
  magnified(parts, [LEFT, TOP, size], [middle, TOP, side]);
  scene.note = noteAt(room, middle + side + 40, TOP);
  scene.height = legends(parts, LEFT, Math.max(end, TOP + size) + 14, Math.min(inner, 640), 2);
}

interface Look {
  node: "cls_weights" | "cls_rollout";
  /** A place on each axis but the last. */
  at: number[];
  text: string;
}

/** What CLS looks at in each head, and rolled out. */
function looksOf({ numbers, room }: Parts): [heads: Look[], rolled: Look] {
  const say = sayIn(room.words);
  const { heads, layers: n } = encoderOf(numbers);
  return [
    Array.from({ length: heads }, (_, head) => ({
      node: "cls_weights",
      at: [head, 0],
      text: say("head", { n: head }),
    })),
    {
      node: "cls_rollout",
      at: [0],
      text: say(n === 1 ? "heading.rollout.one" : "heading.rollout.many", { n }),
    },
  ];
}

/** Narrower pictures do not say their largest weight. */
const SAYS = 124;
/** Between pictures of looks, beside and under each other. */
const BESIDE = 14;
const UNDER = 28;
const LOOK_ROW = { height: 17, gap: 5, names: 62 };

/** A look over the image: the more of the attention's colour on a patch, the larger its weight. */
function lookPicture(parts: Parts, { node, at, text }: Look, x: number, y: number, size: number): void {
  const { numbers, room, snapshots, of, row, other, opened } = parts;
  const { columns, step } = of(node);
  const skip = clsCount(numbers);
  const from = node === "cls_weights" ? at[0]! * columns : 0;
  const weights = snapshots.get(node)?.data.subarray(from + skip, from + columns);
  const largest = weights?.length ? Math.max(...weights) : 0;
  const most = size >= SAYS ? sayIn(room.words)("scale", { most: formatNote(largest) }) : "";
  caption(parts, x, y - 9, size, text, most, step);
  const isOpened = node === "cls_weights" ? opened === 1 && at[0] === other : opened === 2;
  const frames: PlacedImage["frames"] = isOpened && row > 0 ? [{ patch: row - 1, role: "ink" }] : [];
  const veil: PlacedImage["veil"] = { node, at: [...at, null], skip, tint: "attention" };
  image(parts, [x, y, size], { id: `${node}-${at.join("-")}`, frames, step, veil }, (n) => ({
    node,
    index: [...at, n + skip],
  }));
}

/** Looks in columns; gives back their right and lower edges. */
function lookGrid(
  parts: Parts,
  looks: readonly Look[],
  columns: number,
  x: number,
  y: number,
  side: number,
): [number, number] {
  looks.forEach((look, at) =>
    lookPicture(
      parts,
      look,
      x + (at % columns) * (side + BESIDE),
      y + Math.floor(at / columns) * (side + UNDER),
      side,
    ),
  );
  return [x + columns * (side + BESIDE) - BESIDE, y + Math.ceil(looks.length / columns) * (side + UNDER)];
}

/** The pictures of the heads in rows that are `size` high in all; gives back their right edge. */
function headLooks(parts: Parts, looks: readonly Look[], x: number, y: number, size: number): number {
  const rows = looks.length === 1 ? 1 : looks.length <= 4 ? 2 : 3;
  return lookGrid(parts, looks, Math.ceil(looks.length / rows), x, y, (size - (rows - 1) * UNDER) / rows)[0];
}

/** The rows of looks under the line of patches, and their scales. */
function looksLine(parts: Parts, looks: readonly Look[], y: number): number {
  const { numbers, scene, room, of } = parts;
  const { words } = room;
  const say = sayIn(words);
  const x = LEFT;
  const width = room.width - 2 * LEFT;
  const n = patchCount(numbers);
  const total = of(looks[0]!.node).columns;
  const cell = Math.min(WIDEST, (width - LOOK_ROW.names) / total);
  const left = x + LOOK_ROW.names;
  const title = room.layout === "narrow" ? say("line", { n }) : words("labs.vit.sentence.cls", { n });
  caption(parts, x, y, width, title, String(total), 1);
  let top = y + 10;
  if (n <= SMALL_IMAGES) {
    const size = Math.max(3, Math.min(28, cell - 2));
    smallImages(parts, [left, top, cell, size], (cell - size) / 2, (one) => pixelOf(numbers, one));
    top += size + 7;
  }
  for (const { node, at } of looks) {
    const block = { ...of(node), at: [...at, null] };
    place(scene, block, left, top, cell, LOOK_ROW.height, { id: `${node}-row-${at[0]!}` });
    scene.labels.push({
      x: left - 10,
      y: top + 12,
      text: node === "cls_rollout" ? say("stop.rollout") : say("head", { n: at[0]! }),
      kind: "axis",
      anchor: "end",
      step: block.step,
    });
    top += LOOK_ROW.height + LOOK_ROW.gap;
  }
  const families = (["looks", "rolled"] as const).filter((family) =>
    scene.tensors.some((tensor) => tensor.family === family),
  );
  const perLine = width >= 600 ? families.length : 1;
  const each = Math.floor(width / perLine);
  families.forEach((family, at) => {
    const lower = top + 6 + Math.floor(at / perLine) * LEGEND;
    legend(scene, family, "probability", x + (at % perLine) * each, lower, each - 8, say(`legend.${family}`));
  });
  return top + 6 + Math.ceil(families.length / perLine) * LEGEND + 6;
}

/** The image, the heads and the rollout side by side where they have room; under them the same as rows. */
function looks(parts: Parts): void {
  const { room, scene } = parts;
  const inner = room.width - 2 * LEFT;
  const [ofHeads, rolled] = looksOf(parts);
  const all = [...ofHeads, rolled];
  if (room.layout === "two") {
    const size = Math.min(340, Math.floor((inner - 40) / 2));
    whole(parts, LEFT, TOP, size);
    lookPicture(parts, rolled, LEFT + size + 40, TOP, size);
    const second = TOP + size + 44;
    const left = headLooks(parts, ofHeads, LEFT, second, size) + 28;
    scene.note = noteAt(room, left, second, Infinity);
    scene.height = looksLine(parts, all, second + size + 30);
    return;
  }
  const size = Math.max(190, Math.min(300, room.height - TOP - (all.length * 22 + 130)));
  const gap = 36;
  whole(parts, LEFT, TOP, size);
  const last = headLooks(parts, ofHeads, LEFT + size + gap, TOP, size) + gap;
  lookPicture(parts, rolled, last, TOP, size);
  scene.note = noteAt(room, last + size + 28, 8);
  scene.height = looksLine(parts, all, TOP + size + 32);
}

/** A stop of a phone: one picture over the width of the screen, and under it what belongs to it. */
function onPhone(parts: Parts, stop: string): void {
  const { scene, room } = parts;
  const size = room.width - 2 * LEFT;
  const below = TOP + size;
  if (stop === "cut") {
    whole(parts, LEFT, TOP, size);
    scene.height = below + 12;
  } else if (stop === "flatten") {
    const draw = hasEncoder(parts.numbers) ? unfolded : patchWithRows;
    scene.height = legends(parts, LEFT, draw(parts, 30, TOP, Math.min(264, size - 30)) + 8, size, 1);
  } else if (stop === "attend") {
    veiled(parts, LEFT, TOP, size);
    scene.height = legends(parts, LEFT, line(parts, LEFT, below + 30, size) + 6, size, 1);
  } else if (stop === "rollout") {
    const [, rolled] = looksOf(parts);
    lookPicture(parts, rolled, LEFT, TOP, size);
    scene.height = looksLine(parts, [rolled], below + 28);
  } else {
    const [ofHeads] = looksOf(parts);
    const columns = ofHeads.length > 4 ? 3 : ofHeads.length > 1 ? 2 : 1;
    const side = (size - (columns - 1) * BESIDE) / columns;
    const [, end] = lookGrid(parts, ofHeads, columns, LEFT, TOP, side);
    scene.height = looksLine(parts, ofHeads, end + 4);
  }
}

/** The patches times their projection, plus its bias; or the rows weighted. */
function product({ numbers, room, of }: Parts, id: "project" | "mix"): Scene {
  const { words } = room;
  const legendOf = (family: string) => words(`labs.legend.vit.${family as Family}`);
  const names = rowNames(numbers, words);
  if (id === "mix")
    return crossingScene(room, {
      left: of("weights"),
      above: of(sequenceNode(numbers)),
      result: of("output"),
      rowNames: names,
      legendOf,
    });
  return crossingScene(room, {
    left: of("patches"),
    above: of("W_E"),
    result: of("projected"),
    then: [of("tokens")],
    over: of("b_E"),
    rowNames: names.slice(clsCount(numbers)),
    legendOf,
  });
}

const KERNEL = { side: 56, gap: 10, room: 118 };

/** The column of W_E that makes the target, as the kernel of a convolution: right of the note, where there is room. */
function kernel(scene: Scene, { room, snapshots, of, opened: column = 0 }: Parts): void {
  const { note } = scene;
  const projection = scene.tensors.find(({ node }) => node === "W_E");
  if (!note || !projection || !snapshots.has("kernels")) return;
  const left = note.x + note.width + 28;
  if (projection.x - left < KERNEL.room) return;
  const { step } = projection;
  const { words } = room;
  scene.labels.push({
    x: left - 6,
    y: 22,
    text: words("labs.vit.kernel", { n: column }),
    kind: "caption",
    step,
  });
  (["red", "green", "blue"] as const).forEach((name, channel) => {
    const block = { ...of("kernels"), at: [column, channel, null, null] };
    const y = 32 + channel * (KERNEL.side + KERNEL.gap);
    const cell = KERNEL.side / block.columns;
    place(scene, block, left, y, cell, cell, { id: `kernel-${channel}` });
    scene.labels.push({
      x: left + KERNEL.side + 14,
      y: y + KERNEL.side / 2 + 4,
      text: words(`labs.vit.${name}`),
      kind: "axis",
      step,
    });
  });
}

/** Room for the note right of the sum. */
const NOTE = 380;

/** CLS before the tokens, plus the positions, is the sequence: three matrices on the same rows. */
function sum({ numbers, room, scene, of }: Parts): void {
  const { words } = room;
  const names = rowNames(numbers, words);
  const gap = 40;
  const left = Math.max(64, labelWidth(names));
  const { columns } = of("sequence");
  const stacked = room.layout === "narrow";
  // On a wide screen the note stands at the right.
  const beside = (stacked ? 0 : 2 * gap) + (room.layout === "wide" ? NOTE : 0);
  const cell = Math.min(36, (room.width - left - 12 - beside) / (stacked ? columns : 3 * columns));
  const height = Math.min(26, Math.max(2, (room.height - (stacked ? 130 : 188)) / names.length));
  let x = left;
  let y = stacked ? 16 : 62;
  // The class token is the first row of what is joined.
  if (!stacked) place(scene, of("CLS"), left, 16, cell, 18, { id: "CLS", rowNames: ["CLS"] });
  ["joined", "position", "sequence"].forEach((node, index) => {
    const block = of(node);
    const rowLabels = index === 0 || stacked ? { rowNames: names } : {};
    place(scene, block, x, y, cell, height, { caption: "below", ...rowLabels });
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
          step: block.step,
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
}

/** The picture of the arrangement; null where lines draw it. */
function drawn(parts: Parts, id: string): Scene | null {
  const [kind, stop] = id.split("-");
  const { scene } = parts;
  if (kind === "project" || kind === "mix") {
    const made = product(parts, kind);
    if (kind === "project") kernel(made, parts);
    return made;
  }
  if (kind === "place") sum(parts);
  else if (kind !== "image" && kind !== "cut" && kind !== "look") return null;
  else if (stop !== undefined) onPhone(parts, stop);
  else ({ image: attended, cut, look: looks })[kind](parts);
  return scene;
}

export function picture(
  { numbers }: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene | null {
  const { id, memory } = arrangedAs(room);
  const [row = 0, other = 0, opened] = memory;
  const patch = Math.max(0, row - clsCount(numbers));
  const scene = emptyScene(room.width);
  const made = drawn({ numbers, room, scene, snapshots, of, row, patch, other, opened }, id);
  if (made && room.layout === "narrow") made.stop = stopAt(numbers, id);
  return made;
}
