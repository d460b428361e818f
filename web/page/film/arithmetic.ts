/** The arithmetic of a number as shapes, with the places that its operands fly to: a note for a film. */
import { isNumber, type NoteCell } from "../../elements/note/cells.js";
import { linesWithNumbers, type NoteLayout, type NoteLine } from "../../elements/note/layout.js";
import { plainText } from "../../elements/note/places.js";
import type { Rectangle } from "../../marks/board.js";
import { cssColour, type Palette } from "../../marks/colour.js";
import { subscriptedParts, subscriptedWidth } from "../../marks/lettering.js";
import { linesIn, textWidth } from "../../marks/measure.js";
import { letters } from "../../marks/picture-matrix.js";
import type { Shape } from "../../marks/shapes.js";
import type { NotePlaces } from "../../marks/travel-parts.js";

/** Type sizes, the height of a line, and the room between two columns: with a sign, and without. */
interface Setting {
  title: number;
  label: number;
  number: number;
  result: number;
  name: number;
  line: number;
  sign: number;
  gap: number;
  /** Whether labels stand above their numbers. */
  isStacked: boolean;
}

/** The settings from the most to the least readable; a film is drawn smaller than the page. */
const settings: readonly Setting[] = [
  { title: 16, label: 15, number: 16, result: 18, name: 14, line: 26, sign: 20, gap: 14 },
  { title: 14, label: 13, number: 14, result: 15, name: 12, line: 22, sign: 17, gap: 11 },
  { title: 13, label: 12, number: 12, result: 13, name: 11, line: 18, sign: 14, gap: 8 },
].flatMap((setting) => [
  { ...setting, isStacked: false },
  { ...setting, isStacked: true },
]);
const PAD = 12;
/** The room between labels and numbers. */
const BESIDE = 14;

export interface Arithmetic {
  bottom: number;
  /** The shapes without the numbers of some lines, and without the result. */
  shapes: (hiddenLines: readonly number[], hidesResult: boolean) => Shape[];
  /** Null when the numbers have no room, and a sentence stands in their place. */
  places: NotePlaces | null;
}

/** A text in its place: in the coordinates of the film, right-aligned if it is a number. */
interface Placed {
  line: number;
  cell: NoteCell;
  at: Rectangle;
}

const sizeOf = ({ kind }: NoteCell, setting: Setting): number =>
  kind === "result" || kind === "name" || kind === "number" ? setting[kind] : setting.label;

/** Bold letters are wider by this factor. */
const BOLD = 1.1;

const widthOf = (cell: NoteCell, setting: Setting): number =>
  textWidth(cell.text, sizeOf(cell, setting)) * (cell.kind === "result" || cell.tone === "own" ? BOLD : 1);

const labelOf = ({ sign, label }: NoteLine): string => {
  const text = plainText(label).replaceAll("^T", "ᵀ");
  return sign ? `${sign} ${text}` : text;
};

/** Where the columns end, from the left edge on. */
function columnEnds({ lines, columns }: NoteLayout, left: number, setting: Setting): number[] {
  let x = left;
  return Array.from({ length: columns }, (_, column) => {
    const cells = lines.flatMap((line) =>
      line.spansColumns ? [] : line.cells.filter((cell) => cell.column === column),
    );
    const before = lines.flatMap(({ cells }) => cells.filter((cell) => cell.column === column - 1));
    if (column > 0) x += before.some(({ after }) => after !== "") ? setting.sign : setting.gap;
    return (x += Math.max(18, ...cells.map((cell) => widthOf(cell, setting))));
  });
}

const box = ({ x, y, width, height }: Rectangle, palette: Palette): Shape => ({
  kind: "rect",
  x: x + 0.5,
  y: y + 0.5,
  width: width - 1,
  height: height - 1,
  radius: 6,
  fill: cssColour(palette.paper),
  stroke: { colour: cssColour(palette.rule2), weight: 1 },
});

/** The distance between two lines of one text. */
const leading = ({ label }: Setting): number => label + 4;

/** The address and the meaning of the cell, and the baseline of the last line. */
function titleOf(
  { address, words }: NoteLayout,
  { x, y, width }: Rectangle,
  setting: Setting,
  palette: Palette,
): { shapes: Shape[]; baseline: number } {
  const { title, label } = setting;
  const left = x + PAD;
  const top = y + PAD + 0.75 * title;
  const beside = left + textWidth(address, title) * BOLD + 8;
  const shapes: Shape[] = [letters(left, top, address, title, palette.ink, { weight: 600 })];
  if (beside + textWidth(words, label) <= x + width - PAD)
    return { shapes: [...shapes, letters(beside, top, words, label, palette.ink2)], baseline: top };
  const lines = linesIn(words, width - 2 * PAD, label);
  const baseline = (line: number): number => top + leading(setting) * (line + 1);
  shapes.push(...lines.map((text, line) => letters(left, baseline(line), text, label, palette.ink2)));
  return { shapes, baseline: baseline(lines.length - 1) };
}

