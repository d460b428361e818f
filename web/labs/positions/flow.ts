/** A single encoding: its stops, the arrangement of its stage, and the tensors in a phone's strip. */
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

/** The position and the dimension of the cell that is the target at first. */
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
  const firstCells: Record<string, Cell> = {
    encode: { node: config.numbers.encoding === "shift" ? "PE_p" : "PE", index },
    vectors: { node: tensors(config, words).some(({ node }) => node === "rows") ? "rows" : "X", index },
    slopes: cellAt("bias.slopes", 0),
    alike: cellAt("similarity", index[0]!, 0),
  };
  const slots = { k: config.numbers.offset };
  return Object.fromEntries(stopIds(config, words).map((id) => [id, { ...(firstCells[id] ?? cell), slots }]));
}

/** The position and the dimension of an encoding that belong to the target cell. */
function placeOf(config: Config, { cell }: TargetRoom): [row: number, column: number] {
  const first = firstPlace(config);
  const [a, b] = cell && cell.index.length <= 2 ? cell.index : [];
  const placeByNode: Record<string, (number | undefined)[]> = { similarity: [a], PE_T: [b, a] };
  const [row = first[0], column = first[1]] = placeByNode[cell?.node ?? ""] ?? [a, b];
  return [Math.min(row, positionCount(config.numbers) - 1), Math.min(column, config.numbers.dim - 1)];
}

/** The nodes whose cells the map and its curves show, and those whose cells the product of similarities shows. */
const nodesByArrangement: Record<string, readonly string[]> = {
  map: ["PE", "similarity"],
  alike: ["PE", "PE_T", "similarity"],
};

/** The arrangement of the stage: a map, with the tensor, row and column that are drawn as curves; or the head, the rotated pair, the shift matrix or the product. */
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
  const wantedId = isAtProduct || node === "similarity" || node === "PE_T" ? "alike" : "map";
  const { id } = arrangementOf(room, wantedId, (last) => nodesByArrangement[last]);
  return writeArrangement(id, id === "map" ? place : []);
}

/** The lines of a phone's strip, one for each stop: the stage itself is a picture. The slopes are left out, because they are too few for a thumbnail. */
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
