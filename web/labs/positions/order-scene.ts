/** The stage of words in two orders: the score of each order under the other, and what is left of their difference. */
import type { ConfigOf } from "../../config/config.js";
import { orderOf } from "../../config/labs/positions.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangementOf, remembered } from "../../stage/arrangement.js";
import { flowScene, flowStrip } from "../../stage/flow.js";
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
} from "../../stage/place.js";
import { compareScene, comparedNodes } from "./compare-scene.js";
import { detailFlow, detailOf, movedWords, orderFlow, type Detail, type Side } from "./order-flow.js";
import { inputName, orderWords, rowsOf, tensors } from "./order-tensors.js";
import { placeOf, under, type Scheme } from "./schemes.js";
import type { FullTensor as Tensor } from "../../telling/telling.js";

type Config = ConfigOf<"positions">;

const HEAD = 26;
const NOTE = { width: 260, height: 190, beside: 286 };
/** Room at the left for the line that joins the two words. */
const LINK = 16;

export function tensorsBy(config: Config, room: Room): (node: string) => Tensor {
  const all = new Map(tensors(config, room.words).map((tensor) => [tensor.node, tensor]));
  return (node) => {
    const found = all.get(node);
    if (!found) throw new Error(`positions: no tensor is called ${node}`);
    return found;
  };
}

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
function twoOrders(config: Config, room: Room, of: (node: string) => Tensor): Scene {
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

/** A stop of Play on a phone: the last one while it shows the target. */
function stopScene(config: Config, room: Room, of: (node: string) => Tensor): Scene {
  const flow = orderFlow({ config, room, of, scheme: "none" });
  const shown = (id: string): string[] => {
    const pieces = flow.lines
      .filter(({ steps }) => steps.includes(Number(id)))
      .flatMap((line) => line.pieces);
    return pieces.flatMap((piece) =>
      "tensor" in piece ? [piece.tensor.node, ...(piece.above ? [piece.above.node] : [])] : [],
    );
  };
  const { id } = arrangementOf(room, String(room.step), shown);
  const scene = flowScene({ ...room, step: Number(id) }, flow);
  scene.arrangement = remembered(id);
  return scene;
}

export function orderScene(config: Config, snapshots: Snapshots, room: Room): Scene {
  const of = tensorsBy(config, room);
  if (room.layout === "narrow" && config.numbers.encoding === "none") return stopScene(config, room, of);
  const wanted = wantedBy(config, room.cell?.node ?? "");
  const { id } = arrangementOf(room, wanted, (last) => holds(config, last));
  const asked = read(id);
  const scene = asked
    ? flowScene(room, detailFlow({ config, room, of, scheme: asked.scheme }, asked.detail, asked.side))
    : config.numbers.encoding === "compare"
      ? compareScene(config, snapshots, room, of)
      : twoOrders(config, room, of);
  scene.arrangement = remembered(id);
  return scene;
}

export function orderStrip(config: Config, _snapshots: Snapshots, room: Room): Scene {
  const of = tensorsBy(config, room);
  if (config.numbers.encoding === "none")
    return flowStrip(room, orderFlow({ config, room, of, scheme: "none" }));
  const shown = comparedNodes(config.numbers).map(of);
  const at = shown.filter(({ step }) => step === room.step);
  return thumbnails(at, [], room.width);
}
