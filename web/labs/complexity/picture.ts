/** The stage of lab 12: what the layers connect, in four bands, with the counts of each; n² d and n d² as areas; what was counted and timed. */
import type { ConfigOf } from "../../config/config.js";
import type { Label, Role, Room, Scene, Snapshots } from "../../marks/scene.js";
import { placeChart } from "../../stage/chart.js";
import { type Block, emptyScene, labelWidth, place } from "../../stage/place.js";
import { valuesOf } from "../../stage/series.js";
import { band, roles, type Box } from "./bands.js";
import { chartOf } from "./charts.js";
import { stringsIn } from "./strings.js";
import { layerNames, orders } from "./tensors.js";

type Config = ConfigOf<"complexity">;
type Of = (node: string) => Block;
type Point = [x: number, y: number];

const NOTE = { width: 400, gap: 24 };
const NAMES = 148;
const COLUMN = 88;
const HEAD = 28;
const AREA = { side: 122, left: 34, top: 66 };
const CELL = { height: 20, most: 60 };

/** A column of large numbers beside the bands: its node, and the orders under the numbers. */
interface Column {
  node: "hops" | "sequential" | "work_millions";
  order: keyof typeof orders;
}

const columns: readonly Column[] = [
  { node: "hops", order: "hops" },
  { node: "sequential", order: "sequential" },
  { node: "work_millions", order: "work" },
];

/** Four bands in a box, and at their right so many columns of numbers. */
export function bands(
  scene: Scene,
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: Of,
  box: Box,
  shown: number,
): void {
  const { words } = room;
  const { kernel, near } = config.numbers;
  const say = stringsIn(words);
  const namesAbove = room.layout === "narrow";
  const left = box.x + (namesAbove ? 0 : NAMES);
  const columnWidth = namesAbove ? 58 : COLUMN;
  const width = box.x + box.width - left - shown * columnWidth - 8;
  const high = (box.height - HEAD) / 4;
  const top = box.y + HEAD;
  const head = (x: number, text: string, more: Partial<Label> = {}): void => {
    scene.labels.push({ x, y: box.y + 14, text, kind: "heading", ...more });
  };
  head(left, say("head.bands", { n: config.numbers.length }), { step: 0 });
  roles.forEach((_, row) => {
    const y = top + row * high;
    band(scene, row, config, words, { x: left, y, width, height: high }, namesAbove);
    if (row > 0)
      scene.curves.push({
        id: `rule-${row}`,
        points: [
          [box.x, y],
          [box.x + box.width, y],
        ],
        role: "activation",
        kind: "faint",
        over: true,
        step: 0,
      });
  });
  columns.slice(0, shown).forEach(({ node, order }, at) => {
    const x = left + width + 8 + at * columnWidth;
    const tensor = { ...of(node), plain: true };
    const middle = x + columnWidth / 2;
    place(scene, tensor, x, top, columnWidth, high);
    head(middle, say(`head.${node}`), { anchor: "middle", step: tensor.step });
    const most = Math.max(...Array.from(valuesOf(snapshots, node)));
    roles.forEach((role, row) => {
      const y = top + (row + 0.5) * high;
      const text = orders[order][row]!.replace("k", `${kernel}`).replace("r", `${near}`);
      scene.labels.push({
        x: middle,
        y: y + 26,
        text,
        kind: "axis",
        anchor: "middle",
        over: true,
        step: tensor.step,
      });
      if (node !== "work_millions") return;
      const long = ((columnWidth - 12) * (valuesOf(snapshots, node)[row] ?? 0)) / most;
      const points: Point[] = [
        [x + 6, y - 22],
        [x + 6 + long, y - 22],
      ];
      scene.curves.push({
        id: `bar-${row}`,
        points,
        role,
        kind: "line",
        strong: true,
        over: true,
        step: tensor.step,
      });
    });
  });
}

/** 4194304 as "4 194 304". */
const grouped = (value: number): string => value.toLocaleString("en").replaceAll(",", "\u202f");

/** The height of the areas with their texts. */
export const AREAS = AREA.top + AREA.side + 24;

