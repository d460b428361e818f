/** The stage of the ViT lab: what it opens for a target, the stops of Play, and the lines of an encoder's layers and rollout. */
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderOf, hasEncoder, isStretched, patchCount, positionSide } from "../../config/labs/vit.js";
import type { Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../stage/arrangement.js";
import type { Flow, Piece, TensorPiece } from "../../stage/flow.js";
import { atMostAcross, inHead, thumbnails, type Block } from "../../stage/place.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import type { Stop, Stops } from "../../telling/declaration.js";
import { stringsIn as blockStringsIn } from "../block/strings.js";
import { stringsIn } from "./strings.js";
import {
  answerOf,
  clsCount,
  inputOf,
  layerNode,
  layersOf,
  parts,
  positionNode,
  rolloutNode,
  rowCount,
  rowNames,
  sequenceNode,
  stopIds,
  type Part,
} from "./tensors.js";

type Config = ConfigOf<"vit">;
type Of = (node: string) => Block;

/**
 * The cell that is the target when the lab opens: how much a patch in the lower half of the image attends to a patch near it; with a CLS
 * token, how much CLS attends to a patch of the last row, and with an encoder the same in the first head of the first layer.
 */
export function opening({ numbers }: Config): Cell {
  const count = patchCount(numbers);
  const perLine = numbers.size / numbers.patch;
  const cls = clsCount(numbers);
  const last = rowCount(numbers) - 1;
  if (hasEncoder(numbers)) return { node: "cls_weights", index: [0, 0, Math.min(count - perLine + 1, last)] };
  const row = cls ? 0 : Math.max(0, count - Math.ceil(perLine / 2));
  return { node: "weights", index: [row, Math.min(Math.max(cls, count - perLine), last)] };
}

export function stops(config: Config, words: Words, snapshots: Snapshots): Stops {
  const { numbers } = config;
  const strings = stringsIn(words);
  const { heads: n } = encoderOf(numbers);
  const inHeads = strings(n === 1 ? "heads.one" : "heads.many", { n });
  const first = opening(config);
  const [row = 0] = first.index;
  const patch = Math.max(0, row - clsCount(numbers));
  const largest = (node: string, ...index: number[]): Cell => largestInRow(snapshots, { node, index });
  // The weight of CLS for itself is left out.
  const largestOnPatches = (cell: Cell): Cell => largestInRow(snapshots, cell, clsCount(numbers));
  const answer = answerOf(snapshots);
  const cells: Record<string, Cell> = {
    cut: pixelOf(numbers, patch),
    flatten: largest("bands", patch, 0, 0),
    project: largest("tokens", patch, 0),
    stretch: largest("stretched", ...middleOf(numbers), 0),
    place: largest("sequence", 0, 0),
    attend: largestOnPatches(first),
    mix: largest("output", row, 0),
    look: largestOnPatches(first),
    rollout: largestOnPatches({ node: "cls_rollout", index: [0, 1] }),
    answer: { node: "probabilities", index: [answer ?? 0, 0] },
  };
  const grids = { small: positionSide(numbers), large: numbers.size / numbers.patch };
  const slots = { ...grids, n: patchCount(numbers), flat: 3 * numbers.patch ** 2, dim: numbers.dim };
  const name = answer === null ? undefined : numbers.classes?.[answer];
  const answered = { most: name === undefined ? "" : strings("answer.most", { name }) };
  const stops = stopIds(numbers).map((id): [string, Stop] => {
    const layer = layersOf(numbers).find((n) => id === `layer${n + 1}`);
    if (layer === undefined) return [id, { ...cells[id]!, slots: { ...slots, ...answered } }];
    const cell = largestOnPatches(cellAt(layerNode(layer, "self_attn.weights"), 0, 0, 1));
    const title = strings("stop.layer", { n: layer });
    return [id, { ...cell, title, tell: "layer", slots: { n: layer, heads: inHeads } }];
  });
  return Object.fromEntries(stops);
}

/** The row and the column of a patch in the middle of the image. */
function middleOf({ size, patch }: VitNumbers): [row: number, column: number] {
  const middle = Math.floor(size / patch / 2);
  return [middle, middle];
}

/** The red number of the upper left pixel of a patch. */
export function pixelOf({ size, patch }: VitNumbers, n: number): Cell {
  const perLine = size / patch;
  return { node: "image", index: [0, Math.floor(n / perLine) * patch, (n % perLine) * patch] };
}

const pixels = ["image", "unit", "normalised"];
const answers = ["probabilities", "logits", "products", "head.weight", "head.bias", "cls"];
const scores = ["scores", "scaled", "weights"];

/**
 * The pictures of a screen and the nodes that each holds, in the order in which a node is looked for: the image with all that is read
 * off it (on phones a stop of it; a patch that is pointed at stands for its weights), a product, a part of a layer.
 */
function pictures({ numbers }: Config, { layout }: TargetRoom): Map<string, readonly string[]> {
  const narrow = layout === "narrow";
  const sequence = sequenceNode(numbers);
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
    ["stretch", ["position_grid", "stretched", "interpolation", "position"]],
    ["place", ["CLS", "joined", positionNode(numbers), "sequence"]],
    ["mix", ["weights", sequence, "output"]],
    ["answer", [...answers, "cls_rollout", ...pixels]],
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
      ? [["final", ["norm", "norm.weight", "norm.bias", inputOf(encoderOf(numbers).layers)]] as const]
      : []),
  ]);
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

