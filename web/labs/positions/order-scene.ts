/** The stage of words in two orders: the score of each order under the other, and what is left of their difference. */
import type { ConfigOf } from "../../config/config.js";
import { orderOf } from "../../config/labs/positions.js";
import type { Room, RoomAt, Scene, Snapshots } from "../../marks/scene.js";
import { arrangedAs, arrangementOf, remembered } from "../../stage/arrangement.js";
import { flowScene, flowStrip, type Flow } from "../../stage/flow.js";
import {
  BRACKET,
  CAPTION_BELOW,
  LEGEND,
  emptyScene,
  labelWidth,
  legend,
  operator,
  operatorGap,
  place,
  thumbnails,
  type Block,
} from "../../stage/place.js";
import { compareScene, comparedNodes } from "./compare-scene.js";
import { detailFlow, detailOf, movedWords, orderFlow, type Detail, type Side } from "./order-flow.js";
import { inputName, orderWords, rowsOf } from "./order-tensors.js";
import { SCHEMES, placeOf, under, type Scheme } from "./schemes.js";

type Config = ConfigOf<"positions">;

const HEAD = 26;
const NOTE = { width: 260, height: 190, beside: 286 };
/** Room at the left for the line that joins the two words. */
const LINK = 16;

type Of = (node: string) => Block;

/** Which two rows change places: a line with an arrow at each end, left of their names. */
function link(scene: Scene, id: string, top: number, bottom: number): void {
  const curve = (part: string, points: [number, number][]) =>
    scene.curves.push({ id: `${id}-${part}`, points, role: "activation", kind: "line", step: 0 });
  curve("line", [
    [12, top],
    [3, top],
    [3, bottom],
    [12, bottom],
  ]);
  for (const y of [top, bottom])
    curve(`arrow-${y}`, [
      [9, y - 3],
      [12, y],
      [9, y + 3],
    ]);
}

/** Both orders, one under the other, in register; the difference stands on the rows of the second. */
function twoOrders(config: Config, room: Room, of: Of): Scene {
  const scene = emptyScene(room.width);
  const text = orderWords(room.words);
  const { tokens, dim, swap } = orderOf(config.numbers);
  const names = rowsOf(config, room.words);
  const label = labelWidth(names.first) + LINK;
  const signs = [["softmax"], ["× X"], ["− PO"]] as const;
  const gaps = signs.map(([name]) => operatorGap([name]));
  const count = tokens.length;
  const cell = Math.min(
    40,
    (room.width - label - 14 - gaps.reduce((sum, gap) => sum + gap, 0)) / (3 * dim + count),
  );
  const starts = [label];
  for (const [at, columns] of [dim, count, dim].entries())
    starts.push(starts[at]! + columns * cell + gaps[at]!);
  const noted = room.layout === "wide" && room.width - starts[3]! >= NOTE.width;
  const below = CAPTION_BELOW + 8 + LEGEND + 6;
  // The second order stands under the note too.
  const noteEnd = noted ? NOTE.beside + 8 : 0;
  const height = Math.max(
    3,
    Math.min(
      34,
      Math.floor((room.height - 2 * HEAD - CAPTION_BELOW - 8 - below) / (2 * count)),
      Math.floor((room.height - noteEnd - HEAD - below) / count),
    ),
  );
  const low = Math.max(HEAD + count * height + CAPTION_BELOW + 8, noteEnd) + HEAD;
  const bottom = low + count * height + CAPTION_BELOW;
  (["", "swapped."] as const).forEach((side) => {
    const y = side ? low : HEAD;
    const [a, b] = swap;
    const heading = side ? text("second", movedWords(config, room)) : text("first");
    scene.labels.push({ x: label, y: y - 10, text: heading, kind: "heading", step: of(`${side}X`).step });
    const nodes = [`${side}X`, `${side}weights`, `${side}output`, ...(side ? ["difference"] : [])];
    nodes.forEach((node, at) => {
      const tensor = of(node);
      place(scene, tensor, starts[at]!, y, cell, height, {
        caption: "below",
        captionWidth: tensor.columns * cell + (gaps[at] ?? 0),
        ...(at === 0 ? { rowNames: side ? names.second : names.first } : {}),
      });
      if (at === 0) return;
      const from = starts[at]! - gaps[at - 1]!;
      operator(
        scene,
        node,
        from,
        starts[at]!,
        y + Math.min(count * height, 2 * height) / 2,
        signs[at - 1]!,
        tensor.step,
      );
    });
    if (a === b) return;
    const middle = (row: number): number => y + (row + 0.5) * height;
    link(scene, `places-${side || "first"}`, middle(Math.min(a, b)), middle(Math.max(a, b)));
  });
  const width = Math.min(400, (room.width - label - 8) / 2);
  const y = bottom + 8;
  legend(scene, "vectors", "activation", label - BRACKET, y, width - 20, text("legend.vectors"));
  legend(scene, "weights", "probability", label - BRACKET + width, y, width - 20, text("legend.weights"));
  scene.height = y + LEGEND + 6;
  if (noted)
    scene.note = { x: starts[3]! - BRACKET, y: 8, width: Math.min(480, room.width - starts[3]! - 4) };
  else if (room.layout !== "narrow") {
    scene.note = { x: label - BRACKET, y: scene.height + 4, width: Math.min(480, room.width - label - 8) };
    scene.height += NOTE.height;
  }
  return scene;
}

