/** Where the patches get their places: the class token first, plus the positions, is the sequence. */
import type { Scene } from "../../marks/scene.js";
import { LEGEND, labelWidth, legend, place } from "../../stage/place.js";
import { block, rowNames, stepIds, type VitNode } from "./blocks.js";
import type { Parts } from "./pictures.js";

const NOTE = 380;

/** CLS before the tokens, plus the positions, is the sequence: three matrices on the same rows. */
export function sumsScene(parts: Parts): Scene {
  const { config, room, scene } = parts;
  const { words } = room;
  const names = rowNames(config.numbers, words);
  const nodes: VitNode[] = ["joined", "position", "sequence"];
  const gap = 40;
  const left = Math.max(64, labelWidth(names));
  const columns = config.numbers.dim;
  const stacked = room.layout === "narrow";
  // On a wide screen the note stands at the right.
  const beside = (stacked ? 0 : 2 * gap) + (room.layout === "wide" ? NOTE : 0);
  const cell = Math.min(36, (room.width - left - 12 - beside) / (stacked ? columns : 3 * columns));
  const height = Math.min(26, Math.max(2, (room.height - (stacked ? 130 : 188)) / names.length));
  let x = left;
  let y = stacked ? 16 : 62;
  // The class token is the first row of what is joined.
  if (!stacked)
    place(scene, block(config, "CLS", words), left, 16, cell, 18, { id: "CLS", rowNames: ["CLS"] });
  nodes.forEach((node, index) => {
    const rowLabels = index === 0 || stacked ? { rowNames: names } : {};
    place(scene, block(config, node, words), x, y, cell, height, { caption: "below", ...rowLabels });
    if (stacked) y += names.length * height + 70;
    else {
      x += columns * cell + gap;
      if (index < 2)
        scene.labels.push({
          x: x - gap / 2,
          y: y + (names.length * height) / 2,
          text: index === 0 ? "+" : "=",
          kind: "heading",
          anchor: "middle",
          step: stepIds(config.numbers).indexOf("place"),
        });
    }
  });
  const end = stacked ? y : y + names.length * height + 60;
  const width = Math.min(420, room.width - left - 8);
  legend(scene, "vectors", "activation", left, end, width, words("labs.legend.vit.vectors"));
  legend(scene, "parameters", "parameter", left, end + LEGEND, width, words("labs.legend.vit.parameters"));
  if (!stacked && room.width - x >= 280)
    scene.note = { x: x + 8, y: 8, width: Math.min(480, room.width - x - 16) };
  scene.width = Math.max(room.width, stacked ? left + columns * cell + 12 : x);
  scene.height = end + 2 * LEGEND + 6;
  return scene;
}
