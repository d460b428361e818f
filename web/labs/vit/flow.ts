/** The stage of the ViT lab: what it opens for a target, the stops of Play, and the lines of an encoder's layers and rollout. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderOf, hasEncoder, patchCount } from "../../config/labs/vit.js";
import type { Key, Words } from "../../i18n/words.js";
import type { Room, RoomAt, Scene, Snapshots } from "../../marks/scene.js";
import { arrangedAs, arrangementOf, remembered } from "../../stage/arrangement.js";
import type { Flow, Line, Piece, TensorPiece } from "../../stage/flow.js";
import { thumbnails, type Block } from "../../stage/place.js";
import { largestInRow } from "../../telling/largest.js";
import type { Stop } from "../../telling/telling.js";
import { sayIn as sayBlock } from "../block/strings.js";
import { sayIn } from "./strings.js";
import {
  clsCount,
  inputOf,
  layerNode,
  layersOf,
  parts,
  rolloutNode,
  rowCount,
  rowNames,
  sequenceNode,
  stopIds,
  type Part,
} from "./tensors.js";

type Config = ConfigOf<"vit">;
type Cell = { node: string; index: number[] };
type Of = (node: string) => Block;

/** A row from the lower half of the image, and one not far from it; of an encoder one of the last row of patches, as CLS sees it. */
export function opening({ numbers }: Config): Cell {
  const count = patchCount(numbers);
  const perLine = numbers.size / numbers.patch;
  const cls = clsCount(numbers);
  const last = rowCount(numbers) - 1;
  if (hasEncoder(numbers)) return { node: "cls_weights", index: [0, 0, Math.min(count - perLine + 1, last)] };
  const row = cls ? 0 : Math.max(0, count - Math.ceil(perLine / 2));
  return { node: "weights", index: [row, Math.min(Math.max(cls, count - perLine), last)] };
}

export function stops(config: Config, words: Words, snapshots: Snapshots): Stop[] {
  const { numbers } = config;
  const say = sayIn(words);
  const { heads } = encoderOf(numbers);
  const first = opening(config);
  const row = hasEncoder(numbers) ? 0 : first.index[0]!;
  const patch = Math.max(0, row - clsCount(numbers));
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  // CLS looks at itself as well.
  const looked = (cell: Cell): Cell => largestInRow(snapshots, cell, clsCount(numbers));
  const cells: Record<string, Cell> = {
    cut: pixelOf(numbers, patch),
    flatten: largest("bands", patch, 0, 0),
    project: largest("tokens", patch, 0),
    place: largest("sequence", 0, 0),
    attend: looked(first),
    mix: largest("output", row, 0),
    look: looked(first),
    rollout: looked({ node: "cls_rollout", index: [0, 1] }),
  };
  const slots = { n: patchCount(numbers), flat: 3 * numbers.patch ** 2, dim: numbers.dim };
  return stopIds(numbers).map((id): Stop => {
    if (id === "look" || id === "rollout")
      return { id, title: say(`stop.${id}`), sentence: say(`tell.${id}`), cell: cells[id]! };
    const layer = layerAt(id);
    if (layer === null)
      return {
        id,
        title: words(`labs.vit.step.${id}` as Key),
        sentence: words(`labs.vit.tell.${id}` as Key, slots),
        cell: cells[id]!,
      };
    const inHeads = say(heads === 1 ? "heads.one" : "heads.many", { n: heads });
    return {
      id,
      title: say("stop.layer", { n: layer }),
      sentence: say("tell.layer", { n: layer, heads: inHeads }),
      cell: looked({ node: layerNode(layer, "self_attn.weights"), index: [0, 0, 1] }),
    };
  });
}

/** The upper left pixel of a patch, red. */
export function pixelOf({ size, patch }: VitNumbers, n: number): Cell {
  const perLine = size / patch;
  return { node: "image", index: [0, Math.floor(n / perLine) * patch, (n % perLine) * patch] };
}

/** The layer of a stop; null of the others. */
function layerAt(stop: string): number | null {
  const [, layer] = /^layer(\d+)$/.exec(stop) ?? [];
  return layer === undefined ? null : Number(layer) - 1;
}

const pixels = ["image", "unit", "normalised"];
const scores = ["scores", "scaled", "weights"];

/**
 * The pictures of a screen and the nodes that each holds, in the order in which a node is looked for: the image with all that is read
 * off it (on phones a stop of it; a patch that is pointed at stands for its weights), a product, a part of a layer.
 */
