/**
 * The block as one picture: the residual path from left to right, each sub-layer a branch above it, and under the path how far the
 * numbers of every row lie apart, each point below its tensor.
 */
import { scaleLinear } from "d3-scale";
import type { ConfigOf } from "../../config/config.js";
import { symbolName } from "../../marks/lettering.js";
import type { Label, Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangedAs } from "../../stage/arrangement.js";
import { type Block, place } from "../../stage/place.js";
import { inputNode, pathNodes, readNode } from "./path.js";
import type { Say } from "./strings.js";

/** What stands on the path or a branch, from left to right. */
type Shown = { node: string; head?: number };
type Item = Shown | { sign: string } | { through: string };

const GAP = 20;
const SIGN = 26;
const THROUGH = 34;
/** From a corner of a branch to what stands on it. */
const CORNER = 14;
const CAPTION = 27;
const SPARK = 46;
/** In less height the map is lower, and its deviations give way to a stop that needs theirs. */
const ROOMY = 600;
/** A cell at most, and all cells across at least. */
const CELL = { most: 7, across: 80 };

const isNode = (item: Item): item is Shown => "node" in item;
const idOf = ({ node, head = 0 }: Shown): string => `${node}-${head}`;

export function drawMap(
  scene: Scene,
  width: number,
  { numbers }: ConfigOf<"block">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
  say: Say,
  factored: boolean,
): number {
  const post = numbers.norm === "post";
  const dropping = numbers.dropout > 0;
  const input = inputNode(numbers);
  const shown = Array.from({ length: Math.min(numbers.heads, 4) }, (_, head): Item => ({
    node: dropping ? "self_attn.dropped" : "self_attn.weights",
    head,
  }));
  const start: Item[] = [{ node: "embedded" }, { sign: "+" }, { node: "PE" }, { sign: "=" }];
  const first: Item[] = [
    ...(post ? [] : [{ node: "norm1" }]),
    ...shown,
    { node: dropping ? "dropout1" : "self_attn.output" },
  ];
  const second: Item[] = [
    ...(post ? [] : [{ node: "norm2" }]),
    { node: "activation" },
    { node: dropping ? "dropout2" : "linear2" },
  ];
  const after = (which: 1 | 2): Item[] => [
    { node: `residual${which}` },
    ...(post ? [{ through: "LN" }, { node: `norm${which}` }] : []),
  ];
  /** The path between branches. */
  const path: Item[][] = [[...start, { node: input }], after(1), after(2)];
  const branches = [first, second];

  const nodes = [...path.flat(), ...first, ...second].filter(isNode);
  const columns = nodes.reduce((sum, { node }) => sum + of(node).columns, 0);
  const gaps =
    [...path, ...branches].reduce(
      (sum, items) => sum + GAP * Math.max(0, items.filter(isNode).length - 1),
      0,
    ) +
    2 * (3 * CORNER + SIGN) +
    2 * SIGN +
    (post ? 2 * (THROUGH - GAP) : 0);
  const left = 58;
  const cell = Math.min(CELL.most, Math.max(CELL.across, width - left - gaps - 12) / columns);
  const rows = numbers.tokens.length;
  const low = room.height < ROOMY;
  const cellHeight = Math.min(Math.max(cell, 18 / rows), (low ? 30 : 54) / rows);
  const tall = rows * cellHeight;
  const branchTop = 4;
  const pathTop = branchTop + tall + CAPTION + 12;
  const middle = (top: number) => top + tall / 2;
  const centres = new Map<string, number>();

  const line = (step: number, id: string, ...points: [number, number][]) =>
    scene.curves.push({ id: `map-${id}`, points, role: "activation", kind: "bracket", step });
  const label = (step: number, x: number, y: number, text: string, more: Pick<Label, "kind" | "anchor">) =>
    scene.labels.push({ x, y, text, ...more, step });
  const sign = { kind: "heading", anchor: "middle" } as const;
  /** When the first of these tensors comes. */
  const stepOf = (items: readonly Item[]): number => of(items.find(isNode)!.node).step;
  const thumb = (item: Shown, x: number, top: number): number => {
    const tensor = of(item.node);
    const { head } = item;
    const inHead = head === undefined ? {} : { at: [head, null, null] };
    const symbol = head === undefined ? tensor.symbol : { ...tensor.symbol, sub: String(head) };
    place(scene, { ...tensor, ...inHead, symbol }, x, top, cell, cellHeight, { id: `thumb-${idOf(item)}` });
    const wide = tensor.columns * cell;
    const active = tensor.step === room.step;
    scene.labels.push({
      x: x + wide / 2,
      y: top + tall + 17,
      text: symbolName(symbol),
      symbol,
      kind: "symbol",
      anchor: "middle",
      step: tensor.step,
      ...(active ? { role: tensor.role } : {}),
    });
    if (active)
      scene.curves.push({
        id: `map-active-${idOf(item)}`,
        points: [
          [x, top + tall + 21],
          [x + wide, top + tall + 21],
        ],
        role: tensor.role,
        kind: "line",
        step: tensor.step,
      });
    centres.set(item.node, x + wide / 2);
    return x + wide;
  };
  const set = (items: readonly Item[], from: number, top: number): number => {
    let x = from;
    items.forEach((item, at) => {
      // A sign or a line comes with what it leads to.
      const step = stepOf(items.slice(at));
      if ("sign" in item) {
        label(step, x + SIGN / 2, middle(top) + 5, item.sign, sign);
        x += SIGN;
      } else if ("through" in item) {
        line(step, `through-${at}-${x}`, [x + 5, middle(top)], [x + THROUGH - 5, middle(top)]);
        label(step, x + THROUGH / 2, top + 2, item.through, { kind: "axis", anchor: "middle" });
        x += THROUGH;
      } else {
        const before = items[at - 1];
        if (before && isNode(before)) {
          line(step, `between-${idOf(item)}`, [x + 4, middle(top)], [x + GAP - 4, middle(top)]);
          x += GAP;
        }
        x = thumb(item, x, top);
      }
    });
    return x;
  };

  let x = set(path[0]!, left, pathTop);
  branches.forEach((items, at) => {
    const leaves = x + CORNER;
    const end = set(items, leaves + CORNER, branchTop);
    const sum = end + CORNER + SIGN / 2 - 4;
    const [low, high] = [middle(pathTop), middle(branchTop)];
    const [into, added] = [stepOf(items), stepOf(path[at + 1]!)];
    line(added, `skip-${at}`, [x + 4, low], [sum - 8, low]);
    line(into, `up-${at}`, [leaves, low], [leaves, high], [leaves + CORNER - 4, high]);
    line(added, `down-${at}`, [end + 4, high], [sum, high], [sum, low - 8]);
    label(added, sum, low + 5, "⊕", sign);
    label(into, leaves + 6, pathTop - 2, say(at === 0 ? "map.attention" : "map.network"), { kind: "axis" });
    x = set(path[at + 1]!, sum + CORNER, pathTop);
  });
  const end = pathTop + tall + CAPTION + 6;
  return low && factored ? end : spark(end);

  /** A line per word through the deviations of its row along the path; in pre-norm what the sub-layers read stands apart. */
  function spark(top: number): number {
    const told = snapshots.get("deviations");
    if (!told) return top;
    const places = pathNodes(numbers);
    const { step } = of("deviations");
    const most = told.data.reduce((largest, value) => Math.max(largest, value), 1);
    const y = scaleLinear()
      .domain([0, most])
      .range([top + SPARK, top]);
    const [begin, end] = [left - 8, Math.max(...places.map((node) => centres.get(node) ?? 0)) + 14];
    for (const value of [0, 1]) {
      line(step, `spark-${value}`, [begin, y(value)], [end, y(value)]);
      label(step, begin - 5, y(value) + 4, String(value), { kind: "axis", anchor: "end" });
    }
    label(step, begin + 6, top + SPARK + 15, say("map.spark"), { kind: "axis" });
    const target = arrangedAs(room).memory[1];
    const onPath = places.filter((node) => post || node !== readNode(numbers, node === "norm1" ? 1 : 2));
    const curve = (id: string, row: number, among: readonly string[]) =>
      scene.curves.push({
        id: `spark-${id}-${row}`,
        points: among.map((node): [number, number] => [
          centres.get(node) ?? 0,
          y(told.data[row * places.length + places.indexOf(node)] ?? 0),
        ]),
        role: row === target ? "output" : "activation",
        kind: row === target ? "line" : "faint",
        dots: true,
        cells: among.map((node) => ({ node: "deviations", index: [row, places.indexOf(node)] })),
        step,
      });
    for (let row = 0; row < rows; row += 1) {
      curve("path", row, onPath);
      for (const node of places) if (!onPath.includes(node)) curve(node, row, [node]);
    }
    return top + SPARK + 24;
  }
}
