/**
 * Recognizes the content of a file: the link of a state in a picture, a table or a checkpoint, a NumPy array, an
 * image, a table.
 */
import { isGif, readGifText } from "./gif-text.js";
import { isPng, readPngText } from "./png.js";
import { readMetadata } from "./safetensors-metadata.js";

/** The name of the link in the metadata of a .safetensors file. */
export const LINK_NAME = "attention-playground.link";

/** Larger files are not read. */
export const MOST_BYTES = 64 * 1024 * 1024;

export type FileContent =
  /** The state after the "#" of a link; the address before it is ignored. */
  | { kind: "state"; hash: string }
  | { kind: "npy" }
  /** A run of the training lab, with the state that it was saved from. */
  | { kind: "checkpoint"; hash: string }
  /** A picture without a link. */
  | { kind: "image" }
  /** Text that may be numbers. */
  | { kind: "text"; text: string }
  | { kind: "other" };

/** The state in a link: the text from "#" to the next white space, quote or bracket. */
const STATE = /#(v=\d+[^\s"'<>]*)/;

function stateIn(text: string): string | null {
  return STATE.exec(text)?.[1] ?? null;
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** The number of bytes that decide what kind of text it is. */
const HEAD = 4096;

function isImage(bytes: Uint8Array): boolean {
  const letters = (at: number, count: number): string =>
    String.fromCharCode(...bytes.subarray(at, at + count));
  return (
    isPng(bytes) ||
    (bytes[0] === 0xff && bytes[1] === 0xd8) ||
    isGif(bytes) ||
    letters(4, 4) === "ftyp" ||
    (letters(0, 4) === "RIFF" && letters(8, 4) === "WEBP")
  );
}

/** Recognizes bytes by their content, whatever the file's name. Accepts any bytes without throwing. */
export function recognizeFile(bytes: Uint8Array): FileContent {
  if (MAGIC.every((byte, at) => bytes[at] === byte)) return { kind: "npy" };
  if (isImage(bytes)) {
    const hash = stateIn(readPngText(bytes) ?? readGifText(bytes) ?? "");
    return hash ? { kind: "state", hash } : { kind: "image" };
  }
  const checkpoint = stateIn(readMetadata(bytes)?.[LINK_NAME] ?? "");
  if (checkpoint) return { kind: "checkpoint", hash: checkpoint };
  if (bytes.length > MOST_BYTES || bytes.subarray(0, HEAD).includes(0)) return { kind: "other" };
  const text = new TextDecoder().decode(bytes);
  const hash = stateOfText(text);
  return hash ? { kind: "state", hash } : looksLikeSvg(text) ? { kind: "image" } : { kind: "text", text };
}

function looksLikeSvg(text: string): boolean {
  return /<svg[\s>]/.test(text.slice(0, HEAD));
}

function stateOfText(text: string): string | null {
  if (looksLikeSvg(text)) {
    const from = text.indexOf("<metadata");
    const to = text.indexOf("</metadata>", from);
    if (from < 0 || to < 0) return null;
    return stateIn(unescapeXml(text.slice(from, to)));
  }
  const start = text.trimStart();
  if (start.startsWith("{")) {
    try {
      const link: unknown = (JSON.parse(text) as Record<string, unknown>)["link"];
      return typeof link === "string" ? stateIn(link) : null;
    } catch {
      return null;
    }
  }
  return start.startsWith("#") ? stateIn(start.split("\n", 1)[0] ?? "") : null;
}

function unescapeXml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#38;", "&")
    .replaceAll("&amp;", "&");
}