function pictures({ numbers }: Config, { layout }: RoomAt): Map<string, readonly string[]> {
  const narrow = layout === "narrow";
  const sequence = sequenceNode(numbers);
  const { layers } = encoderOf(numbers);
  const patch = ["bands", sequence, "K_T"];
  const ofImage: Record<string, readonly string[]> = hasEncoder(numbers)
    ? narrow
      ? {
          "look-look": ["cls_weights"],
          "look-rollout": ["cls_rollout"],
          "cut-cut": pixels,
          "cut-flatten": [...pixels, "bands"],
        }
      : { cut: [...pixels, "bands"], look: ["cls_weights", "cls_rollout", ...pixels] }
    : narrow
      ? {
          "image-attend": scores,
          "image-cut": [...pixels, "weights"],
          "image-flatten": [...pixels, ...patch],
        }
      : { image: [...pixels, ...patch, ...scores] };
  const ids = stopIds(numbers);
  const products: [id: string, nodes: readonly string[]][] = [
    ["project", ["patches", "W_E", "W_E_T", "kernels", "b_E", "projected", "tokens"]],
    ["place", ["CLS", "joined", "position", "sequence"]],
    ["mix", ["weights", sequence, "output"]],
  ];
  return new Map([
    ...Object.entries(ofImage),
    ...products.filter(([id]) => ids.includes(id)),
    ...layersOf(numbers).flatMap((layer) =>
      Object.entries(parts).map(([part, nodes]): [string, readonly string[]] => [
        `layer-${layer}-${part}`,
        nodes.map((name) => (name === "x" ? inputOf(layer) : layerNode(layer, name))),
      ]),
    ),
    ...(hasEncoder(numbers)
      ? [["final", ["norm", "norm.weight", "norm.bias", inputOf(layers)]] as const]
      : []),
  ]);
}

/** The picture of a stop on a phone. */
function pictureAt(numbers: VitNumbers, stop: string): string {
  const layer = layerAt(stop);
  if (layer !== null) return `layer-${layer}-attend`;
  if (stop === "look" || stop === "rollout") return `look-${stop}`;
  if (stop !== "cut" && stop !== "flatten" && stop !== "attend") return stop;
  return `${hasEncoder(numbers) ? "cut" : "image"}-${stop}`;
}

/** The stop of Play that a picture belongs to. */
export function stopAt(numbers: VitNumbers, picture: string): number {
  const [kind = "", part = ""] = picture.split("-");
  const stop: Record<string, string> = {
    layer: `layer${Number(part) + 1}`,
    final: `layer${encoderOf(numbers).layers}`,
    chain: "rollout",
  };
  return Math.max(0, stopIds(numbers).indexOf(stop[kind] ?? (part || kind)));
}

/** The row that is unfolded: the target's, or of one that has none, the last. CLS is 0 where there is one. */
function rowOf(numbers: VitNumbers, { node, index }: Cell, before: number): number {
  const cls = clsCount(numbers);
  const { patch, size } = numbers;
  const [first = 0, y = 0, x = 0] = index;
  if (pixels.includes(node)) return cls + Math.floor(y / patch) * (size / patch) + Math.floor(x / patch);
  if (["patches", "bands", "projected", "tokens"].includes(node)) return cls + first;
  if (node === "cls_weights" || node === "cls_rollout") return index.at(-1) ?? 0;
  return ["K_T", "W_E", "W_E_T", "kernels", "b_E", "CLS", "minus_one"].includes(node) ? before : first;
}

/** What else is opened: the column of the projection, the look that the patch is framed in, the layer of the rollout and its half. */
function openedAt({ numbers }: Config, { node, index }: Cell): number[] {
  const axis = { projected: 1, tokens: 1, W_E: 1, W_E_T: 0, kernels: 0, b_E: 0 }[node];
  if (axis !== undefined) return [Math.min(numbers.dim - 1, index[axis] ?? 0)];
  if (node === "cls_weights" || node === "cls_rollout") return [node === "cls_weights" ? 1 : 2];
  if (!node.startsWith("rollout.")) return [];
  const last = encoderOf(numbers).layers - 1;
  const layer = Math.min(Number(/_(\d+)$/.exec(node)?.[1] ?? last), last);
  return [layer, /^rollout\.(mean|residual|sums|identity)/.test(node) ? 1 : 0];
}

