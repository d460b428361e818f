/** The stage of RoPE: the vectors before and after the rotation, and the target's pair of numbers as points that turn around the origin. */
import type { Curve, Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { CAPTION_BELOW, LEGEND, emptyScene, legend, place, type Block } from "../../stage/place.js";
import { marginsOf } from "./margins.js";

const LEFT = 46;
const TOP = 12;
const GAP = 40;
const NOTE = { width: 344, height: 170 };

export function pairScene(
  names: readonly string[],
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const { words } = room;
  const scene = emptyScene(room.width);
  const [row = 0, column = 0] = readArrangement(room).memory;
  // A vector that all positions share is repeated in the node "rows".
  const isShared = snapshots.has("rows");
  const before = of(isShared ? "rows" : "X");
  const { rows, columns } = before;
  const isNarrow = room.layout === "narrow";
  const plane = isNarrow ? Math.min(240, room.width - 40) : 250;
  const space = room.width - LEFT - 12 - (isNarrow ? 0 : NOTE.width + 48 + GAP);
  const cellWidth = Math.min(44, space / (columns * (isNarrow ? 1 : 2)));
  const heightLimit = isNarrow ? 300 : Math.max(room.height, 420);
  const cellHeight = Math.min(34, Math.max(2, (heightLimit - TOP - CAPTION_BELOW - LEGEND - 12) / rows));
  const [width, height] = [columns * cellWidth, rows * cellHeight + CAPTION_BELOW];
  const [x, y] = isNarrow ? [LEFT, TOP + height + 24] : [LEFT + width + GAP, TOP];
  const first = place(scene, before, LEFT, TOP, cellWidth, cellHeight, { caption: "below" });
  const second = place(scene, of("rotated"), x, y, cellWidth, cellHeight, { caption: "below" });
  for (const tensor of isNarrow ? [first, second] : [first])
    marginsOf(scene, tensor, before, words).drawRowAxis(names);
  // The two columns that are rotated together.
  const [a, b] = [column - (column % 2), column - (column % 2) + 1];
  const [planeX, planeY] = isNarrow ? [LEFT, y + height + 20] : [x + width + 40, TOP + 20];
  const [middle, level] = [planeX + plane / 2, planeY + plane / 2];
  const title = words("labs.positions.pair", { a, b, p: names[row]! });
  scene.labels.push({ x: planeX, y: planeY - 8, text: title, kind: "axis" });
  const addAxis = (id: string, ...points: [number, number][]) =>
    scene.curves.push({ id, points, role: "activation", kind: "faint", step: 0 });
  addAxis("axis-across", [planeX, level], [planeX + plane, level]);
  addAxis("axis-up", [middle, planeY], [middle, planeY + plane]);
  const from = snapshots.get(before.node);
  const to = snapshots.get("rotated");
  if (from && to) {
    const sides = [from, to].flatMap(({ data }) => [a, b].map((at) => Math.abs(data[row * columns + at]!)));
    const scale = plane / 2 / (Math.max(1e-300, ...sides.filter(Number.isFinite)) * Math.SQRT2);
    /** The point of a position: of the two numbers that RoPE rotates together, the first is its x, to the right, and the second its y, upwards. */
    const point = ({ data }: typeof to, position: number): [number, number] => [
      middle + scale * data[position * columns + a]!,
      level - scale * data[position * columns + b]!,
    ];
    const cellsOf = (node: string, ...positions: number[]) =>
      positions.map((position) => ({ node, index: [position, a] }));
    // A shared vector traces a circle. Different vectors would give a curve without a meaning.
    if (isShared) {
      const all = names.map((_, position) => position);
      const points = all.map((position) => point(to, position));
      const cells = cellsOf("rotated", ...all);
      scene.curves.push({
        id: "pair-rotated",
        points,
        role: "output",
        kind: "line",
        dots: true,
        cells,
        step: 1,
      });
    }
    const rays = [
      { node: before.node, end: point(from, row), kind: "dashed", role: "activation", step: 0 },
      { node: "rotated", end: point(to, row), kind: "line", role: "output", step: 1 },
    ] as const;
    for (const { node, end, kind, role, step } of rays) {
      const ray: Curve = { id: `ray-${node}`, points: [[middle, level], end], role, kind, step };
      const cells = cellsOf(node, row);
      scene.curves.push(ray, { ...ray, id: `end-${node}`, points: [end], kind: "line", dots: true, cells });
    }
  }
  const bottom = isNarrow ? planeY + plane + 16 : TOP + height + 8;
  const across = isNarrow ? room.width - LEFT - 12 : Math.min(2 * width + GAP, 480);
  legend(scene, "encoding", "activation", LEFT, bottom, across, words("labs.legend.vectors.turned"));
  scene.height = bottom + LEGEND + 6;
  if (!isNarrow) {
    const top = planeY + plane + 20;
    scene.note = { x: planeX, y: top, width: Math.min(480, room.width - planeX - 8) };
    scene.height = Math.max(scene.height, top + NOTE.height);
  }
  scene.width = Math.max(room.width, x + width + 12);
  return scene;
}
