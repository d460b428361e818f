/** The picture of what a selector selects: the selector, a map of the numbers, and at its right their histogram in the colours of the map. */
import type { ConfigOf } from "../../config/config.js";
import { isProblem, selectorText, SELECTED } from "../../config/selector.js";
import { formatNote } from "../../marks/numbers.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import { penOn, pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { BRACKET, place, type Block } from "../../stage/place.js";
import { valuesOf } from "../../stage/series.js";
import { BINS, selectionOf } from "./selection.js";
import type { Say } from "./strings.js";

type Box = Record<"x" | "y" | "width" | "height", number>;

interface Parts {
  config: ConfigOf<"training">;
  snapshots: Snapshots;
  scene: Scene;
  say: Say;
  of: (node: string) => Block;
}

const MAP = { least: 72, most: 150, cell: 17, share: 0.55, below: 20 };
/** The lines over the map, and what is under it. */
const AROUND = 100;
/** From the map to the histogram, and the widest bin. */
const BESIDE = 28;
const BIN = 4;
/** The width of a letter of a text in "code". */
const LETTER = 7.23;
/** The height of the whole picture, for the room that it needs. */
export const SELECTED_HEIGHT = AROUND + 128;
const MIDDLE = { anchor: "middle" } as const;

/** The widths and heights of cells so that all fit, none more than four times as long in one direction as in the other. */
function cellSize(rows: number, columns: number, width: number, height: number): [number, number] {
  const [across, down] = [Math.min(MAP.cell, width / columns), Math.min(MAP.cell, height / rows)];
  return [Math.min(across, 4 * down), Math.min(down, 4 * across)];
}

/** The text in lines of a width: broken after dots, and before brackets and flags. */
function linesOf(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of text.split(/(?<=\.)|(?=\[)|(?= :)/)) {
    const longer = (lines.at(-1) ?? "") + piece;
    if (lines.length > 0 && LETTER * longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(piece.trim());
  }
  return lines;
}

/** The histogram on its axis, whose colours are those of the numbers there. */
function histogram({ scene, snapshots, of }: Parts, { x, y, width, height }: Box): void {
  const counts = Array.from(valuesOf(snapshots, `${SELECTED}.counts`));
  if (counts.length === 0) return;
  const { draw, write } = penOn(scene, 0);
  const bin = Math.min(BIN, width / BINS);
  const most = Math.max(...counts);
  const block = of(`${SELECTED}.counts`);
  const form = { kind: "bars", most, filledBy: `${SELECTED}.centres` } as const;
  const high = height - 8;
  place(scene, { ...block, form }, x, y, bin, high);
  const tops = counts.map((count) => `V${y + high - (high * count) / most}h${bin}`).join("");
  draw("selected-outline", "activation", "thin", rectangle(x, y, x + BINS * bin, y + high), {
    path: `M${x} ${y + high}${tops}V${y + high}`,
    over: "bare",
  });
  const axis = { ...of(`${SELECTED}.centres`), joined: true, form: { kind: "scale" } } as const;
  place(scene, axis, x, y + height - 6, bin, 6);
  const top = x + (counts.indexOf(most) + 0.5) * bin;
  const isRight = counts.indexOf(most) > BINS / 2;
  write(top + (isRight ? -6 : 6), y + 8, String(most), isRight ? { anchor: "end" } : {});
  const [least = 0, largest = 0] = ["low", "high"].map((end) => valuesOf(snapshots, `${SELECTED}.${end}`)[0]);
  const foot = y + height + MAP.below - 4;
  write(x, foot, formatNote(least), MIDDLE);
  if (least < 0) write(x + (BINS * bin) / 2, foot, "0", MIDDLE);
  write(x + BINS * bin, foot, formatNote(largest), MIDDLE);
}

/** Draws what is selected from (x, y) on, in the given height if it can be, and returns its lower edge; draws nothing where no selector is given. */
export function selected(parts: Parts, { x, y, width, height }: Box): number {
  const { config, snapshots, scene, say, of } = parts;
  const selection = selectionOf(config.numbers, snapshots.values());
  if (!selection) return y;
  const { watch = "" } = config.numbers;
  const problem = isProblem(selection);
  const text = problem ? watch : selectorText(selection.selector, " ");
  let bottom = y;
  for (const line of linesOf(text, width)) {
    bottom += 16;
    writeOn(scene, "code", x, bottom, line);
    if (problem)
      penOn(scene, 0).draw(
        `wrong-${bottom}`,
        "output",
        "line",
        pointsFrom(x, bottom + 4, x + LETTER * line.length, bottom + 4),
        { strong: true },
      );
  }
  const node = snapshots.get(SELECTED);
  if (problem || !node) {
    penOn(scene, 0).write(x, bottom + 22, say("selected.none"));
    return bottom + 30;
  }
  const block = of(SELECTED);
  const hasHistogram = snapshots.has(`${SELECTED}.counts`);
  const high = Math.max(MAP.least, Math.min(MAP.most, height - AROUND));
  const wide = (hasHistogram ? MAP.share : 1) * width - 2 * BRACKET;
  const [cellWidth, cellHeight] = cellSize(block.rows, block.columns, wide, high);
  const top = bottom + 14;
  place(scene, block, x + BRACKET, top, cellWidth, cellHeight);
  const right = x + 2 * BRACKET + block.columns * cellWidth;
  if (hasHistogram)
    histogram(parts, { x: right + BESIDE, y: top, width: x + width - right - BESIDE - 14, height: high });
  const foot = top + (hasHistogram ? high : block.rows * cellHeight) + MAP.below;
  const [least, largest] = node.data.reduce(
    ([low, high], value) => [Math.min(low!, value), Math.max(high!, value)],
    [Infinity, -Infinity],
  );
  const range = { n: node.data.length, least: formatNote(least!), largest: formatNote(largest!) };
  const fixed = node.shape.slice(0, -2).some((size) => size > 1);
  const note = say(
    node.data.length === 1 ? "selected.one" : fixed ? "selected.first" : "selected.all",
    range,
  );
  penOn(scene, 0).write(x, foot + (hasHistogram ? 16 : 0), note);
  return foot + 22;
}
