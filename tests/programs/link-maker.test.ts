// web/config/link.py: the links it writes open as the given Config, without a notice.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linkBounds } from "../../web/config/bounds.js";
import type { NumbersOf } from "../../web/config/config.js";
import { parameterCount } from "../../web/config/labs/block.js";
import { decode } from "../../web/config/codec.js";
import { examples } from "../../web/examples/index.js";
import { anyConfig } from "../web/config-random.js";
import { linkFields } from "../web/link-fields.js";

const python = process.env["NUMPY_PYTHON"] ?? "python3";
const maker = resolve(import.meta.dirname, "../../web/config/link.py");

/** The links of many fields, written by one Python. */
const links = (given: readonly object[]): string[] =>
  execFileSync(python, [maker], {
    input: given.map((fields) => JSON.stringify(fields)).join("\n"),
    encoding: "utf8",
    env: { ...process.env, PYTHONIOENCODING: "utf-8", PYTHONDONTWRITEBYTECODE: "1" },
    maxBuffer: 1 << 28,
  })
    .trim()
    .split("\n");

test("a few fields make the link that a person would write", () => {
  expect(links([{ lab: "multi-head", tokens: ["the", "cat", "sat"], heads: 2, scale: false }])).toEqual([
    "#v=1&lab=multi-head&tokens=the,cat,sat&heads=2&scale=0",
  ]);
});

test("every example and many other Configs, written in full, open unchanged", () => {
  const configs = [
    ...examples.map(({ config }) => config),
    // JSON in JavaScript has no -0, and a handwritten link is not packed.
    ...fc.sample(anyConfig, { seed: 7, numRuns: 400 }).filter((config) => !negativeZero(config)),
  ];
  const written = links(configs.map(linkFields));
  expect(written).toHaveLength(configs.length);
  let opened = 0;
  for (const [at, link] of written.entries()) {
    if (link.length > linkBounds.characters || link.split("&").length > linkBounds.fields) continue;
    expect(decode(link), link).toEqual({ config: configs[at], notices: [] });
    opened++;
  }
  expect(opened).toBeGreaterThan(300);
});

test("many numbers are packed, as floats where 32 bits hold them", () => {
  const vocabulary = ["a"];
  const { config } = decode("lab=block&tokens=a&dim=8&heads=1&ff=16");
  const count = parameterCount({ ...(config.numbers as NumbersOf["block"]), vocabulary });
  for (const [prefix, round] of [
    ["b32", Math.fround],
    ["b64", Number],
  ] as const) {
    const parameters = [Array.from({ length: count }, (_, at) => round(Math.sin(at)))];
    const [link] = links([{ lab: "block", tokens: ["a"], dim: 8, heads: 1, ff: 16, vocabulary, parameters }]);
    expect(link).toContain(`&parameters=${prefix}:`);
    const opened = decode(link!);
    expect([opened.notices, opened.config.numbers]).toEqual([[], expect.objectContaining({ parameters })]);
  }
});

function negativeZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(negativeZero);
  return Object.is(value, -0);
}