/** The picture, the row unfolded in it, and the other it is compared with or, of an encoder, the head; then what else is opened. */
export function arrange(config: Config, room: RoomAt): string {
  const { numbers } = config;
  const held = pictures(config, room);
  const all = [...held.keys()];
  const first = opening(config);
  const cell = room.cell ?? { node: first.node, index: [] };
  const holds = (id: string, node = cell.node): boolean => held.get(id)?.includes(node) ?? false;
  const ids = stopIds(numbers);
  const own = pictureAt(numbers, ids[Math.max(0, Math.min(room.step, ids.length - 1))]!);
  const stays = room.layout === "narrow" && (!room.cell || holds(own));
  const chain = cell.node.startsWith("rollout.") ? "chain" : undefined;
  const found = chain ?? all.find((id) => holds(id));
  const fallback = room.layout === "narrow" ? own : all.find((id) => holds(id, first.node))!;
  const { id, memory } = arrangementOf(room, stays ? own : (found ?? fallback), (last) => held.get(last));
  const last = rowCount(numbers) - 1;
  const row = Math.min(last, rowOf(numbers, cell, memory[0] ?? 0));
  const ofHead = /^layers\.\d+\.(.*)$/.exec(cell.node)?.[1] ?? "";
  const isHead = cell.node === "cls_weights" || (parts.attend as readonly string[]).includes(ofHead);
  const isKey = [...scores, "K_T"].includes(cell.node);
  const other = hasEncoder(numbers)
    ? Math.min(encoderOf(numbers).heads - 1, (isHead ? cell.index[0] : memory[1]) ?? 0)
    : Math.min(last, (isKey ? (cell.index[1] ?? 0) : memory[1]) ?? first.index[1]!);
  return remembered(id, [row, other, ...(room.cell ? openedAt(config, room.cell) : [])]);
}

/** Rows that may stand above a product. */
const MOST_ABOVE = 16;
/** Cells less wide than this break a line; on a phone names of rows need them wider. */
const LEAST = { narrow: 4, two: 3, wide: 3 };
/** Columns that one line of them has room for. */
const MOST_BESIDE = 160;

/** With as many rows as there are patches a factor stands before its product, not above it. */
function laid({ above, ...piece }: TensorPiece, beside: boolean): Piece[] {
  if (!above) return [piece];
  if (above.rows <= MOST_ABOVE) return [{ ...piece, above }];
  return above.role === "weight" && !beside ? [piece] : [{ tensor: above }, piece];
}

type Bare = Pick<Line, "heading" | "rowNames" | "pieces">;

/** The lines of a part of a layer; weights with too many rows to stand above a product, or before it, have a line of their own. */
function layerLines(
  numbers: VitNumbers,
  room: Room,
  of: Of,
  layer: number,
  part: Part,
  head: number,
): Bare[] {
  const say = sayIn(room.words);
  const ofBlock = sayBlock(room.words);
  const inside = (name: string): Block => of(layerNode(layer, name));
  const inHead = (name: string): Block => {
    const tensor = inside(`self_attn.${name}`);
    return { ...tensor, symbol: { ...tensor.symbol, sub: String(head) }, at: [head, null, null] };
  };
  const { step } = inside("norm1");
  const input: Block = {
    ...of(inputOf(layer)),
    symbol: { text: "X", sub: "0" },
    family: "path",
    letters: "L×D",
    step,
  };
  const arrow = (operator: string, name: string): Piece => ({
    operator: layerNode(layer, operator),
    name: [name],
    step,
  });
  const product = (name: string, factor: string): Piece => ({ tensor: inside(name), above: inside(factor) });
  const normed = (from: Block, name: string): Piece[] => [
    { tensor: from },
    arrow(name, ofBlock("operator.norm")),
    product(name, `${name}.weight`),
  ];
  const sum = (onto: Block, added: string, result: string): Piece[] => [
    { tensor: onto },
    { sign: "+" },
    { tensor: inside(added) },
    { sign: "=" },
    { tensor: inside(result) },
  ];
  const values = inHead("V_heads");
  const pieces: Record<Part, Piece[]> = {
    norm1: normed(input, "norm1"),
    project: [
      { tensor: inside("norm1"), id: "read" },
      ...["Q", "K", "V"].map((name) =>
        product(`self_attn.${name}`, `self_attn.${name.toLowerCase()}_proj_weight`),
      ),
    ],
    attend: [
      { tensor: inHead("scores"), above: inHead("K_T") },
      arrow("self_attn.scaled", `÷√${values.columns}`),
      { tensor: inHead("weights") },
      { tensor: inHead("heads"), above: values },
    ],
    join: [{ tensor: inside("self_attn.concat") }, product("self_attn.output", "self_attn.out_proj.weight")],
    add1: sum(input, "self_attn.output", "residual1"),
    norm2: normed(inside("residual1"), "norm2"),
    feed: [
      product("linear1", "linear1.weight"),
      arrow("activation", ofBlock("activation.gelu")),
      { tensor: inside("activation") },
      product("linear2", "linear2.weight"),
    ],
    add2: sum(inside("residual1"), "linear2", "residual2"),
  };
  const tensors = pieces[part].filter((piece) => "tensor" in piece);
  const high = tensors.flatMap(({ above }) =>
    above?.role === "weight" && above.rows > MOST_ABOVE ? [above] : [],
  );
  const columns = [...tensors.map(({ tensor }) => tensor), ...high].reduce(
    (all, one) => all + one.columns,
    0,
  );
  const beside = room.layout !== "narrow" && columns <= MOST_BESIDE;
  const n = layer;
  const { heads } = encoderOf(numbers);
  return [
    {
      heading: part === "attend" ? say("heading", { n, head, heads }) : say("heading.layer", { n }),
      rowNames: rowNames(numbers, room.words),
      pieces: pieces[part].flatMap((piece) => ("tensor" in piece ? laid(piece, beside) : [piece])),
    },
    ...(beside ? [] : high.map((tensor) => ({ pieces: [{ tensor }] }))),
  ];
}

