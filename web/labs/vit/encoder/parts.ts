/** The parts of an encoder layer, one at a time on the stage: its lines as the block lab draws them. */
import type { Block } from "../../../stage/place.js";
import { sayIn as sayBlock } from "../../block/strings.js";
import type { ConfigOf } from "../../../config/config.js";
import { encoderOf } from "../../../config/labs/vit.js";
import type { Room } from "../../../marks/scene.js";
import { stopIds } from "../../block/path.js";
import { arrange as arrangeBlock, blockLines } from "../../block/stage.js";
import { linesAt, type Line, type Piece } from "../../../stage/flow.js";
import { rowNames } from "../blocks.js";
import { asBlock, encoderTensors, inputOf, layerNode, layerTensors, rolloutNode, sayIn } from "./tensors.js";

type Config = ConfigOf<"vit">;

/** Each part: the stop of the block lab that draws it, and a tensor of it. */
const parts = {
  norm1: ["norm1", "norm1"],
  project: ["attend", "self_attn.Q"],
  attend: ["attend", "self_attn.weights"],
  join: ["attend", "self_attn.concat"],
  add1: ["add1", "residual1"],
  norm2: ["norm2", "norm2"],
  feed: ["feed", "linear1"],
  add2: ["add2", "residual2"],
} as const;
type Part = keyof typeof parts;

/** Rows that may stand above a product. */
const MOST_ABOVE = 16;
/** Cells less wide than this break a line; on a phone names of rows need them wider. */
const LEAST = { narrow: 4, two: 3, wide: 3 };
/** Columns that one line of them has room for. */
const MOST_BESIDE = 160;

const places: readonly [RegExp, Part][] = [
  [/^norm1/, "norm1"],
  [/^self_attn\.([QKV]|[qkv]_proj_(weight|bias)|in_proj_(weight|bias))$/, "project"],
  [/^self_attn\.(concat|output|out_proj\..*)$/, "join"],
  [/^self_attn\./, "attend"],
  [/^residual1$/, "add1"],
  [/^norm2/, "norm2"],
  [/^(linear[12]|activation)/, "feed"],
  [/^residual2$/, "add2"],
];

/** What stands on the stage for a node of the encoder: "layer-0-attend", "final", "chain"; null for nodes of none of these. */
export function pictureOf(node: string): string | null {
  const [, layer, name = ""] = /^layers\.(\d+)\.(.+)$/.exec(node) ?? [];
  if (layer !== undefined) {
    const part = places.find(([pattern]) => pattern.test(name))?.[1];
    return part ? `layer-${layer}-${part}` : null;
  }
  if (/^norm(\.|$)/.test(node)) return "final";
  return node.startsWith("rollout.") ? "chain" : null;
}

const isPart = (text: string): text is Part => text in parts;

function layerLines(config: Config, room: Room, layer: number, part: Part, head: number): Line[] {
  const { words } = room;
  const numbers = asBlock(config.numbers, words);
  const tensors = layerTensors(config, words, layer);
  const of = (name: string): Block => {
    const tensor = tensors.get(name);
    if (!tensor) throw new Error(`vit: no tensor of a layer is called ${name}`);
    return tensor;
  };
  const [stop, name] = parts[part];
  const cell = { node: name, index: [head, 0, 0] };
  const block = { numbers } as ConfigOf<"block">;
  const arrangement = arrangeBlock(block, { ...room, layout: "wide", cell });
  const inside: Room = { ...room, layout: "wide", arrangement };
  const at = stopIds(numbers).indexOf(stop);
  const say = sayIn(words);
  const { heads } = encoderOf(config.numbers);
  const heading =
    part === "attend" ? say("heading", { n: layer, head, heads }) : say("heading.layer", { n: layer });
  const placed = (piece: Piece): Piece =>
    "operator" in piece ? { ...piece, operator: layerNode(layer, piece.operator) } : piece;
  return linesAt(blockLines(block, inside, of, sayBlock(words)), at).flatMap((line, first): Line[] => {
    const headed = { ...line, ...(first === 0 ? { heading } : {}) };
    const pieces = line.pieces.map(placed);
    const high = pieces.filter(isHigh);
    const own = pieces.flatMap((piece) => ("tensor" in piece ? [piece.tensor] : []));
    const columns = [...own, ...high.map(({ above }) => above)].reduce((sum, one) => sum + one.columns, 0);
    const beside = room.layout !== "narrow" && columns <= MOST_BESIDE;
    return [
      { ...headed, pieces: pieces.flatMap((piece) => flat(piece, beside)) },
      ...(beside ? [] : high.map(({ above }) => ({ pieces: [{ tensor: above }], steps: [] }))),
    ];
  });
}

