/** Cells and lines of cells in words: "scores[0, 2]", "query of word 1", "values, column 1". */
import { spaceBetween, type Words } from "../../i18n/words.js";
import type { Role, Symbol } from "../../marks/scene.js";
import type { NodeWords } from "../../marks/wording.js";

export interface CellAddress {
  node: string;
  index: number[];
  /** Whether the cell is one of the gradient of the node. */
  gradient?: true;
}
export type NodeWordsOf = (node: string) => NodeWords;

/** Text that may contain symbols of tensors. */
export type Phrase = readonly (string | Symbol)[];

/** The address as NumPy writes it, after ∂ for a gradient. A scalar is written as its name. */
export function addressText({ node, index, gradient }: CellAddress): string {
  return `${gradient ? "∂" : ""}${node}${index.length === 0 ? "" : `[${index.join(", ")}]`}`;
}

/** The phrase for a tensor in a sentence: its symbol for a parameter, its plain name for any other. */
function phraseFor({ role, symbol, name }: NodeWords): Phrase {
  return role === "weight" || name === "" ? [symbol] : [name];
}

export function phraseForCell(words: NodeWords): Phrase {
  return words.single === "" ? phraseFor(words) : [words.single];
}

/** The text of `template` with phrases in its slots. */
export function fillTemplate(template: string, slots: Record<string, Phrase>): Phrase {
  return template.split(/\{(\w+)\}/).reduce<Phrase>((filled, part, place) => {
    const next = (place % 2 ? slots[part] : [part]) ?? [];
    return [...filled, spaceBetween(plainText(filled), plainText(next)), ...next].filter(
      (word) => word !== "",
    );
  }, []);
}

/** A phrase as plain text: "W_Q, column 0". */
export function plainText(phrase: Phrase): string {
  return phrase
    .map((part) =>
      typeof part === "string"
        ? part
        : part.text + (part.sub ? `_${part.sub}` : "") + (part.sup ? `^${part.sup}` : ""),
    )
    .join("");
}

/**
 * The axes along which the cells differ, or `hint` for a single cell. The rows of a reshaped matrix run along two. Numbers that are
 * in no tensor have no place.
 */
export function runAxes(cells: readonly CellAddress[], hint: number): number[] {
  const first = cells[0]?.index ?? [];
  const placed = cells.filter(({ index }) => index.length === first.length);
  const axes = [...first.keys()].filter((axis) => placed.some(({ index }) => index[axis] !== first[axis]));
  return axes.length > 0 ? axes : [hint];
}

export function placeName(words: NodeWords, axis: number, place: number): string | null {
  return words.axes[axis]?.[place] ?? null;
}

/**
 * The phrase for the line of `cells` along `axes`: by the names of its places on the other axes, else by its
 * row or column number.
 */
export function runName(
  cells: readonly CellAddress[],
  axes: readonly number[],
  node: NodeWords,
  words: Words,
): Phrase {
  const index = cells[0]?.index ?? [];
  const names = index.flatMap((place, other) =>
    axes.includes(other) ? [] : (placeName(node, other, place) ?? []),
  );
  if (names.length > 0) {
    return fillTemplate(words("note.place.of"), {
      single: phraseForCell(node),
      place: [names.join(words("note.place.list"))],
    });
  }
  const name = phraseFor(node);
  const last = index.length - 1;
  const isAcross = axes.includes(last);
  if (index.length < 2 || (isAcross && axes.length > 1)) return name;
  const number = [String(index[isAcross ? last - 1 : last] ?? 0)];
  if (axes.length > 1) return fillTemplate(words("note.place.each"), { single: phraseForCell(node), number });
  return fillTemplate(words(isAcross ? "note.place.row" : "note.place.column"), { name, number });
}

/**
 * "word 1", or "head 0, word 1": the named places of a cell on all axes but `axis`; its numbers when none has
 * a name.
 */
export function rowName(
  { node, index }: CellAddress,
  axis: number,
  nodeWords: NodeWordsOf,
  words: Words,
): string {
  const others = index.map((place, other) => ({ place, other })).filter(({ other }) => other !== axis);
  const names = others.flatMap(({ place, other }) => placeName(nodeWords(node), other, place) ?? []);
  return (names.length > 0 ? names : others.map(({ place }) => String(place))).join(words("note.place.list"));
}

/** The role whose colour a row's label gets. */
export function roleOf(cell: CellAddress | undefined, nodeWords: NodeWordsOf): Role | null {
  return cell && cell.node !== "" ? nodeWords(cell.node).role : null;
}
