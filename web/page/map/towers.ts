/** The map as two towers that are read downwards, for narrow screens: the encoder at the left, the decoder at the right. */
import { textWidth } from "../../marks/measure.js";
import { BRACKET, legends, place } from "../../stage/place.js";
import { attentions, blocks, families, sizeOf, tensorsOf } from "./blocks.js";
import { MapDrawing, NAME_LINE, type MapPicture, type MapRoom } from "./picture.js";
import { places, type BlockId, type Place, type Stave } from "./places.js";

/** The width of a phone for which the lengths below are, and the most that they grow by. */
const WIDTH = 358;
const MOST = 1.4;

/** The lines of each tower: blocks side by side, and whether what came in is added to their result. */
const lines: Readonly<Record<Stave, readonly { blocks: readonly BlockId[]; adds?: true }[]>> = {
  encoder: [
    { blocks: ["encoder.words", "encoder.places"] },
    { blocks: ["encoder.self"], adds: true },
    { blocks: ["encoder.network"], adds: true },
    { blocks: ["encoder.memory"] },
  ],
  decoder: [
    { blocks: ["decoder.words", "decoder.places"] },
    { blocks: ["decoder.self"], adds: true },
    { blocks: ["decoder.cross"], adds: true },
    { blocks: ["decoder.network"], adds: true },
    { blocks: ["decoder.next"] },
  ],
};

const ACTIVATION = 50;
const WIDE = 112;
const BETWEEN = 26;
const BETWEEN_HEADS = 16;
/** The size of the cells of weights, and the height of the rows of other tensors. */
const CELL = { encoder: 10, decoder: 9.5 };
const ROW = { encoder: 8.5, decoder: 7.5 };

export function towersPicture(room: MapRoom): MapPicture {
  const { config, strings, snapshots, labs } = room;
  const scale = Math.min(MOST, room.width / WIDTH);
  const width = Math.min(room.width, MOST * WIDTH);
  const drawing = new MapDrawing({ ...room, width }, 13);
  const { scene } = drawing;
  const left = { encoder: 14, decoder: width - 150 * scale };
  const roomOf = { encoder: left.decoder - 22, decoder: width - left.decoder + 4 };
  /** Where the middle of the memory and of the cross attention are. */
  const middles = new Map<BlockId, number>();
  const bottoms = { encoder: 0, decoder: 0 };

  for (const stave of ["encoder", "decoder"] as const) bottoms[stave] = drawTower(stave);

  function drawTower(stave: Stave): number {
    const x = left[stave];
    const title = strings(stave);
    scene.labels.push({ x: x - 4, y: 12, text: title, kind: "heading" });
    const does = strings(`${stave}.does`);
    scene.labels.push({ x: x + 8 + textWidth(title, 12.5) * 1.1, y: 12, text: does, kind: "caption" });
    let y = 20;
    const stem = x + 22;
    for (const line of lines[stave]) {
      const above = y;
      y += heading(stave, line.blocks[0]!, y) + 5;
      const height = drawLine(stave, line.blocks, y);
      for (const id of line.blocks) middles.set(id, y + height / 2);
      y += height + 5;
      if (line.adds) {
        const [side, sum] = [x - 12, y + 9];
        drawing.wire("activation", 1.5, [stem, above + 1], [side, above + 1], [side, sum], [stem - 7, sum]);
        drawing.ring(stem, sum);
        y += 20;
      } else y += 6;
    }
    return y;
  }

  /** The name of the lab whose block is first on a line, or the name of the block; returns its height. */
  function heading(stave: Stave, id: BlockId, y: number): number {
    const lab = labs.find((one) => (places[one.id] as Place).tower === id);
    if (lab) return drawing.name(lab, left[stave] - 4, y + 3, roomOf[stave]) + 3;
    scene.labels.push({
      x: left[stave] - 4,
      y: y + 17,
      text: strings(`name.${blocks[id].kind}`),
      kind: "caption",
    });
    return NAME_LINE + 3;
  }

  function drawLine(stave: Stave, ids: readonly BlockId[], y: number): number {
    let x = left[stave];
    let height = 0;
    ids.forEach((id, at) => {
      const { kind } = blocks[id];
      const { rows, keys } = sizeOf(id, config);
      const isAttention = attentions.includes(kind);
      const row = scale * (isAttention ? CELL : ROW)[stave];
      const own = isAttention
        ? 2 * keys * row + BETWEEN_HEADS
        : scale * (kind === "network" || kind === "next" ? WIDE : ACTIVATION);
      height = rows * row;
      if (at > 0) {
        scene.labels.push({
          x: x + BETWEEN / 2,
          y: y + height / 2 + 5,
          text: "+",
          kind: "word",
          size: 15,
          anchor: "middle",
        });
        x += BETWEEN;
      }
      drawing.blocks.push({
        id,
        x: x - BRACKET - 2,
        y: y - 5,
        width: own + 2 * BRACKET + 4,
        height: height + 10,
      });
      const tensors = tensorsOf(id, snapshots, strings);
      const each = (own - (tensors.length - 1) * BETWEEN_HEADS) / tensors.length;
      tensors.forEach((tensor, head) =>
        place(scene, tensor, x + head * (each + BETWEEN_HEADS), y, each / tensor.columns, row, {
          id: `${id}-${head}`,
        }),
      );
      x += own;
    });
    return height;
  }

  const [from, to] = [middles.get("encoder.memory")!, middles.get("decoder.cross")!];
  const memory = left.encoder + scale * ACTIVATION + BRACKET + 2;
  const gap = left.decoder - 26;
  for (const [role, out] of [
    ["key", 0],
    ["value", 5],
  ] as const)
    drawing.wire(
      role,
      2,
      [memory, from + out],
      [gap - 5 + out, from + out],
      [gap - 5 + out, to - 2 + out],
      [left.decoder - BRACKET - 2, to - 2 + out],
    );

  let y = bottoms.encoder + 4;
  for (const lab of labs) {
    if ((places[lab.id] as Place).tower) continue;
    y += drawing.name(lab, left.encoder - 4, y, roomOf.encoder) + 5;
  }
  const scales = Math.max(y, bottoms.decoder) + 10;
  const bottom = legends(
    scene,
    families,
    { x: left.encoder - 4, y: scales, width: width - left.encoder },
    1,
    (family) => strings(`legend.${family as "activations"}`),
  );
  return drawing.done(bottom);
}
