/** The stage of the ViT lab with an encoder: the image, a patch of it, a part of a layer, or what CLS looks at. */
import type { ConfigOf } from "../../../config/config.js";
import { encoderOf } from "../../../config/labs/vit.js";
import type { Room, Scene, Snapshots } from "../../../marks/scene.js";
import { arrangementOf, remembered } from "../../../stage/arrangement.js";
import { flowScene } from "../../../stage/flow.js";
import { emptyScene, thumbnails, type Block } from "../../../stage/place.js";
import { block, focusOf, rowCount, stepIds, type VitNode } from "../blocks.js";
import { legends, magnified, pixelOf, unfolded, whole, type Parts } from "../pictures.js";
import { product } from "../scene.js";
import { sumsScene } from "../sums.js";
import { sayIn as sayBlock } from "../../block/strings.js";
import { encoderTensors, layerNode, sayIn } from "./tensors.js";
import { CAPTION, headLooks, heads, headsWidth, looksLine, picture, rolloutLook } from "./looks.js";
import { encoderLines, nodesOn, pictureOf } from "./parts.js";

type Config = ConfigOf<"vit">;

const TOP = 30;
const pixels = ["image", "unit", "normalised"];
const looked = ["cls_weights", "cls_rollout"];
const projecting = ["patches", "W_E", "W_E_T", "kernels", "b_E", "projected", "tokens"];
const summing = ["CLS", "joined", "position", "sequence"];

/** The image, the heads and the rollout side by side where they have room; under them the same as rows. */
function look(parts: Parts, stop: string | null): Scene {
  const { config, room, scene } = parts;
  const { numbers } = config;
  const inner = room.width - 16;
  const ofHeads = headLooks(numbers, parts);
  const rolled = rolloutLook(parts);
  if (stop === "rollout") {
    picture(parts, rolled, 8, TOP, inner);
    scene.height = looksLine(parts, [rolled], 8, TOP + inner + 28, inner);
    return scene;
  }
  if (stop) {
    const columns = ofHeads.length > 4 ? 3 : ofHeads.length > 1 ? 2 : 1;
    const side = (inner - (columns - 1) * 14) / columns;
    ofHeads.forEach((one, at) =>
      picture(
        parts,
        one,
        8 + (at % columns) * (side + 14),
        TOP + Math.floor(at / columns) * (side + CAPTION + 4),
        side,
      ),
    );
    const end = TOP + Math.ceil(ofHeads.length / columns) * (side + CAPTION + 4);
    scene.height = looksLine(parts, ofHeads, 8, end + 4, inner);
    return scene;
  }
  const all = [...ofHeads, rolled];
  if (room.layout === "two") {
    const size = Math.min(340, Math.floor((inner - 40) / 2));
    whole(parts, 8, TOP, size, pixelOf);
    picture(parts, rolled, 8 + size + 40, TOP, size);
    const second = TOP + size + 44;
    const wide = heads(parts, 8, second, size);
    const left = 8 + wide + 28;
    scene.note = room.width - left - 8 >= 240 ? { x: left, y: second, width: room.width - left - 8 } : null;
    scene.height = looksLine(parts, all, 8, second + size + 30, inner);
    return scene;
  }
  const rows = all.length * 22 + 130;
  const size = Math.max(190, Math.min(300, room.height - TOP - rows));
  const gap = 36;
  whole(parts, 8, TOP, size, pixelOf);
  const middle = 8 + size + gap;
  heads(parts, middle, TOP, size);
  const last = middle + headsWidth(numbers, size) + gap;
  picture(parts, rolled, last, TOP, size);
  const note = last + size + 28;
  scene.note =
    room.width - note - 8 >= 240 ? { x: note, y: 8, width: Math.min(480, room.width - note - 8) } : null;
  scene.height = looksLine(parts, all, 8, TOP + size + 32, inner);
  return scene;
}

/** The image and one patch of it, unfolded. */
function cut(parts: Parts, stop: string | null): Scene {
  const { room, scene } = parts;
  const inner = room.width - 16;
  if (stop === "cut") {
    whole(parts, 8, TOP, inner, pixelOf);
    scene.height = TOP + inner + 12;
    return scene;
  }
  if (stop) {
    scene.height = legends(parts, 8, unfolded(parts, 30, TOP, Math.min(264, inner - 30)) + 8, inner, 1);
    return scene;
  }
  const size = Math.min(360, Math.floor((inner - 60) / 2), Math.max(220, room.height - TOP - 60));
  whole(parts, 8, TOP, size, pixelOf);
  const middle = 8 + size + 56;
  const side = Math.min(264, size - 90);
  const end = unfolded(parts, middle, TOP, side);
  magnified(parts, [8, TOP, size], [middle, TOP, side]);
  const note = middle + side + 40;
  scene.note =
    room.width - note - 8 >= 240 ? { x: note, y: TOP, width: Math.min(480, room.width - note - 8) } : null;
  scene.height = legends(parts, 8, Math.max(end, TOP + size) + 14, Math.min(inner, 640), 2);
  return scene;
}

