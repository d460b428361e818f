/** Words in two orders as lines: what a phone shows stop by stop, and what a number that no picture shows is made from. */
import type { ConfigOf } from "../../config/config.js";
import { orderOf } from "../../config/labs/positions.js";
import type { Room } from "../../marks/scene.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { inputName, orderWords, rowsOf, type OrderWords } from "./order-tensors.js";
import { under, type Scheme } from "./schemes.js";

type Config = ConfigOf<"positions">;
type Of = (node: string) => Block;

/** What the lines are made for: a scheme, and where one order is meant, which. */
export interface Asked {
  config: Config;
  room: Room;
  of: Of;
  scheme: Scheme;
}

/** The two words that change places, as they are called. */
export function movedWords(config: Config, room: Room): { a: string; b: string } {
  const { first } = rowsOf(config, room.words);
  const [a, b] = orderOf(config.numbers).swap;
  return { a: first[a] ?? "", b: first[b] ?? "" };
}

function headings({ config, room }: Asked, text: OrderWords): { first: string; second: string } {
  return { first: text("first"), second: text("second", movedWords(config, room)) };
}

const SIDES = ["", "swapped."] as const;
export type Side = (typeof SIDES)[number];

/** A line per order. */
function both(asked: Asked, step: number, pieces: (side: Side) => readonly Piece[]): Line[] {
  const text = orderWords(asked.room.words);
  const names = rowsOf(asked.config, asked.room.words);
  const said = headings(asked, text);
  return SIDES.map((side) => ({
    heading: side ? said.second : said.first,
    rowNames: side ? names.second : names.first,
    pieces: pieces(side),
    steps: [step],
  }));
}

/** How the weights of one order are made. */
function attending({ config, of, scheme }: Asked, side: Side): Piece[] {
  const at = (name: string): Block => of(under(config.numbers, scheme)(side + name));
  const root = `√${orderOf(config.numbers).dim}`;
  const input = inputName(scheme) === "input" ? at("input") : of(`${side}X`);
  const biased = scheme === "alibi";
  return [
    { tensor: input },
    { tensor: at("scores"), above: at("K_T") },
    { operator: at("scaled").node, name: [`÷${root}`], step: 1 },
    { tensor: at("scaled") },
    ...(biased
      ? [{ sign: "+" }, { tensor: of("alibi.distance") }, { sign: "=" }, { tensor: at("masked") }]
      : []),
    { operator: at("weights").node, name: ["softmax"], step: 1 },
    { tensor: at("weights") },
  ];
}

/** What is left of the second output without the moved first one. */
function leaving({ config, of, scheme }: Asked): Piece[] {
  const at = (name: string): Block => of(under(config.numbers, scheme)(name));
  return [
    { tensor: at("swapped.output") },
    { sign: "+" },
    { tensor: at("minus") },
    { sign: "=" },
    { tensor: at("difference") },
  ];
}

/** How a word gets its position. */
function encoding({ config, of, scheme }: Asked, side: Side): Piece[] {
  const at = under(config.numbers, scheme);
  const words = of(`${side}X`);
  if (scheme === "none") return [{ tensor: words }];
  if (scheme === "alibi") return [{ tensor: words }, { tensor: of(at("distance")) }];
  if (scheme === "rotary")
    return [
      { tensor: words },
      { operator: at(`${side}input`), name: ["R"], step: 0 },
      { tensor: of(at(`${side}input`)) },
    ];
  return [
    { tensor: words },
    { sign: "+" },
    { tensor: of(at("PE")) },
    { sign: "=" },
    { tensor: of(at(`${side}input`)) },
  ];
}

function legendOf({ room }: Asked): Flow["legendOf"] {
  const text = orderWords(room.words);
  return (family) => text(`legend.${family.replace(/\.\w+$/, "")}` as Parameters<OrderWords>[0]);
}

/** Without an encoding, stop by stop. */
export function orderFlow(asked: Asked): Flow {
  const { config, of } = asked;
  const { second } = rowsOf(config, asked.room.words);
  const last = (node: string, heading?: string): Line => ({
    rowNames: second,
    pieces: [{ tensor: of(node) }],
    steps: [3],
    ...(heading ? { heading } : {}),
  });
  return {
    lines: [
      ...both(asked, 0, (side) => [{ tensor: of(`${side}X`) }]),
      ...both(asked, 1, (side) => attending(asked, side)),
      ...both(asked, 2, (side) => [
        { tensor: of(`${side}weights`) },
        { tensor: of(`${side}output`), above: of(`${side}X`) },
      ]),
      last("swapped.output"),
      last("moved", "−"),
      last("difference", "="),
    ],
    legendOf: legendOf(asked),
  };
}

/** What one kind of tensor of a scheme is made from, of one order where it has one: a single line. */
export function detailFlow(asked: Asked, detail: Detail, side: Side): Flow {
  const names = rowsOf(asked.config, asked.room.words);
  const text = orderWords(asked.room.words);
  const said = headings(asked, text);
  const at = (name: string): Block => asked.of(under(asked.config.numbers, asked.scheme)(side + name));
  const made: Record<Detail, () => readonly Piece[]> = {
    encode: () => encoding(asked, side),
    attend: () => attending(asked, side),
    mix: () => [
      { tensor: at("weights") },
      {
        tensor: at("output"),
        above:
          inputName(asked.scheme) === "input" && asked.scheme !== "rotary"
            ? at("input")
            : asked.of(`${side}X`),
      },
    ],
    leave: () => leaving(asked),
    move: () => [
      { tensor: at("output") },
      { operator: at("moved").node, name: ["P"], step: asked.room.step },
      { tensor: at("moved") },
    ],
  };
  const later = side !== "" || detail === "leave";
  return {
    lines: [
      {
        heading: detail === "leave" || later ? said.second : said.first,
        rowNames: later ? names.second : names.first,
        pieces: made[detail](),
        steps: [asked.room.step],
      },
    ],
    legendOf: legendOf(asked),
  };
}

export type Detail = "encode" | "attend" | "mix" | "leave" | "move";

/** Which detail shows a tensor, by its own name; null for one that none does. */
export function detailOf(name: string): Detail | null {
  if (["PE", "input", "distance"].includes(name)) return "encode";
  if (["K_T", "scores", "scaled", "masked"].includes(name)) return "attend";
  if (["moved"].includes(name)) return "move";
  if (name === "minus") return "leave";
  return name === "output" || name === "weights" ? "mix" : null;
}
