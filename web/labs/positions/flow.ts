/** An encoding by itself: its stops, what the stage opens for a target, and the tensors that stand small on a phone. */
import type { ConfigOf } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshots } from "../../marks/scene.js";
import { arrangementOf, writeArrangement } from "../../stage/arrangement.js";
import type { Flow } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, type Cell } from "../../telling/largest.js";
import { tensors } from "./tensors.js";

type Config = ConfigOf<"positions">;

/** The position and the dimension that the stage opens with. */
function firstPlace({ numbers }: Config): [row: number, column: number] {
  return [Math.min(4, positionCount(numbers) - 1), Math.min(20, numbers.dim - 1)];
}

export function opening(config: Config): Cell {
  const { encoding, dim, x } = config.numbers;
  const [row, column] = firstPlace(config);
  switch (encoding) {
    case "alibi":
      return cellAt("bias", 0, row, 0);
    case "rotary":
      return cellAt("rotated", row, 0);
    case "shift":
      return cellAt("M_PE_p", row, Math.min(column, dim - 2));
    default:
      return cellAt(x ? "input" : "PE", row, dim > 20 ? column : 0);
  }
}

const stopIds = (config: Config, words: Words): string[] => [
  ...new Set(tensors(config, words).flatMap(({ stop }) => stop ?? [])),
];

export function stops(config: Config, words: Words): Stops {
  const cell = opening(config);
  const index = cell.index.slice(-2);
  const firsts: Record<string, Cell> = {
    encode: { node: config.numbers.encoding === "shift" ? "PE_p" : "PE", index },
    vectors: { node: tensors(config, words).some(({ node }) => node === "rows") ? "rows" : "X", index },
    slopes: cellAt("bias.slopes", 0),
    alike: cellAt("similarity", index[0]!, 0),
  };
  const slots = { k: config.numbers.offset };
  return Object.fromEntries(stopIds(config, words).map((id) => [id, { ...(firsts[id] ?? cell), slots }]));
}

/** The row and the column that the target's cell stands for, of those of an encoding. */
function placeOf(config: Config, { cell }: TargetRoom): [row: number, column: number] {
  const first = firstPlace(config);
  const [a, b] = cell && cell.index.length <= 2 ? cell.index : [];
  const turned: Record<string, (number | undefined)[]> = { similarity: [a], PE_T: [b, a] };
  const [row = first[0], column = first[1]] = turned[cell?.node ?? ""] ?? [a, b];
  return [Math.min(row, positionCount(config.numbers) - 1), Math.min(column, config.numbers.dim - 1)];
}

/** What the map shows, its curves too, and what the product of similarities does. */
const shown: Record<string, readonly string[]> = {
  map: ["PE", "similarity"],
  alike: ["PE", "PE_T", "similarity"],
};

/** A map with the row and the column that are drawn as curves, of which tensor; or the head, the pair, the factor, the product. */
export function arrange(config: Config, room: TargetRoom): string {
  const { encoding, x } = config.numbers;
  const { node = "", index = [] } = room.cell ?? {};
  const place = placeOf(config, room);
  if (encoding === "alibi")
    return writeArrangement("heads", node.startsWith("bias") ? index.slice(0, 1) : []);
  if (encoding === "rotary") return writeArrangement("rotated", place);
  if (encoding === "shift") return writeArrangement(node === "M" ? "M" : "M_T");
  if (x) return writeArrangement(node === "X" || node === "input" ? node : "map", place);
  const isAtProduct = room.layout === "narrow" && room.step === 1;
  const wanted = isAtProduct || node === "similarity" || node === "PE_T" ? "alike" : "map";
  const { id } = arrangementOf(room, wanted, (last) => shown[last]);
  return writeArrangement(id, id === "map" ? place : []);
}

/** A line per stop. All of the stage is drawn by hand; the slopes are too few to stand small. */
export function flow(
  config: Config,
  _snapshots: Snapshots,
  { words }: Room,
  of: (node: string) => Block,
): Flow {
  const all = tensors(config, words).filter(({ node }) => node !== "bias.slopes");
  return {
    lines: stopIds(config, words).map((id, step) => ({
      steps: [step],
      pieces: all.filter(({ stop }) => stop === id).map(({ node }) => of(node)),
    })),
    legendOf: () => "",
  };
}
