/** The stage of ALiBi: a slope for each head, and the bias that each head adds to its scores. */
import type { Room, Scene } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { LEGEND, emptyScene, legend, place, type Block } from "../../stage/place.js";

const GAP = 18;
const LEFT = 36;
const NOTE_HEIGHT = 185;

export function biasScene(room: Room, of: (node: string) => Block): Scene {
  const { words, layout, width } = room;
  const scene = emptyScene(width);
  const slopes = of("bias.slopes");
  const bias = of("bias");
  const { columns: heads } = slopes;
  const { rows: count } = bias;
  const perLine = Math.min(heads, { wide: 8, two: 4, narrow: 2 }[layout]);
  const lines = Math.ceil(heads / perLine);
  const band = Math.min(280, (width - LEFT - 8 - (perLine - 1) * GAP) / perLine);
  const noteHeight = layout === "narrow" ? 0 : NOTE_HEIGHT + 16;
  const space = layout === "wide" ? (room.height - 70 - 2 * LEGEND - noteHeight) / lines - 34 : band;
  const size = Math.max(Math.min(96, band), Math.min(band, space, count * 34));
  const cell = size / count;
  const caption = words("labs.positions.slopes");
  scene.labels.push({ x: LEFT, y: 16, text: caption, kind: "caption", step: slopes.step });
  place(scene, slopes, LEFT, 28, Math.min(48, (width - LEFT - 12) / heads), 22);
  const target = readArrangement(room).memory[0];
  const rowNames = Array.from({ length: count }, (_, row) => String(row));
  for (let head = 0; head < heads; head += 1) {
    const [line, column] = [Math.floor(head / perLine), head % perLine];
    const [x, top] = [LEFT + column * (band + GAP), 88 + line * (size + 34)];
    scene.labels.push({
      x,
      y: top - 8,
      text: words("labs.head", { n: head }),
      kind: "heading",
      step: bias.step,
      ...(head === target ? { role: "activation" as const } : {}),
    });
    place(scene, { ...bias, at: [head, null, null] }, x, top, cell, cell, {
      id: `bias-${head}`,
      ...(column === 0 && cell >= 12 ? { rowNames } : {}),
    });
  }
  const y = 88 + lines * (size + 34);
  const scale = Math.min(380, width - LEFT - 8);
  legend(scene, "bias", bias.fill, LEFT, y, scale, words("labs.legend.bias"));
  legend(scene, "bias.slopes", slopes.fill, LEFT, y + LEGEND, scale, words("labs.legend.slopes"));
  if (layout !== "narrow") {
    const x = Math.max(LEFT + scale + 24, width - 408);
    scene.note = { x, y, width: Math.min(400, width - x - 8) };
  }
  scene.height = y + Math.max(2 * LEGEND, noteHeight) + 6;
  return scene;
}
