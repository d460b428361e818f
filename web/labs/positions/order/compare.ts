/** The same words with each encoding: a column for each scheme, with its input, its weights, and the difference that swapping two words makes. */
import type { ConfigOf, PositionsNumbers } from "../../../config/config.js";
import { textWidth } from "../../../marks/measure.js";
import { formatNote } from "../../../marks/numbers.js";
import type { Room, Scene, Snapshot, Snapshots } from "../../../marks/scene.js";
import { readArrangement } from "../../../stage/arrangement.js";
import { LEGEND, emptyScene, labelWidth, legend, place, type Block } from "../../../stage/place.js";
import { SCHEMES, inputName, nodeNamer, type Scheme } from "./schemes.js";
import { stringsIn, type Key } from "./strings.js";
import { swappedWords, rowsOf } from "./tensors.js";

const GAP = 22;
const HEAD = 22;
const CAPTION = 28;
/** The height of the line under a column. */
const FOOT = 18;
const NOTE = { width: 420, height: 206 };

/** The least width of a column with a colour scale. Narrower columns have their largest number in its place. */
const OWN_SCALE = 150;
const ROWS = ["input", "weights", "difference"] as const;

/** The nodes in the column of a scheme, from top to bottom. */
function nodesOf(numbers: PositionsNumbers, scheme: Scheme): [string, string, string] {
  const at = nodeNamer(numbers, scheme);
  const input = scheme === "alibi" ? at("distance") : inputName(scheme) === "X" ? "X" : at("input");
  return [input, at("weights"), at("difference")];
}

export const comparedNodes = (numbers: PositionsNumbers): string[] =>
  SCHEMES.flatMap((scheme) => nodesOf(numbers, scheme));

/** The number with the largest absolute value. */
function largestNumber({ data }: Snapshot): number {
  return data.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
}

/** The scene of all columns. A phone shows one row of them at each stop. */
export function compareScene(
  config: ConfigOf<"positions">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const { numbers } = config;
  const { layout, words } = room;
  const scene = emptyScene(room.width);
  const strings = stringsIn(words);
  const { rows: count } = of("X");
  const [isWide, isNarrow] = [layout === "wide", layout === "narrow"];
  const perLine = { wide: 6, two: 3, narrow: 2 }[layout];
  const lines = SCHEMES.length / perLine;
  const visibleRows = isNarrow ? [Math.max(0, Math.min(room.step, 2))] : [0, 1, 2];
  const names = rowsOf(config, words);
  const label = labelWidth(names.first);
  const band = (room.width - label - 10 - (perLine - 1) * GAP) / perLine;
  const fixedHeight = HEAD + visibleRows.length * CAPTION + FOOT + 6;
  const space = isWide ? room.height - 14 - NOTE.height : (3 * (fixedHeight + 3 * 90)) / lines;
  const height = Math.max(3, Math.min(26, Math.floor((space - fixedHeight) / (visibleRows.length * count))));
  const target = SCHEMES[readArrangement(room).memory[0] ?? -1];
  let y = 0;
  for (let line = 0; line < lines; line += 1) {
    const columns = SCHEMES.slice(line * perLine, (line + 1) * perLine).map((scheme, column) => ({
      scheme,
      x: label + column * (band + GAP),
      tensors: nodesOf(numbers, scheme).map(of),
    }));
    for (const { scheme, x } of columns) {
      const role = scheme === target ? { role: "attention" as const } : {};
      scene.labels.push({ x, y: y + 14, text: strings(`scheme.${scheme}`), kind: "heading", ...role });
    }
    y += HEAD;
    for (const row of visibleRows) {
      const key = `row.${ROWS[row]!}${isNarrow && row !== 1 ? ".narrow" : ""}` as Key;
      const text = strings(key, swappedWords(config, words));
      const x = label + textWidth(text, 12.5) <= room.width ? label : 8;
      if (line === 0 || !isNarrow) scene.labels.push({ x, y: y + 18, text, kind: "caption", step: row });
      y += CAPTION - (line > 0 && isNarrow ? 16 : 0);
      columns.forEach(({ scheme, x, tensors }, column) => {
        const tensor = tensors[row]!;
        place(scene, tensor, x, y, band / tensor.columns, height, {
          id: `${ROWS[row]!}-${scheme}`,
          ...(column === 0 && height >= 12 ? { rowNames: row === 2 ? names.second : names.first } : {}),
        });
      });
      y += count * height;
    }
    for (const { x, tensors } of visibleRows.includes(2) ? columns : []) {
      const { node, family, fill } = tensors[2]!;
      const difference = snapshots.get(node);
      if (!difference) continue;
      const text = strings("farthest", { n: formatNote(largestNumber(difference)) });
      if (band >= OWN_SCALE) legend(scene, family, fill, x - 8, y + 4, band + 16, "Δ");
      else scene.labels.push({ x: x + band, y: y + 15, text, kind: "shape", anchor: "end", step: 2 });
    }
    y += FOOT + 6;
  }
  // The colour scales below the columns.
  const fillByFamily = new Map(scene.tensors.map(({ family, fill }) => [family, fill]));
  const scales = [...fillByFamily].filter(([, fill]) => fill !== "difference");
  const perScaleLine = isNarrow ? 1 : 2;
  const scalesWidth = isWide ? room.width - NOTE.width - 24 : room.width - 8;
  const scaleWidth = Math.floor((scalesWidth - 8) / perScaleLine);
  y += 6;
  scales.forEach(([family, fill], at) => {
    const top = y + Math.floor(at / perScaleLine) * LEGEND;
    legend(
      scene,
      family,
      fill,
      8 + (at % perScaleLine) * scaleWidth,
      top,
      scaleWidth - 20,
      strings(`legend.${family}` as Key),
    );
  });
  scene.height = y + Math.ceil(scales.length / perScaleLine) * LEGEND + 6;
  if (isWide) {
    scene.note = { x: room.width - NOTE.width - 8, y: y + 2, width: NOTE.width };
    scene.height = Math.max(scene.height, y + 2 + NOTE.height);
  } else if (!isNarrow) {
    scene.note = { x: 8, y: scene.height + 4, width: Math.min(480, room.width - 16) };
    scene.height += NOTE.height;
  }
  if (isNarrow) scene.stop = visibleRows[0]!;
  return scene;
}
