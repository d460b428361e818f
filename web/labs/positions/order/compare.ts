/** The same words under each encoding: a column per scheme, with what is read, who looks at whom, and what a change of places changes. */
import type { ConfigOf, PositionsNumbers } from "../../../config/config.js";
import { textWidth } from "../../../marks/measure.js";
import { formatNote } from "../../../marks/numbers.js";
import type { Room, Scene, Snapshot, Snapshots } from "../../../marks/scene.js";
import { readArrangement } from "../../../stage/arrangement.js";
import { LEGEND, emptyScene, labelWidth, legend, place, type Block } from "../../../stage/place.js";
import { SCHEMES, inputName, under, type Scheme } from "./schemes.js";
import { stringsIn, type Key } from "./strings.js";
import { movedWords, rowsOf } from "./tensors.js";

const GAP = 22;
const HEAD = 22;
const CAPTION = 28;
/** The line under a column. */
const FOOT = 18;
const NOTE = { width: 420, height: 206 };

/** Narrower columns say how far they go; wider ones show their scale. */
const OWN_SCALE = 150;
const ROWS = ["input", "weights", "difference"] as const;

/** What a column shows of its scheme, from above. */
function nodesOf(numbers: PositionsNumbers, scheme: Scheme): [string, string, string] {
  const at = under(numbers, scheme);
  const read = scheme === "alibi" ? at("distance") : inputName(scheme) === "X" ? "X" : at("input");
  return [read, at("weights"), at("difference")];
}

export const comparedNodes = (numbers: PositionsNumbers): string[] =>
  SCHEMES.flatMap((scheme) => nodesOf(numbers, scheme));

/** The number farthest from 0. */
function farthest({ data }: Snapshot): number {
  return data.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
}

/** All rows of every column; on a phone the row of the stop. */
export function compareScene(
  config: ConfigOf<"positions">,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const { numbers } = config;
  const { layout, words } = room;
  const scene = emptyScene(room.width);
  const say = stringsIn(words);
  const { rows: count } = of("X");
  const [wide, narrow] = [layout === "wide", layout === "narrow"];
  const perLine = { wide: 6, two: 3, narrow: 2 }[layout];
  const lines = SCHEMES.length / perLine;
  const shown = narrow ? [Math.max(0, Math.min(room.step, 2))] : [0, 1, 2];
  const names = rowsOf(config, words);
  const label = labelWidth(names.first);
  const band = (room.width - label - 10 - (perLine - 1) * GAP) / perLine;
  const around = HEAD + shown.length * CAPTION + FOOT + 6;
  const space = wide ? room.height - 14 - NOTE.height : (3 * (around + 3 * 90)) / lines;
  const height = Math.max(3, Math.min(26, Math.floor((space - around) / (shown.length * count))));
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
      scene.labels.push({ x, y: y + 14, text: say(`scheme.${scheme}`), kind: "heading", ...role });
    }
    y += HEAD;
    for (const row of shown) {
      const key = `row.${ROWS[row]!}${narrow && row !== 1 ? ".narrow" : ""}` as Key;
      const text = say(key, movedWords(config, words));
      const x = label + textWidth(text, 12.5) <= room.width ? label : 8;
      if (line === 0 || !narrow) scene.labels.push({ x, y: y + 18, text, kind: "caption", step: row });
      y += CAPTION - (line > 0 && narrow ? 16 : 0);
      columns.forEach(({ scheme, x, tensors }, column) => {
        const tensor = tensors[row]!;
        place(scene, tensor, x, y, band / tensor.columns, height, {
          id: `${ROWS[row]!}-${scheme}`,
          ...(column === 0 && height >= 12 ? { rowNames: row === 2 ? names.second : names.first } : {}),
        });
      });
      y += count * height;
    }
    for (const { x, tensors } of shown.includes(2) ? columns : []) {
      const { node, family, fill } = tensors[2]!;
      const left = snapshots.get(node);
      if (!left) continue;
      const text = say("farthest", { n: formatNote(farthest(left)) });
      if (band >= OWN_SCALE) legend(scene, family, fill, x - 8, y + 4, band + 16, "Δ");
      else scene.labels.push({ x: x + band, y: y + 15, text, kind: "shape", anchor: "end", step: 2 });
    }
    y += FOOT + 6;
  }
  // The scales under the columns.
  const placed = new Map(scene.tensors.map(({ family, fill }) => [family, fill]));
  const scales = [...placed].filter(([, fill]) => fill !== "difference");
  const abreast = narrow ? 1 : 2;
  const across = wide ? room.width - NOTE.width - 24 : room.width - 8;
  const each = Math.floor((across - 8) / abreast);
  y += 6;
  scales.forEach(([family, fill], at) => {
    const top = y + Math.floor(at / abreast) * LEGEND;
    legend(scene, family, fill, 8 + (at % abreast) * each, top, each - 20, say(`legend.${family}` as Key));
  });
  scene.height = y + Math.ceil(scales.length / abreast) * LEGEND + 6;
  if (wide) {
    scene.note = { x: room.width - NOTE.width - 8, y: y + 2, width: NOTE.width };
    scene.height = Math.max(scene.height, y + 2 + NOTE.height);
  } else if (!narrow) {
    scene.note = { x: 8, y: scene.height + 4, width: Math.min(480, room.width - 16) };
    scene.height += NOTE.height;
  }
  if (narrow) scene.stop = shown[0]!;
  return scene;
}
