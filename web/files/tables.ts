/** Writes tensors as text files that contain the link of their state: CSV and JSON. */
import { formatFull } from "../marks/numbers.js";

/** A tensor with its name and row-major data. */
export interface NamedTensor {
  name: string;
  shape: readonly number[];
  data: Float64Array;
}

/** A number as NumPy and spreadsheets read it. */
function cellText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return formatFull(value);
}

/**
 * Comma-separated values: one row of the last axis per line. The first line is a comment with the link, the
 * second one with name and shape. In a tensor with more than two axes each matrix begins with a comment that
 * has its index.
 */
export function writeCsv({ name, shape, data }: NamedTensor, link: string): string {
  const columns = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  const lines = [`# ${link}`, `# ${name} (${shape.join(", ")})`];
  const outer = shape.slice(0, -2);
  for (let row = 0; row * columns < data.length; row++) {
    if (outer.length > 0 && row % rows === 0) lines.push(`# [${indexOf(outer, row / rows).join(", ")}]`);
    const line = data.subarray(row * columns, (row + 1) * columns);
    lines.push(Array.from(line, cellText).join(","));
  }
  return `${lines.join("\n")}\n`;
}

function indexOf(shape: readonly number[], place: number): number[] {
  const index: number[] = [];
  let rest = place;
  for (const length of [...shape].reverse()) {
    index.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return index;
}

/**
 * {name, shape, dtype, data, link}: data row by row in one list. JSON has no NaN and no infinity, so these
 * are strings.
 */
export function writeJson({ name, shape, data }: NamedTensor, link: string): string {
  const columns = shape.at(-1) ?? 1;
  const value = (number: number): string =>
    Number.isFinite(number) ? formatFull(number) : JSON.stringify(String(number));
  const rows: string[] = [];
  for (let at = 0; at < data.length; at += columns)
    rows.push(Array.from(data.subarray(at, at + columns), value).join(", "));
  const text = (item: unknown): string => JSON.stringify(item);
  return `{
  "name": ${text(name)},
  "shape": ${text(shape)},
  "dtype": "float64",
  "data": [
    ${rows.join(",\n    ")}
  ],
  "link": ${text(link)}
}
`;
}