/** Whether a product's weights have too many rows to stand above it: they stand before it, or have a line of their own. */
function isHigh(piece: Piece): piece is Extract<Piece, { tensor: unknown }> & { above: Block } {
  return "tensor" in piece && piece.above?.role === "weight" && piece.above.rows > MOST_ABOVE;
}

/** With as many rows as there are patches a factor stands before its product, not above it; and columns have no room for names. */
function flat(piece: Piece, beside: boolean): Piece[] {
  if (!("tensor" in piece)) return [piece];
  const { columnNames: _names, above, ...rest } = piece;
  if (!above) return [rest];
  if (above.rows <= MOST_ABOVE) return [{ ...rest, above }];
  return above.role === "weight" && !beside ? [rest] : [{ tensor: above }, rest];
}

/** The last norm: of what the last layer gives. */
function finalLines(config: Config, room: Room, of: (node: string) => Block): Line[] {
  const say = sayIn(room.words);
  const { layers } = encoderOf(config.numbers);
  const norm = of("norm");
  return [
    {
      heading: say("heading.final"),
      rowNames: rowNames(config.numbers, room.words),
      pieces: [
        { tensor: of(inputOf(layers)) },
        { operator: "norm", name: [say("operator.norm")], step: norm.step },
        { tensor: norm, above: of("norm.weight") },
      ],
      steps: [],
    },
  ];
}

/** A step of the rollout: a layer's mean with the path, or its product with what came before. */
function chainLines(config: Config, room: Room, of: (node: string) => Block): Line[] {
  const { numbers } = config;
  const { words, cell } = room;
  const { layers } = encoderOf(numbers);
  const node = cell?.node ?? "";
  const layer = Math.min(Number(/_(\d+)$/.exec(node)?.[1] ?? layers - 1), layers - 1);
  const plain = (name: string): Piece => ({ tensor: of(name) });
  const mean = /^rollout\.(mean|residual|sums|identity)/.test(node);
  const step = (name: string): Piece => plain(`rollout.${name}_${layer}`);
  // The first layer has nothing before it.
  const pieces: Piece[] = mean
    ? [step("mean"), step("residual"), step("sums")]
    : layer === 0
      ? [step("residual"), step("sums"), step("normalised")]
      : [
          step("normalised"),
          { sign: "×" },
          plain(rolloutNode(numbers, layer - 1)),
          { sign: "=" },
          plain(rolloutNode(numbers, layer)),
        ];
  return [
    {
      heading: sayIn(words)("heading.layer", { n: layer }),
      rowNames: rowNames(numbers, words),
      pieces,
      steps: [],
    },
  ];
}

/** The lines of a picture; `head` is the one unfolded. */
export function encoderLines(config: Config, room: Room, picture: string, head: number): Line[] {
  const all = new Map(encoderTensors(config, room.words).map((tensor) => [tensor.node, tensor]));
  const of = (node: string): Block => {
    const tensor = all.get(node);
    if (!tensor) throw new Error(`vit: no tensor is called ${node}`);
    return tensor;
  };
  const [kind, layer = "0", part = ""] = picture.split("-");
  const lines =
    kind === "layer" && isPart(part)
      ? layerLines(config, room, Number(layer), part, head)
      : kind === "final"
        ? finalLines(config, room, of)
        : chainLines(config, room, of);
  return lines.map((line) => ({ ...line, least: LEAST[room.layout], steps: [room.step] }));
}

/** The nodes that a picture shows. */
export function nodesOn(lines: readonly Line[]): string[] {
  return lines.flatMap(({ pieces }) =>
    pieces.flatMap((piece) =>
      "tensor" in piece ? [piece.tensor.node, ...(piece.above ? [piece.above.node] : [])] : [],
    ),
  );
}
