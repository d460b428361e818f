/** The stage of words in two orders: words, weights and output of the first order, below them those of the second, and the difference. */
import type { ConfigOf } from "../../../config/config.js";
import { orderOf } from "../../../config/labs/positions.js";
import type { Room, Scene, Snapshots } from "../../../marks/scene.js";
import { readArrangement } from "../../../stage/arrangement.js";
import { flowScene, flowStrip } from "../../../stage/flow.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legend,
  operator,
  operatorGap,
  place,
  thumbnails,
  type Block,
} from "../../../stage/place.js";
import { compareScene, comparedNodes } from "./compare.js";
import { detailOf, flow, isByStop } from "./flow.js";
import { SIDES } from "./schemes.js";
import { stringsIn } from "./strings.js";
import { headingsOf, rowsOf } from "./tensors.js";

type Config = ConfigOf<"positions">;
type BlockOf = (node: string) => Block;

const HEAD = 26;
const NOTE = { width: 260, height: 190, beside: 286 };
/** The width at the left for the line between the two swapped words. */
const LINK = 16;

/** Draws a line between the two swapped rows, with an arrow at each end, left of their names. */
function addSwapLine(scene: Scene, id: string, top: number, bottom: number): void {
  const addCurve = (part: string, points: [number, number][]) =>
    scene.curves.push({ id: `${id}-${part}`, points, role: "activation", kind: "line", step: 0 });
  addCurve("line", [
    [12, top],
    [3, top],
    [3, bottom],
    [12, bottom],
  ]);
  for (const y of [top, bottom])
    addCurve(`arrow-${y}`, [
      [9, y - 3],
      [12, y],
      [9, y + 3],
    ]);
}

/** Both orders, the second below the first with the same columns. The difference is beside the second. */
function twoOrders(config: Config, room: Room, of: BlockOf): Scene {
  const scene = emptyScene(room.width);
  const strings = stringsIn(room.words);
  const { swap } = orderOf(config.numbers);
  const { rows: count, columns: dim } = of("X");
  const names = rowsOf(config, room.words);
  const headings = headingsOf(config, room.words);
  const label = labelWidth(names.first) + LINK;
  const signs = [["softmax"], ["× X"], ["− PO"]] as const;
  const gaps = signs.map(([name]) => operatorGap([name]));
  const gapsWidth = gaps.reduce((sum, gap) => sum + gap, 0);
  const cell = Math.min(40, (room.width - label - 14 - gapsWidth) / (3 * dim + count));
  const starts = [label];
  for (const [at, columns] of [dim, count, dim].entries())
    starts.push(starts[at]! + columns * cell + gaps[at]!);
  const last = starts[3]!;
  const isNoteBeside = room.layout === "wide" && room.width - last >= NOTE.width;
  const below = CAPTION_BELOW + 8 + LEGEND + 6;
  // The second order begins below the note too.
  const noteEnd = isNoteBeside ? NOTE.beside + 8 : 0;
  const heightForBoth = (room.height - 2 * HEAD - CAPTION_BELOW - 8 - below) / (2 * count);
  const heightBelowNote = (room.height - noteEnd - HEAD - below) / count;
  const height = Math.max(3, Math.min(34, Math.floor(heightForBoth), Math.floor(heightBelowNote)));
  const secondTop = Math.max(HEAD + count * height + CAPTION_BELOW + 8, noteEnd) + HEAD;
  for (const side of SIDES) {
    const y = side ? secondTop : HEAD;
    const order = side ? "second" : "first";
    const nodes = [`${side}X`, `${side}weights`, `${side}output`, ...(side ? ["difference"] : [])];
    scene.labels.push({ x: label, y: y - 10, text: headings[order], kind: "heading", step: of("X").step });
    nodes.forEach((node, at) => {
      const tensor = of(node);
      const x = starts[at]!;
      place(scene, tensor, x, y, cell, height, {
        caption: "below",
        captionWidth: tensor.columns * cell + (gaps[at] ?? 0),
        ...(at === 0 ? { rowNames: names[order] } : {}),
      });
      const row = y + Math.min(count * height, 2 * height) / 2;
      if (at > 0) operator(scene, node, x - gaps[at - 1]!, x, row, signs[at - 1]!, tensor.step);
    });
    const [upper, lower] = [...swap].sort((a, b) => a - b).map((row) => y + (row + 0.5) * height);
    if (upper !== lower) addSwapLine(scene, `places-${order === "first" ? order : side}`, upper!, lower!);
  }
  const width = Math.min(400, (room.width - label - 8) / 2);
  const left = label - BRACKET;
  const y = secondTop + count * height + CAPTION_BELOW + 8;
  legend(scene, "vectors", "activation", left, y, width - 20, strings("legend.vectors"));
  legend(scene, "weights", "probability", left + width, y, width - 20, strings("legend.weights"));
  scene.height = y + LEGEND + 6;
  if (isNoteBeside) {
    scene.note = { x: last - BRACKET, y: 8, width: Math.min(480, room.width - last - 4) };
  } else if (room.layout !== "narrow") {
    scene.note = { x: left, y: scene.height + 4, width: Math.min(480, room.width - label - 8) };
    scene.height += NOTE.height;
  }
  return scene;
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: BlockOf): Scene | null {
  const { id } = readArrangement(room);
  // The arrangement may keep a stop for the target that is not Play's stop.
  if (isByStop(config, room))
    return flowScene({ ...room, step: Number(id) }, flow(config, snapshots, room, of));
  if (detailOf(id)) return null;
  return config.numbers.encoding === "compare"
    ? compareScene(config, snapshots, room, of)
    : twoOrders(config, room, of);
}

export function strip(config: Config, snapshots: Snapshots, room: Room, of: BlockOf): Scene {
  if (config.numbers.encoding === "none")
    return flowStrip(room, flow(config, snapshots, { ...room, arrangement: null }, of));
  const tensors = comparedNodes(config.numbers).map(of);
  const atStop = tensors.filter(({ step }) => step === room.step);
  return thumbnails(atStop, [], room.width);
}