/** The row that is shown in detail: the target's, or `before` where the target belongs to no row. CLS, if any, is row 0. */
function rowOf(numbers: VitNumbers, { node, index }: Cell, before: number): number {
  const cls = clsCount(numbers);
  const { patch, size } = numbers;
  const [first = 0, y = 0, x = 0] = index;
  if (pixels.includes(node)) return cls + Math.floor(y / patch) * (size / patch) + Math.floor(x / patch);
  if (["patches", "bands", "projected", "tokens"].includes(node)) return cls + first;
  if (node === "cls_weights" || node === "cls_rollout") return index.at(-1) ?? 0;
  if (node === "stretched" || node === "interpolation") return cls + first * (size / patch) + y;
  const others = ["K_T", "W_E", "W_E_T", "kernels", "b_E", "CLS", "minus_one", "position_grid", ...answers];
  return others.includes(node) ? before : first;
}

/**
 * The last numbers of the arrangement: a column of the projection or of the positions, the attention map with the frame, or a layer of
 * the rollout and which half of it.
 */
function openedAt({ numbers }: Config, { node, index }: Cell, before = 0): number[] {
  if (node === "interpolation") return [before];
  const ofPositions = isStretched(numbers) ? { position: 1, position_grid: 2, stretched: 2 } : {};
  const ofProjection = { projected: 1, tokens: 1, W_E: 1, W_E_T: 0, kernels: 0, b_E: 0 };
  const axis = ({ ...ofProjection, ...ofPositions } as Partial<Record<string, number>>)[node];
  if (axis !== undefined) return [Math.min(numbers.dim - 1, index[axis] ?? 0)];
  if (node === "cls_weights" || node === "cls_rollout") return [node === "cls_weights" ? 1 : 2];
  if (!node.startsWith("rollout.")) return [];
  const last = encoderOf(numbers).layers - 1;
  const layer = Math.min(Number(/_(\d+)$/.exec(node)?.[1] ?? last), last);
  return [layer, /^rollout\.(mean|residual|sums|identity)/.test(node) ? 1 : 0];
}

