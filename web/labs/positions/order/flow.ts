/** Words in two orders as lines: the stops of a phone, and the details that show how the numbers outside the picture are computed. */
import type { ConfigOf, PositionsNumbers } from "../../../config/config.js";
import { orderOf } from "../../../config/labs/positions.js";
import type { Words } from "../../../i18n/words.js";
import type { TargetRoom, Room, Snapshots } from "../../../marks/scene.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../../stage/arrangement.js";
import type { Flow, Line, Piece } from "../../../stage/flow.js";
import type { Block } from "../../../stage/place.js";
import { comparedNodes } from "./compare.js";
import {
  SCHEMES,
  SIDES,
  inputName,
  schemeOf,
  schemesOf,
  nodeNamer,
  type Scheme,
  type Side,
} from "./schemes.js";
import { stringsIn, type Key } from "./strings.js";
import { headingsOf, rowsOf } from "./tensors.js";

type Config = ConfigOf<"positions">;
type BlockOf = (node: string) => Block;

/** The details of one scheme and one order: each is a line with a part of the computation. */
const DETAILS = ["encode", "mix", "attend", "move", "leave"] as const;
type Detail = (typeof DETAILS)[number];
type OpenDetail = readonly [scheme: Scheme, detail: Detail, side: Side];

/** The pieces of an operation and its result. */
const operationPieces = (name: string, tensor: Block): Piece[] => [[name], tensor];
const sumPieces = (first: Block, second: Block, result: Block): Piece[] => [first, "+", second, "=", result];

function piecesOf(numbers: PositionsNumbers, of: BlockOf, [scheme, detail, side]: OpenDetail): Piece[] {
  const ofScheme = (name: string): Block => of(nodeNamer(numbers, scheme)(name));
  const ofSide = (name: string): Block => ofScheme(side + name);
  const words = of(`${side}X`);
  const read = inputName(scheme) === "input" ? ofSide("input") : words;
  switch (detail) {
    case "encode":
      if (scheme === "none") return [words];
      if (scheme === "alibi") return [words, ofScheme("distance")];
      if (scheme === "rotary") return [words, ...operationPieces("R", read)];
      return sumPieces(words, ofScheme("PE"), read);
    case "attend":
      return [
        read,
        { tensor: ofSide("scores"), above: ofSide("K_T") },
        ...operationPieces(`÷√${orderOf(numbers).dim}`, ofSide("scaled")),
        ...(scheme === "alibi"
          ? sumPieces(ofSide("scaled"), ofScheme("distance"), ofSide("masked")).slice(1)
          : []),
        ...operationPieces("softmax", ofSide("weights")),
      ];
    case "mix":
      return [ofSide("weights"), { tensor: ofSide("output"), above: scheme === "rotary" ? words : read }];
    case "move":
      return [ofScheme("output"), ...operationPieces("P", ofScheme("moved"))];
    case "leave":
      return sumPieces(ofScheme("swapped.output"), ofScheme("minus"), ofScheme("difference"));
  }
}

function lineOf(config: Config, words: Words, of: BlockOf, open: OpenDetail, steps: readonly number[]): Line {
  const [, detail, side] = open;
  const order = side || detail === "leave" ? "second" : "first";
  return {
    heading: headingsOf(config, words)[order],
    rowNames: rowsOf(config, words)[order],
    named: false,
    pieces: piecesOf(config.numbers, of, open),
    steps,
  };
}

/** Without an encoding: the detail of both orders at each stop of Play, and the tensors of the second order at the last stop, with their signs. */
const detailByStop = ["encode", "attend", "mix"] as const;
const lastStopTensors = [["swapped.output"], ["moved", "−"], ["difference", "="]] as const;

const isOneOf = <T extends string>(all: readonly T[], text: string | undefined): text is T =>
  all.some((one) => one === text);

