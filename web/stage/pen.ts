/** Draws and writes on a scene by hand. */
import { textWidth } from "../marks/measure.js";
import type { Curve, Label, PlacedTensor, Role, Scene } from "../marks/scene.js";

type Points = Curve["points"];

/** Points from their x and y in turn. */
export const pointsFrom = (...values: readonly number[]): Points =>
  values.flatMap((x, at) => (at % 2 ? [] : [[x, values[at + 1]!]]));

/** Draws a line that comes with the step of Play that `more` has. */
export function drawOn(
  scene: Scene,
  id: string,
  role: Role,
  kind: Curve["kind"],
  points: Points,
  more: Partial<Curve> & Pick<Curve, "step">,
): void {
  scene.curves.push({ id, points, role, kind, ...more });
}

/** Writes a text, which is there from the start unless `more` has a step. */
export function writeOn(
  scene: Scene,
  kind: Label["kind"],
  x: number,
  y: number,
  text: string,
  more: Partial<Label> = {},
): void {
  scene.labels.push({ kind, x, y, text, ...more });
}

/** Draws lines and writes small texts that come with a step of Play. */
export const penOn = (scene: Scene, step: number) => ({
  draw(id: string, role: Role, kind: Curve["kind"], points: Points, more?: Partial<Curve>): void {
    drawOn(scene, id, role, kind, points, { step, ...more });
  },
  write(x: number, y: number, text: string, more?: Partial<Label>): void {
    writeOn(scene, "axis", x, y, text, { step, ...more });
  },
});

/** The path of a curve that begins and ends upright and turns at the height `turn`. */
export const bentPath = ([x, y]: Points[0], [endX, endY]: Points[0], turn: number): string =>
  `M${x} ${y}C${x} ${turn} ${endX} ${turn} ${endX} ${endY}`;

/** The line around an area. */
export const rectangle = (left: number, top: number, right: number, bottom: number): Points =>
  pointsFrom(left, bottom, left, top, right, top, right, bottom, left, bottom);

/** Frames a row of a tensor that has this many columns. The frame of a low row is higher than the row. */
export function frameRow(
  scene: Scene,
  { id, x, y, cellWidth, cellHeight, step }: PlacedTensor,
  columns: number,
  row: number,
  role: Role,
): void {
  const middle = y + (row + 0.5) * cellHeight;
  const half = Math.max(3, cellHeight / 2 + 1);
  const frame = rectangle(x - 2, middle - half, x + columns * cellWidth + 2, middle + half);
  drawOn(scene, `row-${id}`, role, "line", frame, { over: true, step });
}

/** A meaning of a dot or a line. */
export type Mark = readonly [text: string, role: Role, kind: Curve["kind"] | "dot"];

/** Adds what dots and lines mean, side by side from (x, y) to `right`, as far as there is room; returns how many have room. */
export function placeMarks(
  scene: Scene,
  marks: readonly Mark[],
  x: number,
  y: number,
  right: number,
): number {
  const { draw, write } = penOn(scene, -1);
  let left = x;
  for (const [at, [text, role, kind]] of marks.entries()) {
    const width = kind === "dot" ? 12 : 26;
    if (left + width + textWidth(text) > right) return at;
    const id = `mark-${text}`;
    if (kind === "dot") draw(id, role, "line", [[left + 4, y - 4]], { dots: "large" });
    else draw(id, role, kind, pointsFrom(left, y - 4, left + 20, y - 4));
    write(left + width, y, text);
    left += width + textWidth(text) + 12;
  }
  return marks.length;
}

/** The size that words in bold and in plain type are measured with. */
const WORD = { bold: 16, plain: 13.5, gap: 6, indent: 12 };

/**
 * Places sentences under each other in lines of a width, with a rule under each line; a word with a role is bold. Places nothing if
 * they do not fit above `bottom`.
 */
export function placeSentences(
  scene: Scene,
  sentences: readonly (readonly { word: string; role: Role | null }[])[],
  { x, y, width, line, bottom }: Record<"x" | "y" | "width" | "line" | "bottom", number>,
): void {
  const labels: Label[] = [];
  let low = y;
  for (const sentence of sentences) {
    let left = x;
    low += line;
    for (const { word, role } of sentence) {
      const wide = textWidth(word, role ? WORD.bold : WORD.plain);
      if (left > x && left + wide > x + width) [left, low] = [x + WORD.indent, low + line];
      labels.push({
        x: left,
        y: low,
        text: word,
        ...(role ? { kind: "heading", role } : { kind: "caption" }),
      });
      left += wide + WORD.gap;
    }
  }
  if (low > bottom) return;
  scene.labels.push(...labels);
  for (let rule = y + line + 5; rule <= low + 5; rule += line)
    penOn(scene, -1).draw(`rule-${rule}`, "activation", "faint", pointsFrom(x, rule, x + width, rule));
}
