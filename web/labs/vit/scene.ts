/** The stage of the ViT lab: the image with its grid, one patch large, its flat numbers, and the image veiled by what is not looked at. */
import type { ConfigOf } from "../../config/config.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { arrangementOf, remembered } from "../../stage/arrangement.js";
import { crossingScene } from "../../stage/crossing.js";
import { emptyScene, place, thumbnails } from "../../stage/place.js";
import { block, focusOf, rowCount, rowNames, sequenceNode, stepIds, type VitNode } from "./blocks.js";
import { SKYLINE, legends, line, magnified, patch, veiled, whole, wordSide, type Parts } from "./pictures.js";
import { sumsScene } from "./sums.js";
import { opening } from "./words.js";

/** Everything on one screen. */
function wide(parts: Parts): Scene {
  const { scene, room } = parts;
  const top = 30;
  const size = Math.max(
    200,
    Math.min(
      360,
      room.height - top - 176 - SKYLINE - wordSide(parts, room.width - 16),
      Math.floor((room.width - 590) / 2.1),
    ),
  );
  const inner = Math.min(264, size - 97);
  const left = 8;
  const middle = left + size + 44;
  const last = room.width - size - 8;
  whole(parts, left, top, size);
  patch(parts, middle, top, inner);
  magnified(parts, [left, top, size], [middle, top, inner]);
  veiled(parts, last, top, size);
  const note = middle + inner + 28;
  scene.note = last - 24 - note >= 136 ? { x: note, y: top, width: last - 24 - note } : null;
  const y = line(parts, left, top + size + 40, room.width - 16);
  scene.height = legends(parts, left, y + 6, room.width - 16, 4);
  return scene;
}

/** Image and patch side by side, then the veiled image and the line of patches; the note keeps the gap beside the veiled image. */
function two(parts: Parts): Scene {
  const { scene, room } = parts;
  const gap = 22;
  const size = Math.min(360, Math.floor((room.width - 16 - 2 * gap) / 3));
  whole(parts, 8, 30, size);
  const end = patch(parts, 8 + size + gap, 30, size);
  veiled(parts, 8 + 2 * (size + gap), 30, size);
  const y = line(parts, 8, Math.max(30 + size, end) + 34, room.width - 16);
  scene.height = legends(parts, 8, y + 6, room.width - 16, 2);
  return scene;
}

function narrow(parts: Parts, id: string): Scene {
  const { scene, room } = parts;
  const size = room.width - 16;
  if (id === "cut") {
    whole(parts, 8, 30, size);
    scene.height = 30 + size + 12;
  } else if (id === "flatten") {
    scene.height = legends(parts, 8, patch(parts, 30, 30, Math.min(264, size - 30)) + 8, size, 1);
  } else {
    veiled(parts, 8, 30, size);
    scene.height = legends(parts, 8, line(parts, 8, 30 + size + 30, size) + 6, size, 1);
  }
  return scene;
}

/**
 * What each arrangement holds: the image with all that is read off it (on phones, a stop of it; a patch that is
 * pointed at stands for its weights), or a product.
 */
function holds({ numbers }: ConfigOf<"vit">, room: Room, id: string): readonly string[] | undefined {
  const sequence = sequenceNode(numbers);
  const pixels = ["image", "unit", "normalised"];
  const scores = ["scores", "scaled", "weights"];
  const pictures: Record<string, string[]> =
    room.layout === "narrow"
      ? {
          "image-cut": [...pixels, "weights"],
          "image-flatten": [...pixels, "bands", sequence, "K_T"],
          "image-attend": scores,
        }
      : { image: [...pixels, "bands", sequence, "K_T", ...scores] };
  const projected = numbers.compare === "projection";
  const held: Record<string, string[]> = {
    ...pictures,
    mix: ["weights", sequence, "output"],
    ...(projected ? { project: ["patches", "W_E", "W_E_T", "kernels", "b_E", "projected", "tokens"] } : {}),
    ...(projected && numbers.cls ? { place: ["CLS", "joined", "position", "sequence"] } : {}),
  };
  return held[id];
}

/** The arrangement that a target, or a stop on a phone, asks for. */
function wantedBy({ numbers }: ConfigOf<"vit">, node: string, stop: string | null): string {
  if (node === "output" || stop === "mix") return "mix";
  if (numbers.compare === "pixels") return "image";
  const own = ["patches", "W_E", "W_E_T", "kernels", "b_E", "projected", "tokens"].filter(
    (name) => name !== sequenceNode(numbers),
  );
  if (own.includes(node) || stop === "project") return "project";
  return numbers.cls && (["CLS", "joined", "position"].includes(node) || stop === "place")
    ? "place"
    : "image";
}

