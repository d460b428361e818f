/** The texts that the core's numbers stand for: tokens by their ids, and the parts of a model. */
import { memoizedBy } from "../../marks/memoized-by.js";
import type { Snapshot, Snapshots } from "../../marks/scene.js";
import { valuesOf } from "../../stage/series.js";
import type { Say } from "./strings.js";

/** The texts of a node that holds the code points of each in a row. */
const textsIn = memoizedBy(({ shape: [count = 0, longest = 0], data }: Snapshot): string[] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: longest }, (_, at) => data[row * longest + at] ?? 0)
      .filter((point) => point > 0)
      .map((point) => String.fromCodePoint(point))
      .join(""),
  ),
);

/** The texts of a node by its name; none if it is not computed. */
export function textsOf(snapshots: Snapshots, node: string): string[] {
  const snapshot = snapshots.get(node);
  return snapshot ? textsIn(snapshot) : [];
}

/** The texts of a node as tokens are written: a space and the end of a line can be seen. */
const writtenIn = memoizedBy((snapshot: Snapshot): string[] =>
  textsIn(snapshot).map((token) => token.replace(/^\n$/, "↵").replace(/^\s$/, "␣")),
);

/** The tokens of the vocabulary as they are written. */
export function vocabularyOf(snapshots: Snapshots): string[] {
  const snapshot = snapshots.get("vocabulary");
  return snapshot ? writtenIn(snapshot) : [];
}

/** The tokens of a node of ids. */
export function tokensOf(snapshots: Snapshots, node: string): string[] {
  const vocabulary = vocabularyOf(snapshots);
  return Array.from(valuesOf(snapshots, node), (id) => vocabulary[id] ?? "");
}

/** The step that is drawn. */
export const reached = (snapshots: Snapshots): number => valuesOf(snapshots, "reached")[0] ?? 0;

/** The name of a place of a vision Transformer: the class token, or a patch, counted from 0 as in the image lab. */
export const imagePlaceIn =
  (say: Say) =>
  (n: number): string =>
    n === 0 ? say("place.class") : say("place.patch", { n: n - 1 });

/** What the rows and columns of the attention of the first sample stand for. */
export function placesOf(
  snapshots: Snapshots,
  [rows, columns]: readonly [number, number],
  imagePlace: (n: number) => string,
): { rows: string[]; columns: string[] } {
  const source = tokensOf(snapshots, "asked_0.source");
  const start = tokensOf(snapshots, "asked_0.start");
  const answer = tokensOf(
    snapshots,
    snapshots.has("asked_0.expected") ? "asked_0.expected" : "asked_0.answer",
  );
  const padded = (names: readonly string[], length: number): string[] =>
    Array.from({ length }, (_, at) => names[at] ?? "");
  if (rows > 1 && rows === columns && source.length === 0 && start.length === 0) {
    const all = Array.from({ length: rows }, (_, n) => imagePlace(n));
    return { rows: all, columns: all };
  }
  // Of masked words only some places are asked; a row is a place of the sentence, which a BERT reads with its signs.
  if (answer.includes("")) {
    const isBert = tokensOf(snapshots, "source")[0] === "<begin>";
    const all = isBert ? ["[CLS]", ...source, "[SEP]"] : source;
    return { rows: padded(all, rows), columns: padded(all, columns) };
  }
  if (rows === columns && rows > source.length) {
    const all = padded([...source, "‹begin›", ...start, ...answer], rows);
    return { rows: all, columns: all };
  }
  return { rows: padded([...answer, "‹end›"].slice(0, rows), rows), columns: padded(source, columns) };
}
