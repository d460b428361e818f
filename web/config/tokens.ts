/** Splits a typed sentence into words, in any script. */
import { bounds } from "./bounds.js";

// Unicode Technical Standard 51, section 1.4.9: a pictograph with its modifiers, such ones joined; a keycap; a flag. A sign with
// text presentation by default (©, ↔) counts only with the emoji selector. Intl.Segmenter is not used, because its results differ between
// engines, and a word's vector depends on where it was split.
const after = String.raw`(?:\uFE0F\u20E3?|\p{Emoji_Modifier}|[\u{E0020}-\u{E007E}]+\u{E007F})`;
const pictograph = String.raw`(?:\p{Emoji_Presentation}${after}?|\p{Extended_Pictographic}(?:${after}|(?=\u200D\p{Extended_Pictographic})))`;
const joined = String.raw`(?:\u200D\p{Extended_Pictographic}${after}?)*`;
const emoji = String.raw`\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|${pictograph}${joined}`;
const ideograph = String.raw`(?=[\p{L}\p{Nl}])[\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}]\p{M}*`;
// Commas and full stops in Chinese have no spaces around them, so they would become part of a Latin word.
const fullWidthMark = String.raw`[\u3001-\u3003\u3008-\u3011\u3014-\u301F\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF3D\uFF5B-\uFF65]`;
const single = new RegExp(`${emoji}|${ideograph}|${fullWidthMark}`, "gu");

/**
 * A run of more combining marks than any word has: a word has at most four UTF-16 units per character, and composition merges at most three
 * marks with the letter before them.
 */
const tooManyMarks = new RegExp(`(\\p{M}{${4 * bounds.wordLength.max + 4},})`, "u");

/**
 * `text` in Unicode's composed form (NFC), in linear time. `normalize` takes time quadratic in the length of a run of combining marks, so runs that
 * are too long for a word are left as they are.
 */
export function composeUnicode(text: string): string {
  const parts = text.split(tooManyMarks);
  return parts.map((part, place) => (place % 2 === 0 ? part.normalize("NFC") : part)).join("");
}

const gap = /[\s\u200B]+/u;
/** Invisible characters that are removed: control characters, lone surrogates, changes of direction. */
const invisible = /[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

/** The words of a text without spaces: each Han or Kana character, full-width mark and emoji is a word, and so is each run of other characters. */
function cut(run: string): string[] {
  const words: string[] = [];
  let end = 0;
  for (const match of run.matchAll(single)) {
    if (match.index > end) words.push(run.slice(end, match.index));
    words.push(match[0]);
    end = match.index + match[0].length;
  }
  if (end < run.length) words.push(run.slice(end));
  return words;
}

/**
 * The words of `text`. A text with white space is split only there, so 哈基咪 喜欢 南北 are three words. A text without white space is split at each
 * Han or Kana character, full-width mark and emoji, and so is a run that is too long for a word.
 * Every word is in Unicode's composed form (NFC). All engines give the same words.
 */
export function tokenize(text: string): string[] {
  const runs = composeUnicode(text)
    .split(gap)
    .map((run) => composeUnicode(run.replace(invisible, "")))
    .filter((run) => run !== "");
  const { min, max } = bounds.wordLength;
  const words =
    runs.length > 1 ? runs.flatMap((run) => (isWord(run, min, max) ? [run] : cut(run))) : runs.flatMap(cut);
  return words.map(composeUnicode);
}

/** The text without invisible characters, composed, with each run of white space as one space. */
export function plainText(text: string): string {
  const runs = composeUnicode(text).split(gap);
  const clean = runs.map((run) => run.replace(invisible, "")).filter((run) => run !== "");
  return composeUnicode(clean.join(" "));
}

/** Represents a space in a piece of a text, because a word cannot contain one. */
export const SPACE = "\u2423";

const character = new RegExp(`${emoji}|.\\p{M}*`, "gsu");

/** The characters of a plain text, each with its combining marks. */
export function characters(plain: string): string[] {
  return Array.from(plain.matchAll(character), ([found]) => found.replaceAll(" ", SPACE));
}

/** Bytes of a plain text as a word. Bytes that are not whole characters are written as numbers: <E4><BD>. */
export function pieceText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replaceAll(" ", SPACE);
  } catch {
    return Array.from(bytes, (byte) => `<${byte.toString(16).toUpperCase().padStart(2, "0")}>`).join("");
  }
}

/** Whether these are pieces of a text and not words: one contains a space, or bytes that are not whole characters. */
export function inPieces(tokens: readonly string[]): boolean {
  return tokens.some((token) => token.includes(SPACE) || /^(?:<[0-9A-F]{2}>)+$/.test(token));
}

/** Precedes each piece of a text that is already split. No typed text contains it. */
const PIECE = "\u001F";

export function joinedPieces(pieces: readonly string[]): string {
  return pieces.map((piece) => PIECE + piece).join("");
}

/** The pieces of such a text, or null for a typed text. */
export function piecesOf(text: string): string[] | null {
  return text.startsWith(PIECE) ? text.slice(PIECE.length).split(PIECE) : null;
}

const emojiInWord = new RegExp(emoji, "gu");
// Joiners shape the letters of some scripts after a joining letter or a mark (RFC 5892, appendix A); elsewhere they are invisible.
const unseen =
  /(?<![\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{M}])[\u200C\u200D]|(?![\u200C\u200D])\p{Default_Ignorable_Code_Point}/gu;

/** `word` with its invisible characters written out, as in "cat⟨U+200D⟩"; null if it has none. Joiners inside an emoji are not counted. */
export function withUnseen(word: string): string | null {
  const code = (character: string): string =>
    `\u27E8U+${character.codePointAt(0)!.toString(16).toUpperCase()}\u27E9`;
  let end = 0;
  let shown = "";
  for (const { 0: found, index } of word.matchAll(emojiInWord)) {
    shown += word.slice(end, index).replace(unseen, code) + found;
    end = index + found.length;
  }
  shown += word.slice(end).replace(unseen, code);
  return shown === word ? null : shown;
}

/** Whether a Config may hold `word`: composed, without the characters that `tokenize` removes, without white space at its ends, `least` to `most` characters. */
export function isWord(word: string, least: number, most: number): boolean {
  if (
    word.length > 4 * most ||
    word !== word.normalize("NFC") ||
    word !== word.trim() ||
    word.search(invisible) >= 0
  )
    return false;
  const length = [...word].length;
  return length >= least && length <= most;
}
