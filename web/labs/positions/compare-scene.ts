/** The same words under each encoding: a column per scheme, with what is read, who looks at whom, and what a change of places changes. */
import type { ConfigOf, PositionsNumbers } from "../../config/config.js";
import { orderOf } from "../../config/labs/positions.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Fill, Room, Scene, Snapshot, Snapshots } from "../../marks/scene.js";
import { arrangedAs } from "../../stage/arrangement.js";
import { LEGEND, emptyScene, labelWidth, legend, place, type Block } from "../../stage/place.js";
import { movedWords } from "./order-flow.js";
import { inputName, orderWords, rowsOf } from "./order-tensors.js";
import { SCHEMES, under, type Scheme } from "./schemes.js";

type Config = ConfigOf<"positions">;

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

export function comparedNodes(numbers: PositionsNumbers): string[] {
  return SCHEMES.flatMap((scheme) => nodesOf(numbers, scheme));
}

/** The number farthest from 0. */
function farthest({ data }: Snapshot): number {
  return data.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
}

/** All rows of every column; on a phone the row of the stop. */
export function compareScene(
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const { numbers } = config;
  const scene = emptyScene(room.width);
  const text = orderWords(room.words);
  const { tokens } = orderOf(numbers);
  const narrow = room.layout === "narrow";
  const perLine = { wide: 6, two: 3, narrow: 2 }[room.layout];
  const lines = SCHEMES.length / perLine;
  const shown = narrow ? [Math.max(0, Math.min(room.step, 2))] : [0, 1, 2];
  const names = rowsOf(config, room.words);
  const label = labelWidth(names.first);
  const band = (room.width - label - 10 - (perLine - 1) * GAP) / perLine;
  const around = HEAD + shown.length * CAPTION + FOOT + 6;
  const space = room.layout === "wide" ? room.height - 14 - NOTE.height : 3 * (around + 3 * 90);
  const height = Math.max(
    3,
    Math.min(
      26,
      Math.floor((space / (room.layout === "wide" ? 1 : lines) - around) / (shown.length * tokens.length)),
    ),
  );
  const target = SCHEMES[arrangedAs(room).memory[0] ?? -1];
  let y = 0;
  for (let line = 0; line < lines; line += 1) {
    const schemes = SCHEMES.slice(line * perLine, (line + 1) * perLine);
    schemes.forEach((scheme, column) => {
      scene.labels.push({
        x: label + column * (band + GAP),
        y: y + 14,
        text: text(`scheme.${scheme}`),
        kind: "heading",
        ...(scheme === target ? { role: "attention" as const } : {}),
      });
    });
    y += HEAD;
    for (const row of shown) {
      const said = text(
        narrow && row !== 1 ? `row.${row === 0 ? "input" : "difference"}.narrow` : `row.${ROWS[row]!}`,
        movedWords(config, room),
      );
      const fits = label + textWidth(said, 12.5) <= room.width;
      if (line === 0 || !narrow)
        scene.labels.push({ x: fits ? label : 8, y: y + 18, text: said, kind: "caption", step: row });
      y += CAPTION - (line > 0 && narrow ? 16 : 0);
      schemes.forEach((scheme, column) => {
        const tensor = of(nodesOf(numbers, scheme)[row]!);
        const rows = row === 2 ? names.second : names.first;
        place(scene, tensor, label + column * (band + GAP), y, band / tensor.columns, height, {
          id: `${ROWS[row]!}-${scheme}`,
          ...(column === 0 && height >= 12 ? { rowNames: rows } : {}),
        });
      });
      y += tokens.length * height;
    }
    if (shown.includes(2)) {
      schemes.forEach((scheme, column) => {
        const [, , difference] = nodesOf(numbers, scheme);
        const left = snapshots.get(difference);
        if (!left) return;
        const x = label + column * (band + GAP);
        if (band >= OWN_SCALE) {
          const { family, fill } = of(difference);
          legend(scene, family, fill, x - 8, y + 4, band + 16, "Δ");
          return;
        }
        scene.labels.push({
          x: x + band,
          y: y + 15,
          text: text("farthest", { n: formatNote(farthest(left)) }),
          kind: "shape",
          anchor: "end",
          step: 2,
        });
      });
    }
    y += FOOT + 6;
  }
  const families = [...new Map(scene.tensors.map(({ family, fill }) => [family, fill])).entries()].filter(
    ([, fill]) => fill !== "difference",
  );
  const wide = room.layout === "wide";
  const across = wide ? room.width - NOTE.width - 24 : room.width - 8;
  end(scene, families, text, y + 6, across, narrow ? 1 : 2);
  if (wide) {
    scene.note = { x: room.width - NOTE.width - 8, y: y + 8, width: NOTE.width };
    scene.height = Math.max(scene.height, y + 8 + NOTE.height);
  } else if (!narrow) {
    scene.note = { x: 8, y: scene.height + 4, width: Math.min(480, room.width - 16) };
    scene.height += NOTE.height;
  }
  if (narrow) scene.stop = shown[0]!;
  return scene;
}

/** The scales under the columns. */
function end(
  scene: Scene,
  families: readonly [string, Fill][],
  text: ReturnType<typeof orderWords>,
  y: number,
  width: number,
  perLine: number,
): void {
  const each = Math.floor((width - 8) / perLine);
  families.forEach(([family, fill], at) => {
    const said = text(`legend.${family}` as Parameters<typeof text>[0]);
    legend(
      scene,
      family,
      fill,
      8 + (at % perLine) * each,
      y + Math.floor(at / perLine) * LEGEND,
      each - 20,
      said,
    );
  });
  scene.height = y + Math.ceil(families.length / perLine) * LEGEND + 6;
}