/** Two areas on one base of n: n high for attention and d high for the recurrent layer, so that an area is the work without its factor d. */
export function areas(
  scene: Scene,
  { numbers }: Config,
  snapshots: Snapshots,
  room: Room,
  of: Of,
  { x, y }: Pick<Box, "x" | "y">,
): void {
  const say = stringsIn(room.words);
  const { step } = of("work_millions");
  const { length: n, dim: d } = numbers;
  const unit = AREA.side / Math.max(n, d);
  const [left, bottom] = [x + AREA.left, y + AREA.top + AREA.side];
  scene.labels.push({ x, y: y + 14, text: say("head.areas"), kind: "heading", step });
  const right = left + n * unit;
  const rectangle = (from: number, to: number): Point[] => [
    [left, bottom - from * unit],
    [left, bottom - to * unit],
    [right, bottom - to * unit],
    [right, bottom - from * unit],
    [left, bottom - from * unit],
  ];
  const draw = (id: string, role: Role, high: number, row: number, letters: string): void => {
    // The smaller area has its own colour on all of it, the larger where it is larger: colours never mix.
    const from = high > Math.min(n, d) ? Math.min(n, d) : 0;
    if (n !== d || row === 1)
      scene.curves.push({ id, points: rectangle(from, high), role, kind: "area", step, strong: true });
    scene.curves.push({ id: `${id}-edge`, points: rectangle(0, high), role, kind: "line", step });
    const text = `${letters} = ${grouped(valuesOf(snapshots, "products")[row] ?? NaN)}`;
    scene.labels.push({ x, y: y + 34 + 17 * row, text, kind: "caption", role, step });
  };
  draw("n2d", "attention", n, 0, orders.work[0]);
  draw("nd2", "key", d, 1, orders.work[1]);
  scene.curves.push({
    id: "n-is-d",
    points: [
      [left, bottom],
      [left + AREA.side, bottom - AREA.side],
    ],
    role: "activation",
    kind: "dashed",
    step,
  });
  scene.curves.push({
    id: "at-d",
    points: [[left + d * unit, bottom - d * unit]],
    role: "activation",
    kind: "faint",
    dots: "open",
    step,
  });
  const tick = (tickX: number, tickY: number, text: string, anchor: "end" | "middle"): void => {
    scene.labels.push({ x: tickX, y: tickY, text, kind: "axis", anchor, step });
  };
  const close = Math.abs(n - d) * unit < 13;
  tick(left - 6, bottom - n * unit + 4, close ? "" : `${n}`, "end");
  tick(left - 6, bottom - d * unit + 4, `${d}`, "end");
  tick(left + (n * unit) / 2, bottom + 16, `n = ${n}`, "middle");
}

/** The numbers that are not beside the bands, a row for each layer. */
function table(scene: Scene, config: Config, { words }: Room, of: Of, x: number, y: number): number {
  const say = stringsIn(words);
  const rowNames = layerNames(config, words);
  const label = labelWidth(rowNames);
  const timed = config.numbers.measured > 0;
  const nodes = [
    "path",
    "millions",
    "ratio",
    "weights_thousands",
    ...(timed ? (["milliseconds", "rate"] as const) : []),
  ] as const;
  const width = Math.min(CELL.most, Math.floor((NOTE.width - label) / nodes.length) - 14);
  nodes.forEach((node, at) => {
    const last = of("millions").columns - 1;
    const tensor =
      node === "millions" ? { ...of(node), at: [null, last], turned: true, rows: 4, columns: 1 } : of(node);
    const left = x + label + at * (width + 14);
    place(scene, tensor, left, y + 34, width, CELL.height, at === 0 ? { rowNames } : {});
    say(`short.${node}`)
      .split("|")
      .forEach((text, part) =>
        scene.labels.push({
          x: left + width / 2,
          y: y + 12 + 14 * part,
          text,
          kind: "axis",
          anchor: "middle",
          step: tensor.step,
        }),
      );
  });
  return y + 34 + 4 * CELL.height;
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  if (room.layout !== "wide") return null;
  const scene = emptyScene(room.width);
  const x = room.width - NOTE.width - 8;
  const height = Math.min(760, Math.max(500, room.height - 8));
  const box = { x: 0, y: 4, width: x - NOTE.gap, height };
  bands(scene, config, snapshots, room, of, box, columns.length);
  areas(scene, config, snapshots, room, of, { x, y: 4 });
  const chart = config.numbers.measured > 0 ? "times" : "counted";
  const chartX = x + AREA.left + AREA.side + 16;
  placeChart(scene, chartOf(config, snapshots, chart, room, of), {
    x: chartX,
    y: 4,
    width: x + NOTE.width - chartX,
    height: AREAS,
  });
  const bottom = table(scene, config, room, of, x, AREAS + 16);
  scene.note = { x, y: bottom + 16, width: NOTE.width };
  scene.height = Math.max(4 + height, bottom + 170);
  return scene;
}