/** What an arrangement is called: a picture, or a detail of a scheme and an order. */
const called = (scheme: Scheme, detail: Detail, side: Side): string => `${scheme}/${detail}/${side}`;

function read(id: string): { scheme: Scheme; detail: Detail; side: Side } | null {
  const [scheme, detail, side] = id.split("/");
  return side === undefined
    ? null
    : { scheme: scheme as Scheme, detail: detail as Detail, side: side as Side };
}

/** What an arrangement shows. */
function holds({ numbers }: Config, id: string): readonly string[] | undefined {
  if (id === "stage")
    return numbers.encoding === "compare"
      ? comparedNodes(numbers)
      : ["X", "swapped.X", "weights", "swapped.weights", "output", "swapped.output", "difference"];
  const asked = read(id);
  if (!asked) return undefined;
  const { scheme, detail, side } = asked;
  const at = under(numbers, scheme);
  const input = inputName(scheme) === "input" ? at(`${side}input`) : `${side}X`;
  const made: Record<Detail, string[]> = {
    encode: [`${side}X`, at("PE"), input, ...(scheme === "alibi" ? [at("distance")] : [])],
    attend: [
      input,
      ...["K_T", "scores", "scaled", "masked", "weights"].map((name) => at(side + name)),
      ...(scheme === "alibi" ? [at("distance")] : []),
    ],
    mix: [at(`${side}weights`), at(`${side}output`), scheme === "rotary" ? `${side}X` : input],
    move: [at("output"), at("moved")],
    leave: ["swapped.output", "minus", "difference"].map(at),
  };
  return made[detail];
}

function wantedBy(config: Config, node: string): string {
  if (holds(config, "stage")!.includes(node)) return "stage";
  const { scheme, swapped, name } = placeOf(config.numbers, node);
  const detail = scheme ? detailOf(name) : null;
  if (name === "X" && config.numbers.encoding === "compare")
    return called("sinusoidal", "encode", swapped ? "swapped." : "");
  return scheme && detail ? called(scheme, detail, swapped ? "swapped." : "") : "stage";
}

/** What a phone shows of two orders at each stop, and of the second by itself at the last. */
const onPhone = [["X"], ["X", "scores", "K_T", "scaled", "weights"], ["weights", "output", "X"]].map(
  (nodes) => [...nodes, ...nodes.map((node) => `swapped.${node}`)],
);
const atLast = ["swapped.output", "moved", "difference"];

const isByStop = ({ numbers }: Config, { layout }: Pick<Room, "layout">): boolean =>
  layout === "narrow" && numbers.encoding === "none";

/** On a phone without an encoding a stop of Play; else the picture, and in it the encoding of the target, or a detail. */
export function arrange(config: Config, room: RoomAt): string {
  const node = room.cell?.node ?? "";
  if (isByStop(config, room)) {
    const shown = [...onPhone, atLast];
    return remembered(arrangementOf(room, String(room.step), (stop) => shown[Number(stop)]).id);
  }
  const { id } = arrangementOf(room, wantedBy(config, node), (last) => holds(config, last));
  const { scheme } = placeOf(config.numbers, node);
  const isColumn = id === "stage" && config.numbers.encoding === "compare" && scheme;
  return remembered(id, isColumn ? [SCHEMES.indexOf(scheme)] : []);
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  const { id } = arrangedAs(room);
  if (isByStop(config, room)) {
    const step = Number(id);
    return flowScene({ ...room, step }, orderFlow({ config, room, of, scheme: "none" }));
  }
  if (read(id)) return null;
  return config.numbers.encoding === "compare"
    ? compareScene(config, snapshots, room, of)
    : twoOrders(config, room, of);
}

/** The detail that is opened; else, for the strip of a phone, both orders. */
export function flow(config: Config, _snapshots: Snapshots, room: Room, of: Of): Flow {
  const asked = read(arrangedAs(room).id);
  return asked
    ? detailFlow({ config, room, of, scheme: asked.scheme }, asked.detail, asked.side)
    : orderFlow({ config, room, of, scheme: "none" });
}

export function strip(config: Config, _snapshots: Snapshots, room: Room, of: Of): Scene {
  if (config.numbers.encoding === "none")
    return flowStrip(room, orderFlow({ config, room, of, scheme: "none" }));
  const shown = comparedNodes(config.numbers).map(of);
  return thumbnails(
    shown.filter(({ step }) => step === room.step),
    [],
    room.width,
  );
}
