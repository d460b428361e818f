// Conditions of the pages' security policy: no markup is made from strings, and one Trusted Types policy accepts script addresses.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const web = join(root, "web");

/** The source without comments, which may contain the forbidden words. */
const uncommented = (text: string): string => text.replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*/g, "$1");
const code = (path: string): string => uncommented(readFileSync(path, "utf8"));

const markup =
  /\b(innerHTML|outerHTML|insertAdjacentHTML|setHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|parseFromString|srcdoc|unsafeHTML|unsafeSVG|unsafeMathML|unsafeStatic)\b|\bdocument\.write/;

const sources = readdirSync(web, { recursive: true })
  .map((name) => join(web, String(name)))
  .filter((path) => /\.(ts|html)$/.test(path));

const filesWith = (pattern: RegExp): string[] =>
  sources.filter((path) => pattern.test(code(path))).map((path) => relative(root, path));

test("no string is used as markup or code", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(filesWith(markup)).toEqual([]);
  expect(filesWith(/\beval\(|\bnew Function\(|javascript:/)).toEqual([]);
});

test("the test finds a forbidden use", () => {
  const isFound = (text: string): boolean => markup.test(uncommented(text));
  expect(isFound("node.innerHTML = text;")).toBe(true);
  expect(isFound("html`<p .innerHTML=${text}></p>`")).toBe(true);
  expect(isFound("a = 1; // no innerHTML")).toBe(false);
});

test("one file makes a policy, and every worker's address goes through it; the frame has a policy for its own code", () => {
  expect(filesWith(/\bcreatePolicy\b/)).toEqual(["web/entries/embed.ts", "web/page/script-address.ts"]);
  for (const path of sources)
    for (const [made, argument] of code(path).matchAll(/\bnew Worker\(([^;]*)/g))
      expect(`${relative(root, path)}: ${made}`, argument).toMatch(/new Worker\(scriptAddress\(/);
  expect(filesWith(/\bimportScripts\(/)).toEqual([]);
});