/** The arithmetic in a rectangle: in the first setting that fits, else as a sentence. */
export function arithmeticOf(layout: NoteLayout, place: Rectangle, palette: Palette): Arithmetic {
  for (const setting of settings) {
    const set = setIn(layout, place, setting, palette);
    if (set) return set;
  }
  const setting = settings[2]!;
  const title = titleOf(layout, place, setting, palette);
  const text = linesIn(layout.sentence, place.width - 2 * PAD, setting.label).map((line, at) =>
    letters(
      place.x + PAD,
      title.baseline + setting.line + leading(setting) * at,
      line,
      setting.label,
      palette.ink,
    ),
  );
  const height = text.at(-1)!.y + PAD - place.y;
  return {
    bottom: place.y + height,
    places: null,
    shapes: () => [box({ ...place, height }, palette), ...title.shapes, ...text],
  };
}

/** The arithmetic in a setting; null when it does not fit. */
function setIn(layout: NoteLayout, place: Rectangle, setting: Setting, palette: Palette): Arithmetic | null {
  const { label, isStacked } = setting;
  const left = place.x + PAD;
  const right = place.x + place.width - PAD;
  const widths = layout.lines.map((line) => subscriptedWidth(labelOf(line), label));
  const labels = Math.max(0, ...widths.filter((_, line) => layout.lines[line]!.cells.length > 0));
  const from = isStacked || labels === 0 ? left : left + labels + BESIDE;
  const ends = columnEnds(layout, from, setting);
  const end = ends.at(-1)!;
  if (Math.max(end, ...widths.map((width) => left + width)) > right) return null;
  const title = titleOf(layout, place, setting, palette);
  const fixed: Shape[] = [...title.shapes];
  const placed: Placed[] = [];
  let { baseline } = title;
  for (const [line, noteLine] of layout.lines.entries()) {
    const { cells, hasRule, spansColumns, tone } = noteLine;
    baseline += setting.line;
    if (hasRule)
      fixed.push({
        kind: "path",
        d: `M${left} ${baseline - 0.7 * setting.line}H${Math.max(end, left + labels)}`,
        stroke: { colour: cssColour(palette.ink3), weight: 1 },
      });
    const parts = subscriptedParts(labelOf(noteLine));
    fixed.push(letters(left, baseline, "", label, tone ? palette.roles[tone] : palette.ink2, { parts }));
    if (isStacked && parts.length > 0 && cells.length > 0) baseline += leading(setting);
    for (const cell of cells) {
      const isText = spansColumns && !isNumber(cell);
      const own = widthOf(cell, setting);
      const x = isText ? from : (spansColumns ? end : ends[cell.column]!) - own;
      const texts = isText ? linesIn(cell.text, right - from, label) : [cell.text];
      for (const [at, text] of texts.entries()) {
        if (at > 0) baseline += leading(setting);
        const width = isText ? textWidth(text, label) : own;
        placed.push({ line, cell: { ...cell, text }, at: { x, y: baseline - 13, width, height: 18 } });
      }
    }
  }
  const height = baseline + PAD - place.y;
  if (height > place.height) return null;
  const shapes: Arithmetic["shapes"] = (hiddenLines, hidesResult) => [
    box({ ...place, height }, palette),
    ...fixed,
    ...placed.flatMap((one) => {
      const isHidden = hiddenLines.includes(one.line) || (hidesResult && one.cell.kind === "result");
      return isHidden ? [] : cellShapes(one, setting, palette);
    }),
  ];
  const result = placed.find(({ cell }) => cell.kind === "result");
  const places = result && {
    operands: placed.flatMap(({ line, cell, at }) =>
      cell.operand && cell.kind === "number" ? [{ line, operand: cell.operand, slot: at }] : [],
    ),
    result: result.at,
    lines: linesWithNumbers(layout),
    lineOf: (role: string) => layout.lines.findIndex((line) => line.role === role),
  };
  return { bottom: place.y + height, shapes, places: places ?? null };
}

function cellShapes({ cell, at: { x, y, width } }: Placed, setting: Setting, palette: Palette): Shape[] {
  const { kind, tone, text, after } = cell;
  const isOwn = kind === "result" || tone === "own";
  const colour = kind === "name" && !isOwn ? palette.ink3 : tone === "dim" ? palette.ink2 : palette.ink;
  const sign = (between: string): Shape =>
    letters(x + width + setting.sign / 2, y + 13, between, setting.label, palette.ink3, { anchor: "middle" });
  return [
    letters(x + width, y + 13, text, sizeOf(cell, setting), colour, {
      anchor: "end",
      weight: isOwn ? 600 : 400,
    }),
    ...(after ? [sign(after)] : []),
  ];
}
