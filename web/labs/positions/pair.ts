/** RoPE on the stage: the vectors before and after, and the target's pair of numbers as points that turn round the origin. */
import type { ConfigOf } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Room, Scene, Snapshot, Snapshots } from "../../marks/scene.js";
import { CAPTION_BELOW, LEGEND, emptyScene, legend, place } from "../../stage/place.js";
import { block, positionNames, type PositionsNode } from "./blocks.js";
import { rowAxis, target } from "./profiles.js";

const LEFT = 46;
const TOP = 12;
const GAP = 40;
const NOTE = { width: 344, height: 170 };

/** The two columns that turn together with `column`. */
function pairOf(column: number): [number, number] {
  return column % 2 === 0 ? [column, column + 1] : [column - 1, column];
}

/** The pair of one position as a ray from the origin. */
function ray(
  scene: Scene,
  snapshot: Snapshot,
  node: string,
  row: number,
  pair: [number, number],
  center: [number, number],
  scale: number,
  role: "activation" | "output",
): void {
  const columns = snapshot.shape[1]!;
  const end: [number, number] = [
    center[0] + scale * snapshot.data[row * columns + pair[0]]!,
    center[1] - scale * snapshot.data[row * columns + pair[1]]!,
  ];
  const turned = node === "rotated";
  scene.curves.push({
    id: `ray-${node}`,
    points: [center, end],
    role,
    kind: turned ? "line" : "dashed",
    step: turned ? 1 : 0,
  });
  const cells = [{ node, index: [row, pair[0]] }];
  scene.curves.push({
    id: `end-${node}`,
    points: [end],
    role,
    kind: "line",
    dots: true,
    cells,
    step: turned ? 1 : 0,
  });
}

/** Points of a pair on the plane, one per position, first column to the right and second one up. */
function turning(
  scene: Scene,
  snapshot: Snapshot,
  node: string,
  pair: [number, number],
  center: [number, number],
  scale: number,
): void {
  const [rows, columns] = snapshot.shape as [number, number];
  const points = Array.from({ length: rows }, (_, row): [number, number] => [
    center[0] + scale * snapshot.data[row * columns + pair[0]]!,
    center[1] - scale * snapshot.data[row * columns + pair[1]]!,
  ]);
  const cells = points.map((_, row) => ({ node, index: [row, pair[0]] }));
  scene.curves.push({ id: `pair-${node}`, points, role: "output", kind: "line", dots: true, cells, step: 1 });
}

export function pairScene(config: ConfigOf<"positions">, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const { words } = room;
  const scene = emptyScene(room.width);
  const rows = positionCount(numbers);
  const { row, column } = target(config, room);
  const before: PositionsNode = numbers.x && numbers.x.length !== rows ? "rows" : "X";
  const narrow = room.layout === "narrow";
  const plane = narrow ? Math.min(240, room.width - 40) : 250;
  const space = room.width - LEFT - 12 - (narrow ? 0 : NOTE.width + 48) - (narrow ? 0 : GAP);
  const cellWidth = Math.min(44, space / (numbers.dim * (narrow ? 1 : 2)));
  const cellHeight = Math.min(
    34,
    Math.max(2, ((narrow ? 300 : Math.max(room.height, 420)) - TOP - CAPTION_BELOW - LEGEND - 12) / rows),
  );
  const names = positionNames(numbers);
  const first = block(config, before, words);
  const second = block(config, "rotated", words);
  const width = numbers.dim * cellWidth;
  const a = place(scene, first, LEFT, TOP, cellWidth, cellHeight, { caption: "below" });
  const step = narrow ? rows * cellHeight + CAPTION_BELOW + 24 : 0;
  const b = place(scene, second, narrow ? LEFT : LEFT + width + GAP, TOP + step, cellWidth, cellHeight, {
    caption: "below",
  });
  for (const tensor of narrow ? [a, b] : [a]) rowAxis(scene, tensor, names);
  const pair = pairOf(column);
  const planeX = narrow ? LEFT : b.x + width + 40;
  const planeY = narrow ? b.y + rows * cellHeight + CAPTION_BELOW + 20 : TOP + 20;
  const center: [number, number] = [planeX + plane / 2, planeY + plane / 2];
  scene.labels.push({
    x: planeX,
    y: planeY - 8,
    text: words("labs.positions.pair", { a: pair[0], b: pair[1], p: names[row]! }),
    kind: "axis",
  });
  scene.curves.push({
    id: "axis-across",
    points: [
      [planeX, center[1]],
      [planeX + plane, center[1]],
    ],
    role: "activation",
    kind: "faint",
    step: 0,
  });
  scene.curves.push({
    id: "axis-up",
    points: [
      [center[0], planeY],
      [center[0], planeY + plane],
    ],
    role: "activation",
    kind: "faint",
    step: 0,
  });
  const from = snapshots.get(before);
  const to = snapshots.get("rotated");
  if (from && to && pair[1] < from.shape[1]! && from.shape[0] === rows) {
    const columns = from.shape[1]!;
    const sides = [from, to].flatMap(({ data }) => pair.map((at) => Math.abs(data[row * columns + at]!)));
    const largest = Math.max(1e-300, ...sides.filter(Number.isFinite)) * Math.SQRT2;
    const scale = plane / 2 / largest;
    // One vector at every position traces a circle; different ones would only be a scribble.
    if (before === "rows") turning(scene, to, "rotated", pair, center, scale);
    ray(scene, from, before, row, pair, center, scale, "activation");
    ray(scene, to, "rotated", row, pair, center, scale, "output");
  }
  const bottom = narrow ? planeY + plane + 16 : TOP + rows * cellHeight + CAPTION_BELOW + 8;
  legend(
    scene,
    "encoding",
    "activation",
    LEFT,
    bottom,
    narrow ? room.width - LEFT - 12 : Math.min(2 * width + GAP, 480),
    words("labs.legend.vectors.turned"),
  );
  if (!narrow) {
    const x = planeX;
    scene.note = { x, y: planeY + plane + 20, width: Math.min(480, room.width - x - 8) };
  }
  scene.height = Math.max(bottom + LEGEND + 6, narrow ? 0 : planeY + plane + 20 + NOTE.height);
  scene.width = Math.max(room.width, b.x + width + 12);
  return scene;
}