/** A step of the rollout: a layer's mean with the path, or its product with what came before. */
function chainLine(numbers: VitNumbers, words: Words, of: Of, layer: number, isMean: boolean): Bare {
  const plain = (name: string): Piece => ({ tensor: of(`rollout.${name}_${layer}`) });
  // The first layer has nothing before it.
  const pieces: Piece[] = isMean
    ? [plain("mean"), plain("residual"), plain("sums")]
    : layer === 0
      ? [plain("residual"), plain("sums"), plain("normalised")]
      : [
          plain("normalised"),
          { sign: "×" },
          { tensor: of(rolloutNode(layer - 1)) },
          { sign: "=" },
          { tensor: of(rolloutNode(layer)) },
        ];
  return { heading: sayIn(words)("heading.layer", { n: layer }), rowNames: rowNames(numbers, words), pieces };
}

/** The last norm: of what the last layer gives. */
function finalLine(numbers: VitNumbers, words: Words, of: Of): Bare {
  const norm = of("norm");
  return {
    heading: sayIn(words)("heading.final"),
    rowNames: rowNames(numbers, words),
    pieces: [
      { tensor: of(inputOf(encoderOf(numbers).layers)) },
      { operator: "norm", name: [sayBlock(words)("operator.norm")], step: norm.step },
      { tensor: norm, above: of("norm.weight") },
    ],
  };
}

/** The lines of a part of the encoder. */
export function flow({ numbers }: Config, _snapshots: Snapshots, room: Room, of: Of): Flow {
  const { words } = room;
  const { id, memory } = arrangedAs(room);
  const [, head = 0, layer = 0, isMean = 0] = memory;
  const [kind, inside = "0", part = ""] = id.split("-");
  const lines =
    kind === "layer"
      ? layerLines(numbers, room, of, Number(inside), part as Part, head)
      : [
          kind === "final"
            ? finalLine(numbers, words, of)
            : chainLine(numbers, words, of, layer, isMean === 1),
        ];
  const stop = room.layout === "narrow" ? stopAt(numbers, id) : room.step;
  const say = sayIn(words);
  return {
    lines: lines.map((line) => ({ ...line, least: LEAST[room.layout], steps: [stop] })),
    stop,
    legendOf: (family) =>
      family === "rollout" || family === "residuals" || family === "weights"
        ? say(`legend.${family}`)
        : sayBlock(words)(`legend.${family}` as "legend.path"),
    overview: () => 0,
  };
}

/** The way from the patches to what is looked at, whatever is drawn. */
export function strip({ numbers }: Config, _snapshots: Snapshots, room: Room, of: Of): Scene {
  const ids = stopIds(numbers);
  const read = hasEncoder(numbers)
    ? [
        ...layersOf(numbers).map((layer) => layerNode(layer, "self_attn.weights")),
        "cls_weights",
        "cls_rollout",
      ]
    : [...scores, "output"];
  const blocks = [
    "patches",
    ...(ids.includes("project") ? ["tokens"] : []),
    ...(ids.includes("place") ? ["sequence"] : []),
    ...read,
  ].map(of);
  const active = blocks.filter(({ step }) => step === room.step).map(({ node }) => node);
  return thumbnails(blocks, active, room.width);
}