/** The detail that an arrangement names; null if it names none, as an arrangement from a link may. */
export function detailOf(arrangement: string): OpenDetail | null {
  const [scheme, detail, side, ...rest] = arrangement.split("/");
  const isDetail =
    isOneOf(SCHEMES, scheme) && isOneOf(DETAILS, detail) && isOneOf(SIDES, side) && rest.length === 0;
  return isDetail ? [scheme, detail, side] : null;
}

/** The line of the open detail; if none is open, the lines of both orders by stop. */
export function flow(config: Config, _snapshots: Snapshots, room: Room, of: BlockOf): Flow {
  const { words, step } = room;
  const legendOf: Flow["legendOf"] = (family) =>
    stringsIn(words)(`legend.${family.replace(/\.\w+$/, "")}` as Key);
  const open = detailOf(readArrangement(room).id);
  if (open) return { lines: [lineOf(config, words, of, open, [step])], legendOf };
  const orders = detailByStop.flatMap((detail, at) =>
    SIDES.map((side) => lineOf(config, words, of, ["none", detail, side], [at])),
  );
  const { second: rowNames } = rowsOf(config, words);
  const last = lastStopTensors.map(([node, heading]): Line => {
    return { rowNames, pieces: [of(node)], steps: [3], ...(heading && { heading }) };
  });
  return { lines: [...orders, ...last], legendOf };
}

/** The nodes of the tensors in a detail. */
function nodesIn(numbers: PositionsNumbers, open: OpenDetail): string[] {
  const pieces = piecesOf(numbers, (node) => ({ node }) as Block, open);
  return pieces.flatMap((piece) => {
    if (typeof piece === "string" || "operator" in piece) return [];
    if ("node" in piece) return piece.node;
    return "tensor" in piece ? [piece.tensor, piece.above ?? []].flat().map(({ node }) => node) : [];
  });
}

/** The nodes that an arrangement shows, of a detail or of the picture; undefined if this encoding has no such arrangement. */
function nodesOfArrangement(numbers: PositionsNumbers, arrangement: string): readonly string[] | undefined {
  const open = detailOf(arrangement);
  // The arrangement may belong to another encoding.
  if (open) return schemesOf(numbers).includes(open[0]) ? nodesIn(numbers, open) : undefined;
  if (arrangement !== "stage") return undefined;
  if (numbers.encoding === "compare") return comparedNodes(numbers);
  return [...SIDES.flatMap((side) => ["X", "weights", "output"].map((name) => side + name)), "difference"];
}

/** Whether both orders are shown stop by stop: on a phone, without an encoding. */
export const isByStop = ({ numbers }: Config, { layout }: Pick<Room, "layout">): boolean =>
  layout === "narrow" && numbers.encoding === "none";

/** The arrangement: a stop of Play if `isByStop`; otherwise the picture with the target's scheme, or a detail if the picture does not show the target. */
export function arrange(config: Config, room: TargetRoom): string {
  const { numbers } = config;
  const node = room.cell?.node ?? "";
  if (isByStop(config, room)) {
    const stops = [
      ...detailByStop.map((detail) => SIDES.flatMap((side) => nodesIn(numbers, ["none", detail, side]))),
      lastStopTensors.map(([name]) => name),
    ];
    // The arrangement may belong to another encoding.
    const nodesAtStop = (stop: string): string[] | undefined => stops[Number(stop)];
    return writeArrangement(arrangementOf(room, String(room.step), nodesAtStop).id);
  }
  const isCompared = numbers.encoding === "compare";
  const scheme = schemeOf(node);
  const side = /(^|\.)swapped\./.test(node) ? "swapped." : "";
  // The words belong to no scheme. Their second order is shown in the detail of the paper's encoding.
  const open = scheme ?? (isCompared ? "sinusoidal" : "none");
  const details = DETAILS.map((detail) => [open, detail, side].join("/"));
  const wantedId =
    ["stage", ...details].find((id) => nodesOfArrangement(numbers, id)!.includes(node)) ?? "stage";
  const { id } = arrangementOf(room, wantedId, (last) => nodesOfArrangement(numbers, last));
  return writeArrangement(id, id === "stage" && isCompared && scheme ? [SCHEMES.indexOf(scheme)] : []);
}
