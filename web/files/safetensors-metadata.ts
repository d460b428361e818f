/** The texts in the header of a .safetensors file, which is eight bytes of length and then JSON; the numbers stay as they are. */

const NAME = "__metadata__";
/** The bytes of the length; the header ends at a multiple of them too. */
const WORD = 8;

type Header = Record<string, unknown>;

/** The header of a file, and the place where it ends; null for a file of another kind. */
function headerOf(file: Uint8Array): { header: Header; end: number } | null {
  if (file.length < WORD + 2 || file[WORD] !== 0x7b) return null;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = WORD + Number(view.getBigUint64(0, true));
  if (end > file.length) return null;
  try {
    const header: unknown = JSON.parse(new TextDecoder().decode(file.subarray(WORD, end)));
    return typeof header === "object" && header !== null ? { header: header as Header, end } : null;
  } catch {
    return null;
  }
}

/** The texts by name; null for a file of another kind. */
export function readMetadata(file: Uint8Array): Record<string, string> | null {
  const read = headerOf(file);
  if (!read) return null;
  const texts: unknown = read.header[NAME];
  if (typeof texts !== "object" || texts === null) return {};
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string"));
}

/** A copy of a file with other texts. Throws Error for a file of another kind. */
export function withMetadata(file: Uint8Array, texts: Readonly<Record<string, string>>): Uint8Array {
  const read = headerOf(file);
  if (!read) throw new Error("file: this is no .safetensors file");
  const json = new TextEncoder().encode(JSON.stringify({ ...read.header, [NAME]: texts }));
  const length = Math.ceil(json.length / WORD) * WORD;
  const copy = new Uint8Array(WORD + length + file.length - read.end);
  new DataView(copy.buffer).setBigUint64(0, BigInt(length), true);
  copy.fill(0x20, WORD, WORD + length);
  copy.set(json, WORD);
  copy.set(file.subarray(read.end), WORD + length);
  return copy;
}