/** The picture, the row shown in detail, the row that it is compared with (with an encoder, the head), then the numbers of `openedAt`. */
export function arrange(config: Config, room: TargetRoom): string {
  const { numbers } = config;
  const nodesOf = pictures(config, room);
  const all = [...nodesOf.keys()];
  const first = opening(config);
  const cell = room.cell ?? { node: first.node, index: [] };
  const { node, index } = cell;
  const holds = (id: string, wanted = node): boolean => nodesOf.get(id)?.includes(wanted) ?? false;
  // A phone shows the picture of the stop, if the target is in it.
  const own = room.layout === "narrow" ? all.find((id) => stopAt(numbers, id) === room.step) : undefined;
  const chain = node.startsWith("rollout.") ? "chain" : undefined;
  const stays = own !== undefined && (!room.cell || holds(own));
  const found = stays ? own : (chain ?? all.find((id) => holds(id)));
  const wanted = found ?? own ?? all.find((id) => holds(id, first.node))!;
  const { id, memory } = arrangementOf(room, wanted, (last) => nodesOf.get(last));
  const last = rowCount(numbers) - 1;
  const row = Math.min(last, rowOf(numbers, cell, memory[0] ?? 0));
  const isKey = [...scores, "K_T"].includes(node);
  const isHead = node === "cls_weights" || parts.attend.includes(node.replace(/^layers\.\d+\./, ""));
  const other = hasEncoder(numbers)
    ? Math.min(encoderOf(numbers).heads - 1, (isHead ? index[0] : memory[1]) ?? 0)
    : Math.min(last, (isKey ? (index[1] ?? 0) : memory[1]) ?? first.index[1]!);
  return writeArrangement(id, [row, other, ...(room.cell ? openedAt(config, room.cell, memory[2]) : [])]);
}

/** A factor with more rows than this is not drawn above its product. */
const MOST_ABOVE = 16;
/** A line is broken if its cells would be narrower than this. The names of rows need wider cells on a phone. */
const LEAST = { narrow: 4, two: 3, wide: 3 };
/** The number of columns that fit on one line. */
const MOST_BESIDE = 160;
/** A tensor with more columns is drawn as a map with the width of so many. */
const MOST_ACROSS = { narrow: 64, two: 128, wide: 160 };

const isProduct = (piece: Piece): piece is TensorPiece => typeof piece === "object" && "tensor" in piece;

/** A product whose factor is too high to stand above it: the factor stands before it, or on a line of its own. */
function withoutHighFactor(piece: Piece, beside: boolean): Piece[] {
  if (!isProduct(piece) || !piece.above || piece.above.rows <= MOST_ABOVE) return [piece];
  const { above, ...rest } = piece;
  return above.role === "weight" && !beside ? [rest] : [above, rest];
}

/** A part of the encoder and its heading: a part of a layer, a layer of the rollout, or the norm after the last layer. */
function encoderPart(numbers: VitNumbers, room: Room, of: Of): { heading: string; pieces: Piece[] } {
  const strings = stringsIn(room.words);
  const blockStrings = blockStringsIn(room.words);
  const { heads, layers } = encoderOf(numbers);
  const { id, memory } = readArrangement(room);
  const [, head = 0, n = 0, isMean = 0] = memory;
  const [kind, inside, part] = id.split("-");
  const product = (node: string, factor: string): Piece => ({ tensor: of(node), above: of(factor) });
  const normed = (from: Block, node: string): Piece[] => [
    from,
    [blockStrings("operator.norm")],
    product(node, `${node}.weight`),
  ];
  if (kind === "final")
    return { heading: strings("heading.final"), pieces: normed(of(inputOf(layers)), "norm") };
  if (kind === "chain") {
    const [mean, residual, sums, normalised] = ["mean", "residual", "sums", "normalised"].map((name) =>
      of(`rollout.${name}_${n}`),
    ) as [Block, Block, Block, Block];
    // The first layer multiplies no earlier one.
    const pieces: Piece[] = isMean
      ? [mean, residual, sums]
      : n === 0
        ? [residual, sums, normalised]
        : [normalised, "×", of(rolloutNode(n - 1)), "=", of(rolloutNode(n))];
    return { heading: strings("heading.layer", { n }), pieces };
  }
  const layer = Number(inside);
  const node = (name: string): string => layerNode(layer, name);
  const attention = (name: string): string => node(`self_attn.${name}`);
  const ofHead = (name: string): Block => inHead(of(attention(name)), head);
  const { step } = of(node("norm1"));
  const read = of(inputOf(layer));
  const input: Block = { ...read, symbol: { text: "X", sub: "0" }, family: "path", letters: "L×D", step };
  const [middle, values] = [of(node("residual1")), ofHead("V_heads")];
  const pieces: Record<Part, () => Piece[]> = {
    norm1: () => normed(input, node("norm1")),
    project: () => [
      { tensor: of(node("norm1")), id: "read" },
      ...["Q", "K", "V"].map((name) =>
        product(attention(name), attention(`${name.toLowerCase()}_proj_weight`)),
      ),
    ],
    attend: () => [
      { tensor: ofHead("scores"), above: ofHead("K_T") },
      { operator: attention("scaled"), name: [`÷√${values.columns}`] },
      ofHead("weights"),
      { tensor: ofHead("heads"), above: values },
    ],
    join: () => [of(attention("concat")), product(attention("output"), attention("out_proj.weight"))],
    add1: () => [input, "+", of(attention("output")), "=", middle],
    norm2: () => normed(middle, node("norm2")),
    feed: () => [
      product(node("linear1"), node("linear1.weight")),
      [blockStrings("activation.gelu")],
      of(node("activation")),
      product(node("linear2"), node("linear2.weight")),
    ],
    add2: () => [middle, "+", of(node("linear2")), "=", of(node("residual2"))],
  };
  const heading = strings(part === "attend" ? "heading" : "heading.layer", { n: layer, head, heads });
  return { heading, pieces: pieces[part as Part]() };
}