export function product(parts: Parts, id: string): Scene {
  const { config, room } = parts;
  const { numbers } = config;
  const { words } = room;
  const made = (node: VitNode) => block(config, node, words);
  const legendOf = (family: string) =>
    words(
      `labs.legend.vit.${family as "pixels" | "vectors" | "parameters" | "scores" | "scaled" | "weights"}`,
    );
  if (id === "mix") {
    const above = made(sequenceNode(numbers));
    return crossingScene(room, {
      left: made("weights"),
      above,
      result: made("output"),
      rowNames: rowNames(numbers, words),
      legendOf,
    });
  }
  const [left, above, result] = [made("patches"), made("W_E"), made("projected")];
  const names = rowNames({ ...numbers, cls: false }, words);
  const scene = crossingScene(room, {
    left,
    above,
    result,
    then: [made("tokens")],
    over: made("b_E"),
    rowNames: names,
    legendOf,
  });
  kernel(scene, parts);
  return scene;
}

/** Which column of the projection the target is of. */
function columnOf({ config, room }: Parts): number {
  const { node = "", index = [] } = room.cell ?? {};
  const at = { projected: 1, tokens: 1, W_E: 1, W_E_T: 0, kernels: 0, b_E: 0 }[node];
  return Math.min(config.numbers.dim - 1, at === undefined ? 0 : (index[at] ?? 0));
}

const KERNEL = { side: 56, gap: 10, room: 118 };

/** The column of W_E that makes the target, as the kernel of a convolution: right of the note, where there is room. */
function kernel(scene: Scene, parts: Parts): void {
  const { config, room, snapshots } = parts;
  const { note } = scene;
  const product = scene.tensors.find(({ node }) => node === "W_E");
  if (!note || !product || !snapshots.has("kernels")) return;
  const left = note.x + note.width + 28;
  if (product.x - left < KERNEL.room) return;
  const column = columnOf(parts);
  const cell = KERNEL.side / config.numbers.patch;
  const { step } = product;
  scene.labels.push({
    x: left - 6,
    y: 22,
    text: room.words("labs.vit.kernel", { n: column }),
    kind: "caption",
    step,
  });
  for (const channel of [0, 1, 2]) {
    const made = { ...block(config, "kernels", room.words), at: [column, channel, null, null] };
    const y = 32 + channel * (KERNEL.side + KERNEL.gap);
    place(scene, made, left, y, cell, cell, { id: `kernel-${channel}` });
    scene.labels.push({
      x: left + KERNEL.side + 14,
      y: y + KERNEL.side / 2 + 4,
      text: room.words((["labs.vit.red", "labs.vit.green", "labs.vit.blue"] as const)[channel]!),
      kind: "axis",
      step,
    });
  }
}

export function vitScene(config: ConfigOf<"vit">, snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const steps = stepIds(numbers);
  const stop = room.layout === "narrow" ? steps[Math.max(0, Math.min(room.step, steps.length - 1))]! : null;
  const asked = wantedBy(config, room.cell?.node ?? "weights", stop);
  // On a phone the image's own stops are pictures apart.
  const wanted = stop && asked === "image" ? `image-${stop}` : asked;
  const { id, memory } = arrangementOf(room, wanted, (last) => holds(config, room, last));
  const last = rowCount(numbers) - 1;
  const focus = focusOf(numbers, room.cell, memory[0] ?? 0);
  const key = Math.min(last, focus.key ?? memory[1] ?? opening(config).index[1]!);
  const parts: Parts = { config, room, focus, key, scene: emptyScene(room.width), snapshots };
  const scene =
    id === "place"
      ? sumsScene(parts)
      : id === "mix" || id === "project"
        ? product(parts, id)
        : pictures(parts, id.slice(6));
  scene.arrangement = remembered(id, [focus.row, key]);
  if (stop) scene.stop = Math.max(0, steps.indexOf(id.replace("image-", "")));
  return scene;
}

/** The image and what a patch of it looks at; on a phone, the stop's part of it. */
function pictures(parts: Parts, stop: string): Scene {
  const { layout } = parts.room;
  return layout === "wide" ? wide(parts) : layout === "two" ? two(parts) : narrow(parts, stop);
}

export function vitStrip(config: ConfigOf<"vit">, _snapshots: Snapshots, room: Room): Scene {
  const { numbers } = config;
  const projected: VitNode[] =
    numbers.compare === "pixels" ? [] : numbers.cls ? ["tokens", "sequence"] : ["tokens"];
  const order: VitNode[] = ["patches", ...projected, "scores", "scaled", "weights", "output"];
  const active = order.filter((node) => block(config, node, room.words).step === room.step);
  return thumbnails(
    order.map((node) => block(config, node, room.words)),
    active,
    room.width,
  );
}
