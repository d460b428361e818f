/**
 * The map of the shown layer: the residual path from left to right, each sub-layer as a branch above it, and under the path the standard
 * deviation of every row, each point below its tensor or, with several layers, evenly along the path.
 */
import type { ConfigOf } from "../../config/config.js";
import { inLayer, stackOf } from "../../config/labs/block.js";
import { symbolName } from "../../marks/lettering.js";
import { textWidth } from "../../marks/measure.js";
import type { Label, Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { type Block, place } from "../../stage/place.js";
import { linearScale } from "../../stage/scale.js";
import { layerNodes, pathPlaces } from "./path.js";
import type { Strings } from "./strings.js";

/** The items of the path or of a branch, from left to right. */
type Shown = { node: string; head?: number };
type Item = Shown | { sign: string } | { through: string } | { folded: string };

const GAP = 20;
const SIGN = 26;
const THROUGH = 34;
/** The distance from a corner of a branch to its first item. */
const CORNER = 14;
/** The space before and after the name of layers that are not shown. */
const FOLD = 10;
const CAPTION = 27;
const SPARK = 46;
/** With less height than this the map is lower, and a stop with factors takes the place of the deviations. */
const ROOMY = 600;
/** The greatest width of a cell, and the least width of all cells together. */
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
  strings: Strings,
  hasFactors: boolean,
): number {
  const { layer, layers, residual, layerNorm } = stackOf(numbers);
  const post = numbers.norm === "post" && layerNorm;
  const hasDropout = numbers.dropout > 0;
  const { input, added, sums, norms } = layerNodes(numbers);
  const shown = Array.from({ length: Math.min(numbers.heads, 4) }, (_, head): Item => ({
    node: inLayer(layer, hasDropout ? "self_attn.dropped" : "self_attn.weights"),
    head,
  }));
  /** Layers that are not shown: "layer 0", "layers 2–5". */
  const folded = (from: number, to: number): Item[] => {
    if (to < from) return [];
    return [{ folded: from === to ? strings("layer", { n: from }) : strings("layers", { from, to }) }];
  };
  const start: Item[] =
    layer === 0 ? [{ node: "embedded" }, { sign: "+" }, { node: "PE" }, { sign: "=" }] : folded(0, layer - 1);
  /** A norm before a sub-layer. */
  const before = (which: 0 | 1): Item[] =>
    numbers.norm === "pre" && norms[which] ? [{ node: norms[which] }] : [];
  // Without residual connections the output of a sub-layer is drawn on the path, not on the branch.
  const branch = (which: 0 | 1): Item[] => (residual ? [{ node: added[which] }] : []);
  const first: Item[] = [...before(0), ...shown, ...branch(0)];
  const second: Item[] = [...before(1), { node: inLayer(layer, "activation") }, ...branch(1)];
  const after = (which: 0 | 1): Item[] => [
    { node: sums[which] },
    ...(post && norms[which] ? [{ through: "LN" }, { node: norms[which] }] : []),
  ];
  /** The path between branches. */
  const path: Item[][] = [
    [...start, { node: input }],
    after(0),
    [...after(1), ...folded(layer + 1, layers - 1)],
  ];
  const branches = [first, second];
  const foldedWidth = (text: string): number => textWidth(text) + 2 * FOLD;

  const nodes = [...path.flat(), ...first, ...second].filter(isNode);
  const columns = nodes.reduce((sum, { node }) => sum + of(node).columns, 0);
  const gaps =
    [...path, ...branches].reduce(
      (sum, items) => sum + GAP * Math.max(0, items.filter(isNode).length - 1),
      0,
    ) +
    2 * (3 * CORNER + SIGN) +
    (layer === 0 ? 2 * SIGN : 0) +
    path.flat().reduce((sum, item) => sum + ("folded" in item ? foldedWidth(item.folded) : 0), 0) +
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
  /** The step at which the first of these tensors appears. */
  const stepOf = (items: readonly Item[]): number => {
    const node = items.find(isNode);
    return node ? of(node.node).step : of("deviations").step;
  };
  const placeThumbnail = (item: Shown, x: number, top: number): number => {
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
  const placeItems = (items: readonly Item[], from: number, top: number): number => {
    let x = from;
    items.forEach((item, at) => {
      // A sign or a line appears with the tensor after it.
      const step = stepOf(items.slice(at));
      if ("folded" in item) {
        const isFirst = at === 0;
        const [from, to] = isFirst
          ? [x, x + foldedWidth(item.folded)]
          : [x + 4, x + foldedWidth(item.folded)];
        const y = middle(top);
        line(step, `folded-${at}-${x}`, [from, y], [to - 4, y]);
        label(step, (from + to) / 2, y - 6, item.folded, { kind: "axis", anchor: "middle" });
        x = to;
      } else if ("sign" in item) {
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
        x = placeThumbnail(item, x, top);
      }
    });
    return x;
  };

  let x = placeItems(path[0]!, left, pathTop);
  branches.forEach((items, at) => {
    const leaves = x + CORNER;
    const end = placeItems(items, leaves + CORNER, branchTop);
    const sum = end + CORNER + SIGN / 2 - 4;
    const [low, high] = [middle(pathTop), middle(branchTop)];
    const [into, added] = [stepOf(items), stepOf(path[at + 1]!)];
    line(
      into,
      `up-${at}`,
      ...(residual ? [] : [[x + 4, low] as [number, number]]),
      [leaves, low],
      [leaves, high],
      [leaves + CORNER - 4, high],
    );
    if (residual) {
      line(added, `skip-${at}`, [x + 4, low], [sum - 8, low]);
      line(added, `down-${at}`, [end + 4, high], [sum, high], [sum, low - 8]);
      label(added, sum, low + 5, "⊕", sign);
    } else line(added, `down-${at}`, [end + 4, high], [sum, high], [sum, low], [sum + CORNER - 4, low]);
    label(into, leaves + 6, pathTop - 2, strings(at === 0 ? "map.attention" : "map.network"), {
      kind: "axis",
    });
    x = placeItems(path[at + 1]!, sum + CORNER, pathTop);
  });
  const end = pathTop + tall + CAPTION + 6;
  return low && hasFactors ? end : drawDeviations(end);

  /**
   * Draws a line per word through the deviations of its row along the path. With pre-norm the inputs of the sub-layers are single dots.
   * With several layers all places have the same distance.
   */
  function drawDeviations(top: number): number {
    const measured = snapshots.get("deviations");
    if (!measured) return top;
    const places = pathPlaces(numbers);
    const { step } = of("deviations");
    const most = measured.data.reduce((largest, value) => Math.max(largest, value), 1);
    const y = linearScale([0, most], [top + SPARK, top]);
    const several = layers > 1;
    const begin = left - 8;
    const last = several
      ? Math.max(x, width * 0.6)
      : Math.max(...places.map(({ node }) => centres.get(node) ?? 0));
    const end = Math.min(last, width - 20) + 14;
    const across = (at: number): number =>
      several ? left + (at * (end - 14 - left)) / (places.length - 1) : (centres.get(places[at]!.node) ?? 0);
    for (const value of [0, 1]) {
      line(step, `spark-${value}`, [begin, y(value)], [end, y(value)]);
      label(step, begin - 5, y(value) + 4, String(value), { kind: "axis", anchor: "end" });
    }
    label(step, begin + 6, top + SPARK + (several ? 32 : 15), strings(several ? "map.path" : "map.spark"), {
      kind: "axis",
    });
    const target = readArrangement(room).memory[1];
    const all = places.map((_, at) => at);
    const isBeside = (at: number): boolean => !post && /(^|\.)norm[12]$/.test(places[at]!.node);
    const curve = (id: string, row: number, among: readonly number[]) =>
      scene.curves.push({
        id: `spark-${id}-${row}`,
        points: among.map((at): [number, number] => [
          across(at),
          y(measured.data[row * places.length + at] ?? 0),
        ]),
        role: row === target ? "output" : "activation",
        kind: row === target ? "line" : "faint",
        dots: true,
        cells: among.map((at) => ({ node: "deviations", index: [row, at] })),
        step,
      });
    for (let row = 0; row < rows; row += 1) {
      curve(
        "path",
        row,
        all.filter((at) => !isBeside(at)),
      );
      for (const at of all.filter(isBeside)) curve(places[at]!.node, row, [at]);
    }
    if (several) drawLayerMarks();
    return top + SPARK + (several ? 40 : 24);

    /** Writes the number of each layer under the lines, and underlines the layer that is shown. */
    function drawLayerMarks(): void {
      for (let n = 0; n < layers; n += 1) {
        const inside = all.filter((at) => places[at]!.layer === n);
        const [from, to] = [across(inside[0]! - 1), across(inside.at(-1)!)];
        const text = strings("layer", { n });
        const short = textWidth(text) + 6 > to - from ? String(n) : text;
        label(step, (from + to) / 2, top + SPARK + 15, short, { kind: "axis", anchor: "middle" });
        line(step, `layer-${n}`, [to, top], [to, top + SPARK]);
        if (n === layer)
          scene.curves.push({
            id: "map-layer-shown",
            points: [
              [from + 3, top + SPARK + 19],
              [to - 3, top + SPARK + 19],
            ],
            role: "output",
            kind: "line",
            step,
          });
      }
    }
  }
}