/** The lines of a part of the encoder. Weights with too many rows to stand above a product, or before it, have a line of their own. */
export function flow({ numbers }: Config, _snapshots: Snapshots, room: Room, of: Of): Flow {
  const { words } = room;
  const { heading, pieces } = encoderPart(numbers, room, of);
  const high = pieces
    .filter(isProduct)
    .flatMap(({ above }) => (above?.role === "weight" && above.rows > MOST_ABOVE ? [above] : []));
  const shown = pieces.flatMap((piece) =>
    typeof piece === "object" && "node" in piece ? piece : isProduct(piece) ? piece.tensor : [],
  );
  const columns = [...shown, ...high].reduce((sum, one) => sum + one.columns, 0);
  const beside = room.layout !== "narrow" && columns <= MOST_BESIDE;
  const stop = room.layout === "narrow" ? stopAt(numbers, readArrangement(room).id) : room.step;
  const line = { least: LEAST[room.layout], steps: [stop], named: false };
  const names = rowNames(numbers, words);
  const most = MOST_ACROSS[room.layout];
  const narrow = (block: Block): Block => atMostAcross(block, most);
  const narrowed = (piece: Piece): Piece => {
    if (typeof piece !== "object") return piece;
    if ("node" in piece) return narrow(piece);
    return isProduct(piece) ? { ...piece, tensor: narrow(piece.tensor) } : piece;
  };
  return {
    lines: [
      {
        ...line,
        heading,
        rowNames: names,
        pieces: pieces.flatMap((piece) => withoutHighFactor(piece, beside)).map(narrowed),
      },
      ...(beside ? [] : high.map((tensor) => ({ ...line, pieces: [narrowed(tensor)] }))),
    ],
    stop,
    legendOf: (family) =>
      family === "rollout" || family === "residuals" || family === "weights"
        ? stringsIn(words)(`legend.${family}`)
        : blockStringsIn(words)(`legend.${family}` as "legend.path"),
    overview: () => 0,
  };
}

/** The flow from the patches to the attention, the same for every picture. */
export function strip({ numbers }: Config, _snapshots: Snapshots, room: Room, of: Of): Scene {
  const ids = stopIds(numbers);
  const read = hasEncoder(numbers)
    ? [
        ...layersOf(numbers).map((layer) => layerNode(layer, "self_attn.weights")),
        "cls_weights",
        "cls_rollout",
        ...(numbers.classes ? ["probabilities"] : []),
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
