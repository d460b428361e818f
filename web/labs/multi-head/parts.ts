/** What the parts of the picture share: the sheet with what is open on it, and the sizes of a row. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Sheet } from "../../stage/sheet.js";
import { hasFewHeads, openedIn, type stopPictures } from "./flow.js";
import { itemOf, keyNames, rowNames } from "./tensors.js";

/** The left and the right edge of a part of the picture. */
export type Span = readonly [left: number, right: number];

/** The height of a strip, enough for numbers, and the widest cell. */
export const STRIP = { height: 20, widest: 44 };

/** A sheet, and what is open on it. */
export function partsOf(sheet: Sheet<ConfigOf<"multi-head">, Words>) {
  const { config, numbers, room } = sheet;
  const opened = openedIn(room);
  const names = rowNames(numbers, room.words);
  return {
    ...sheet,
    ...opened,
    /** The sample that is shown. */
    item: itemOf(config),
    /** The names of the queries' words, of the keys' words, and of the word whose row is open. */
    names,
    keys: keyNames(numbers, room.words),
    word: names[opened.row] ?? "",
    isFew: hasFewHeads(numbers, room.layout),
  };
}

export type Parts = ReturnType<typeof partsOf>;

/** Whether a part is shown: a phone shows only that of its stop. */
export const isShown = ({ isNarrow, picture }: Parts, part: keyof typeof stopPictures): boolean =>
  !isNarrow || picture === part;