/** The picture that a target asks for. */
function wantedBy(node: string): string {
  if (projecting.includes(node)) return "project";
  if (summing.includes(node)) return "place";
  if (pixels.includes(node) || node === "bands") return "cut";
  return pictureOf(node) ?? "look";
}

/** A stop of a phone as a picture, and the picture's stop. */
function stopPicture(id: string): string {
  const layer = /^layer(\d)$/.exec(id)?.[1];
  if (layer) return `layer-${Number(layer) - 1}-attend`;
  return { flatten: "cut", rollout: "look" }[id] ?? id;
}

export function encoderScene(config: Config, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const steps = stepIds(numbers);
  const narrow = room.layout === "narrow";
  const asked = narrow ? steps[Math.max(0, Math.min(room.step, steps.length - 1))]! : null;
  const node = room.cell?.node ?? (asked === null ? "cls_weights" : "");
  const holds = (id: string): readonly string[] | undefined => {
    if (id === "look") return [...looked, ...pixels];
    if (id === "look-look") return ["cls_weights"];
    if (id === "look-rollout") return ["cls_rollout"];
    if (id === "cut") return [...pixels, "bands"];
    if (id === "cut-cut") return pixels;
    if (id === "cut-flatten") return [...pixels, "bands"];
    if (id === "project") return projecting;
    if (id === "place") return summing;
    return /^(layer-\d-\w+|final)$/.test(id) ? nodesOn(encoderLines(config, room, id, 0)) : undefined;
  };
  const byNode = node === "" ? stopPicture(asked!) : wantedBy(node);
  const onPhone = byNode === "look" || byNode === "cut";
  const stop =
    narrow && onPhone
      ? byNode === "look"
        ? node === "cls_rollout" || asked === "rollout"
          ? "rollout"
          : "look"
        : node === "bands" || asked === "flatten"
          ? "flatten"
          : "cut"
      : null;
  const { id, memory } = arrangementOf(room, stop ? `${byNode}-${stop}` : byNode, holds);
  const last = rowCount(numbers) - 1;
  const clicked = room.cell && looked.includes(room.cell.node) ? room.cell.index.at(-1) : undefined;
  const focus =
    clicked === undefined
      ? focusOf(numbers, room.cell, memory[0] ?? 0)
      : { ...focusOf(numbers, null, 0), row: clicked, patch: Math.max(0, clicked - 1) };
  const head = headOf(config, room) ?? memory[1] ?? 0;
  const parts: Parts = {
    config,
    room,
    focus,
    key: Math.min(last, focus.row),
    scene: emptyScene(room.width),
    snapshots,
  };
  const scene = drawn(parts, id, Math.min(head, encoderOf(numbers).heads - 1));
  scene.arrangement = remembered(id, [focus.row, head]);
  if (narrow) scene.stop = Math.max(0, stopAt(id, steps));
  return scene;
}

/** The stop of Play that a picture belongs to. */
function stopAt(id: string, steps: readonly string[]): number {
  const [kind = "", part = ""] = id.split("-");
  if (kind === "layer") return steps.indexOf(`layer${Number(part) + 1}`);
  if (kind === "final") return steps.indexOf("look") - 1;
  if (kind === "chain") return steps.indexOf("rollout");
  return steps.indexOf(part || kind);
}

/** The head of the target, where it is of one. */
function headOf({ numbers }: Config, { cell }: Room): number | null {
  if (!cell) return null;
  const ofHead = /^layers\.\d+\.self_attn\.(K_T|scores|scaled|weights|[QKV]_heads|heads)$/.test(cell.node);
  return ofHead || cell.node === "cls_weights"
    ? Math.min(encoderOf(numbers).heads - 1, cell.index[0] ?? 0)
    : null;
}

function drawn(parts: Parts, id: string, head: number): Scene {
  const { config, room } = parts;
  if (id === "project") return product(parts, "project");
  if (id === "place") return sumsScene(parts);
  const [kind, stop = null] = id.split("-") as [string, string?];
  if (kind === "look") return look(parts, stop);
  if (kind === "cut") return cut(parts, stop);
  const say = sayIn(room.words);
  const ofBlock = sayBlock(room.words);
  const legendOf = (family: string): string => {
    if (family === "rollout" || family === "residuals" || family === "weights")
      return say(`legend.${family}`);
    return ofBlock(`legend.${family}` as "legend.path");
  };
  return flowScene(room, { lines: encoderLines(config, room, id, head), legendOf, overview: () => 0 });
}

export function encoderStrip(config: Config, _snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const base = (["patches", "tokens", "sequence"] satisfies VitNode[]).map((node) =>
    block(config, node, room.words),
  );
  const tensors = new Map(encoderTensors(config, room.words).map((tensor) => [tensor.node, tensor]));
  const { layers } = encoderOf(numbers);
  const names = [
    ...Array.from({ length: layers }, (_, layer) => layerNode(layer, "self_attn.weights")),
    "cls_weights",
    "cls_rollout",
  ];
  const blocks: Block[] = [...base, ...names.flatMap((name) => tensors.get(name) ?? [])];
  const active = blocks.filter(({ step }) => step === room.step).map(({ node }) => node);
  return thumbnails(blocks, active, room.width);
}
