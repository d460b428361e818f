/** Words in two orders as lines: what a phone shows stop by stop, and what a number that no picture shows is made from. */
import type { ConfigOf, PositionsNumbers } from "../../../config/config.js";
import { orderOf } from "../../../config/labs/positions.js";
import type { Words } from "../../../i18n/words.js";
import type { TargetRoom, Room, Snapshots } from "../../../marks/scene.js";
import { readArrangement, arrangementOf, writeArrangement } from "../../../stage/arrangement.js";
import type { Flow, Line, Piece } from "../../../stage/flow.js";
import type { Block } from "../../../stage/place.js";
import { comparedNodes } from "./compare.js";
import { SCHEMES, SIDES, inputName, schemeOf, schemesOf, under, type Scheme, type Side } from "./schemes.js";
import { stringsIn, type Key } from "./strings.js";
import { headingsOf, rowsOf } from "./tensors.js";

type Config = ConfigOf<"positions">;
type Of = (node: string) => Block;

/** What a line shows of one scheme and one order. */
const DETAILS = ["encode", "mix", "attend", "move", "leave"] as const;
type Detail = (typeof DETAILS)[number];
type OpenDetail = readonly [scheme: Scheme, detail: Detail, side: Side];

/** An operation, and what it makes. */
const made = (name: string, tensor: Block): Piece[] => [[name], tensor];
const sum = (first: Block, second: Block, result: Block): Piece[] => [first, "+", second, "=", result];

function piecesOf(numbers: PositionsNumbers, of: Of, [scheme, detail, side]: OpenDetail): Piece[] {
  const both = (name: string): Block => of(under(numbers, scheme)(name));
  const at = (name: string): Block => both(side + name);
  const words = of(`${side}X`);
  const read = inputName(scheme) === "input" ? at("input") : words;
  switch (detail) {
    case "encode":
      if (scheme === "none") return [words];
      if (scheme === "alibi") return [words, both("distance")];
      if (scheme === "rotary") return [words, ...made("R", read)];
      return sum(words, both("PE"), read);
    case "attend":
      return [
        read,
        { tensor: at("scores"), above: at("K_T") },
        ...made(`÷√${orderOf(numbers).dim}`, at("scaled")),
        ...(scheme === "alibi" ? sum(at("scaled"), both("distance"), at("masked")).slice(1) : []),
        ...made("softmax", at("weights")),
      ];
    case "mix":
      return [at("weights"), { tensor: at("output"), above: scheme === "rotary" ? words : read }];
    case "move":
      return [both("output"), ...made("P", both("moved"))];
    case "leave":
      return sum(both("swapped.output"), both("minus"), both("difference"));
  }
}

function lineOf(config: Config, words: Words, of: Of, open: OpenDetail, steps: readonly number[]): Line {
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

/** What both orders show at each stop of Play without an encoding, and what the second shows at the last. */
const byStop = ["encode", "attend", "mix"] as const;
const atLast = [["swapped.output"], ["moved", "−"], ["difference", "="]] as const;

const isOneOf = <T extends string>(all: readonly T[], text: string | undefined): text is T =>
  all.some((one) => one === text);

/** The detail that an arrangement names; null if it names none. It may come from a link. */
export function detailOf(arrangement: string): OpenDetail | null {
  const [scheme, detail, side, ...rest] = arrangement.split("/");
  const isDetail =
    isOneOf(SCHEMES, scheme) && isOneOf(DETAILS, detail) && isOneOf(SIDES, side) && rest.length === 0;
  return isDetail ? [scheme, detail, side] : null;
}

/** The detail that is opened; else, without an encoding, both orders stop by stop. */
export function flow(config: Config, _snapshots: Snapshots, room: Room, of: Of): Flow {
  const { words, step } = room;
  const legendOf: Flow["legendOf"] = (family) =>
    stringsIn(words)(`legend.${family.replace(/\.\w+$/, "")}` as Key);
  const open = detailOf(readArrangement(room).id);
  if (open) return { lines: [lineOf(config, words, of, open, [step])], legendOf };
  const orders = byStop.flatMap((detail, at) =>
    SIDES.map((side) => lineOf(config, words, of, ["none", detail, side], [at])),
  );
  const { second: rowNames } = rowsOf(config, words);
  const last = atLast.map(([node, heading]): Line => {
    return { rowNames, pieces: [of(node)], steps: [3], ...(heading && { heading }) };
  });
  return { lines: [...orders, ...last], legendOf };
}

/** The nodes of tensors that stand in a detail. */
function nodesIn(numbers: PositionsNumbers, open: OpenDetail): string[] {
  const pieces = piecesOf(numbers, (node) => ({ node }) as Block, open);
  return pieces.flatMap((piece) => {
    if (typeof piece === "string" || "operator" in piece) return [];
    if ("node" in piece) return piece.node;
    return "tensor" in piece ? [piece.tensor, piece.above ?? []].flat().map(({ node }) => node) : [];
  });
}

/** What the picture of the stage shows, or a detail. */
function shownIn(numbers: PositionsNumbers, arrangement: string): readonly string[] | undefined {
  const open = detailOf(arrangement);
  // The arrangement may be one of another encoding.
  if (open) return schemesOf(numbers).includes(open[0]) ? nodesIn(numbers, open) : undefined;
  if (arrangement !== "stage") return undefined;
  if (numbers.encoding === "compare") return comparedNodes(numbers);
  return [...SIDES.flatMap((side) => ["X", "weights", "output"].map((name) => side + name)), "difference"];
}

/** Whether a phone shows both orders stop by stop. */
export const isByStop = ({ numbers }: Config, { layout }: Pick<Room, "layout">): boolean =>
  layout === "narrow" && numbers.encoding === "none";

/** On a phone without an encoding a stop of Play; else the picture, and in it the encoding of the target, or a detail. */
export function arrange(config: Config, room: TargetRoom): string {
  const { numbers } = config;
  const node = room.cell?.node ?? "";
  if (isByStop(config, room)) {
    const stops = [
      ...byStop.map((detail) => SIDES.flatMap((side) => nodesIn(numbers, ["none", detail, side]))),
      atLast.map(([shownLast]) => shownLast),
    ];
    // The arrangement may be one of another encoding.
    const shown = (stop: string): string[] | undefined => stops[Number(stop)];
    return writeArrangement(arrangementOf(room, String(room.step), shown).id);
  }
  const isCompared = numbers.encoding === "compare";
  const scheme = schemeOf(node);
  const side = /(^|\.)swapped\./.test(node) ? "swapped." : "";
  // Words belong to no scheme: the second order is shown where the paper's encoding is added to it.
  const open = scheme ?? (isCompared ? "sinusoidal" : "none");
  const details = DETAILS.map((detail) => [open, detail, side].join("/"));
  const wanted = ["stage", ...details].find((id) => shownIn(numbers, id)!.includes(node)) ?? "stage";
  const { id } = arrangementOf(room, wanted, (last) => shownIn(numbers, last));
  return writeArrangement(id, id === "stage" && isCompared && scheme ? [SCHEMES.indexOf(scheme)] : []);
}
