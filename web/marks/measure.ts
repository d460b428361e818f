/** Widths of names on a stage, estimated without a page: scenes reserve this room, and the stage draws inside it. */

/** The sine of 42 degrees, by which column names are tilted if one does not fit its column. */
const TILT = Math.sin((42 * Math.PI) / 180);
/** Longer names are cut; the whole name is shown on focus. */
const LONGEST = 9;
/** The least distance between two names. */
const LINE = 12;

/** The width of `text` in a sans-serif font at `size` pixels. Han, kana, hangul and emoji are one em wide. */
export function textWidth(text: string, size = 11.5): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const em =
      code >= 0x1100 ? 1 : /[MW@%mw]/.test(character) ? 0.85 : /[A-Z0-9√×÷−]/.test(character) ? 0.63 : 0.55;
    width += em * size;
  }
  return width;
}

/** Shortens a name to nine characters, as drawn beside a tensor. */
export function cutName(name: string): string {
  const characters = Array.from(name);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join("")}…` : name;
}

/** The widths are estimates, so a name is cut only if it is surely wider than its room. */
const SLACK = 1.1;

/** Cuts a name further if the room is less than nine characters need. */
export function cutTo(text: string, room: number, size?: number): string {
  let characters = Array.from(cutName(text));
  while (characters.length > 1 && textWidth(characters.join(""), size) > room * SLACK) {
    characters = [...characters.slice(0, characters.at(-1) === "…" ? -2 : -1), "…"];
    if (characters.length === 2) break;
  }
  return characters.join("");
}

/** The n for which naming every n-th row or column keeps names from touching. `spacing` is the distance between two rows or columns. */
export function nameEvery(spacing: number, line = LINE): number {
  return Math.max(1, Math.ceil(line / spacing));
}

/**
 * The direction of column names and the height they take above the cells: all horizontal if each fits its column, else all tilted,
 * or vertical if tilted names would touch.
 */
export function columnNames(
  names: readonly string[],
  cellWidth: number,
): { degrees: 0 | -42 | -90; height: number; every: number } {
  if (names.length === 0) return { degrees: 0, height: 0, every: 1 };
  const widest = Math.max(...names.map((name) => textWidth(cutName(name))));
  // A single character is easier to read when it is horizontal.
  const isTilted = widest > cellWidth - 2 && names.some((name) => Array.from(name).length > 1);
  if (!isTilted) return { degrees: 0, height: 21, every: nameEvery(cellWidth) };
  const every = nameEvery(cellWidth * TILT);
  if (every > 1) return { degrees: -90, height: Math.ceil(9 + widest + 8), every: nameEvery(cellWidth) };
  return { degrees: -42, height: Math.ceil(9 + widest * TILT + 8), every };
}

/** The parts of a text that stay on one line: words with the space after them, Chinese characters with their punctuation. */
const UNBROKEN =
  /[\u2e80-\uffff][\uff0c\u3001\u3002\uff1b\uff1a\uff1f\uff01\uff09\u300b\u300d]*|[^\s\u2e80-\uffff]+\s*|\s+/g;

/** The lines of a text in a room. */
export function linesIn(text: string, room: number, size: number): string[] {
  const lines = [""];
  for (const part of text.match(UNBROKEN) ?? []) {
    const longer = `${lines.at(-1)}${part}`;
    if (lines.at(-1) === "" || textWidth(longer.trimEnd(), size) <= room) lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines.map((line) => line.trimEnd());
}
