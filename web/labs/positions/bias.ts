/** ALiBi on the stage: a slope per head, and the bias that each head adds to its scores. */
import type { ConfigOf } from "../../config/config.js";
import { positionCount } from "../../config/labs/positions.js";
import type { Room, Scene } from "../../marks/scene.js";
import { LEGEND, emptyScene, legend, place } from "../../stage/place.js";
import { block, positionNames } from "./blocks.js";

const GAP = 18;
const NOTE_HEIGHT = 185;

export function biasScene(config: ConfigOf<"positions">, room: Room): Scene {
  const { numbers } = config;
  const { words } = room;
  const scene = emptyScene(room.width);
  const count = positionCount(numbers);
  const perLine = Math.min(numbers.heads, { wide: 8, two: 4, narrow: 2 }[room.layout]);
  const lines = Math.ceil(numbers.heads / perLine);
  const left = 36;
  const band = Math.min(280, (room.width - left - 8 - (perLine - 1) * GAP) / perLine);
  const noteHeight = room.layout === "narrow" ? 0 : NOTE_HEIGHT + 16;
  const space = room.layout === "wide" ? (room.height - 70 - 2 * LEGEND - noteHeight) / lines - 34 : band;
  const size = Math.max(Math.min(96, band), Math.min(band, space, count * 34));
  const cell = size / count;
  const slopes = block(config, "bias.slopes", words);
  const slopeCell = Math.min(48, (room.width - left - 12) / numbers.heads);
  scene.labels.push({
    x: left,
    y: 16,
    text: words("labs.positions.slopes"),
    kind: "caption",
    step: slopes.step,
  });
  place(scene, { ...slopes, at: [null] }, left, 28, slopeCell, 22);
  let y = 88;
  const bias = block(config, "bias", words);
  for (let head = 0; head < numbers.heads; head += 1) {
    const x = left + (head % perLine) * (band + GAP);
    const top = y + Math.floor(head / perLine) * (size + 34);
    const on =
      room.cell?.node === "bias"
        ? room.cell.index[0] === head
        : room.cell?.node === "bias.slopes" && room.cell.index[0] === head;
    scene.labels.push({
      x,
      y: top - 8,
      text: words("labs.head", { n: head }),
      kind: "heading",
      step: bias.step,
      ...(on ? { role: "activation" as const } : {}),
    });
    const names =
      head % perLine === 0 && cell >= 12
        ? { rowNames: positionNames({ ...numbers, positions: null, length: count }) }
        : {};
    place(scene, { ...bias, at: [head, null, null] }, x, top, cell, cell, { id: `bias-${head}`, ...names });
  }
  y += lines * (size + 34);
  const width = Math.min(380, room.width - left - 8);
  legend(scene, "bias", bias.fill, left, y, width, words("labs.legend.bias"));
  legend(scene, "bias.slopes", slopes.fill, left, y + LEGEND, width, words("labs.legend.slopes"));
  if (room.layout !== "narrow") {
    const x = Math.max(left + width + 24, room.width - 408);
    scene.note = { x, y, width: Math.min(400, room.width - x - 8) };
  }
  scene.height = y + Math.max(2 * LEGEND, noteHeight) + 6;
  return scene;
}
