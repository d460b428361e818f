// Every link that was ever given out, and what it must open as. Lines may be added at the end; none may be edited or removed.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import { validateConfig } from "../../web/config/validate.js";
import { examples } from "../../web/examples/index.js";

interface Line {
  link: string;
  notices: object[];
  config: unknown;
}

const file = readFileSync(new URL("version-1.json", import.meta.url), "utf8");
/** The file holds -0 as text, and pixels as a hexadecimal digit per level. */
const lines = JSON.parse(file, (_key, value: unknown) => {
  if (value === "-0") return -0;
  const hex = (value as { hex?: string } | null)?.hex;
  return typeof hex === "string" ? Uint8Array.from(hex, (digit) => Number.parseInt(digit, 16)) : value;
}) as Line[];

/** The lines that were there when this was last frozen. */
const frozen = { count: 45, sha256: "20def6241d853b4939bdc123693caeeefb7705371f2247e3c571f08348c83f11" };

test("no line was edited", () => {
  const written = file
    .split("\n")
    .slice(1, -2)
    .map((line) => line.replace(/,$/, ""));
  expect(written).toHaveLength(lines.length);
  expect(written.length).toBeGreaterThanOrEqual(frozen.count);
  expect(createHash("sha256").update(written.slice(0, frozen.count).join("\n")).digest("hex")).toBe(
    frozen.sha256,
  );
});

test("every example is among them", () => {
  const opened = new Set(lines.map(({ link }) => decode(link).config.example));
  for (const { id } of examples) expect(opened.has(id), id).toBe(true);
});

describe("version 1", () => {
  test.each(lines.map(({ link, notices, config }) => [link || "(empty)", link, notices, config] as const))(
    "%s",
    (_name, link, notices, config) => {
      const decoded = decode(link);
      expect(decoded.notices).toEqual(notices);
      expect(decoded.config).toEqual(config);
      validateConfig(decoded.config);
      // However it is written today, it means the same.
      expect(decode(encode(decoded.config))).toEqual({ config, notices: [] });
    },
  );
});
