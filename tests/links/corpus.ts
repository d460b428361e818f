/** The files of published links, read whole and line by line, and the check that frozen lines are unchanged. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ConfigNotice } from "../../web/config/config.js";
import type { LinkNumbers } from "./numbers.js";

/** A link, and the Config it opens as. */
export interface OpenedLink {
  link: string;
  notices: ConfigNotice[];
  config: unknown;
}

/** The parts of a notice that are stored. The expected value is left out, because its wording may improve. */
export const storedNotice = ({ kind, field, given, used }: ConfigNotice): ConfigNotice => ({
  kind,
  ...(field !== undefined && { field }),
  ...(given !== undefined && { given }),
  ...(used !== undefined && { used }),
});

/** `version-1.json`: the Configs that links open as. `version-1-numbers.json`: the numbers they must produce. */
export type FileName = "version-1.json" | "version-1-numbers.json";

export const pathOf = (name: FileName | "frozen.json"): string =>
  fileURLToPath(new URL(name, import.meta.url));

export const textOf = (name: FileName): string => readFileSync(pathOf(name), "utf8");

/** A file holds an array, one entry per line. */
export const linesIn = (text: string): string[] =>
  text
    .split("\n")
    .slice(1, -2)
    .map((line) => line.replace(/,$/, ""));

export const fileOf = (lines: readonly string[]): string => `[\n${lines.join(",\n")}\n]\n`;

/** -0 is written as text, and pixels as one hexadecimal digit per level. */
export const writtenLink = (line: OpenedLink): string =>
  JSON.stringify(line, (_key, value: unknown) => {
    if (Object.is(value, -0)) return "-0";
    if (!(value instanceof Uint8Array)) return value;
    return { hex: Array.from(value, (level) => level.toString(16)).join("") };
  });

export const readLinks = (): OpenedLink[] =>
  JSON.parse(textOf("version-1.json"), (_key, value: unknown) => {
    if (value === "-0") return -0;
    const hex = (value as { hex?: string } | null)?.hex;
    return typeof hex === "string" ? Uint8Array.from(hex, (digit) => Number.parseInt(digit, 16)) : value;
  }) as OpenedLink[];

export const readNumbers = (): LinkNumbers[] => JSON.parse(textOf("version-1-numbers.json")) as LinkNumbers[];

/** The lines of a file when they were frozen: their number and their digest. */
export interface Frozen {
  count: number;
  sha256: string;
}

export const readFrozen = (): Record<FileName, Frozen> =>
  JSON.parse(readFileSync(pathOf("frozen.json"), "utf8")) as Record<FileName, Frozen>;

export const freeze = (lines: readonly string[]): Frozen => ({
  count: lines.length,
  sha256: createHash("sha256").update(lines.join("\n")).digest("hex"),
});

/** Whether the frozen lines are unchanged. */
export const isUnedited = (lines: readonly string[], frozen: Frozen): boolean =>
  lines.length >= frozen.count && freeze(lines.slice(0, frozen.count)).sha256 === frozen.sha256;
