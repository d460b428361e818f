// web/core/README.md compared with the types: every public member and option is described, and every described one exists.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { load as loadAttention } from "../../web/core/attention.js";
import { load } from "../../web/core/index.js";
import { checker, exported } from "./library-types.js";

const readme = readFileSync(new URL("../../web/core/README.md", import.meta.url), "utf8");

/** The type that an export stands for. */
const typeOf = (name: string): ts.Type => {
  const symbol = exported.find((candidate) => candidate.name === name)!;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return checker.getDeclaredTypeOfSymbol(target);
};

function isPublic(member: ts.Symbol): boolean {
  const [declaration] = member.declarations ?? [];
  if (!declaration || !/^[a-zA-Z]/.test(member.name)) return false;
  const hidden = ts.getCombinedModifierFlags(declaration as ts.Declaration);
  if (hidden & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) return false;
  return !ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal");
}

const members = (name: string): string[] =>
  checker
    .getPropertiesOfType(typeOf(name))
    .filter(isPublic)
    .map(({ name: member }) => member);

/** The name of each of the library's objects in the README. */
const objects: Record<string, string> = {
  core: "Core",
  graph: "Graph",
  random: "RandomState",
  parameters: "Parameters",
  vocabulary: "BytePairVocabulary",
  optimizer: "Optimizer",
};
const words = new Set(readme.match(/\w+/g));

describe("the public library", () => {
  test.each(Object.entries(objects))("everything that %s can do is described", (_object, name) => {
    const found = members(name);
    expect(found.length).toBeGreaterThan(3);
    expect(found.filter((member) => !words.has(member))).toEqual([]);
  });

  test("has every option in the README", () => {
    const options = exported
      .map(({ name }) => name)
      .filter((name) => /(Options|Masking|Dropout)$/.test(name));
    expect(options.length).toBeGreaterThan(20);
    const missing = options.flatMap((name) => {
      const type = typeOf(name);
      const parts = type.isUnion() ? type.types : [type];
      return parts
        .flatMap((part) => checker.getPropertiesOfType(part))
        .filter((member) => member.valueDeclaration?.getSourceFile().fileName.includes("/web/core/"))
        .filter((member) => !words.has(member.name))
        .map((member) => `${name}.${member.name}`);
    });
    expect([...new Set(missing)]).toEqual([]);
  });
});

describe("the README", () => {
  test.each(Object.entries(objects))("everything called on %s exists", (object, name) => {
    const called = [...readme.matchAll(new RegExp(`(?<![.\\w])${object}\\.(\\w+)`, "g"))].map(
      ([, member]) => member!,
    );
    expect(called.length).toBeGreaterThan(0);
    const known = new Set(members(name));
    expect([...new Set(called)].filter((member) => !known.has(member))).toEqual([]);
  });

  test("the examples in JavaScript run", async () => {
    const core = await load({ build: "simd" });
    const blocks = [...readme.matchAll(/```js\n([^]*?)```/g)].map(([, block]) => block!);
    expect(blocks.length).toBeGreaterThan(2);
    // The address in the README is replaced by the tested library; its wasm comes from the build.
    const given = {
      core,
      text: "low lower lowest",
      load: loadAttention,
      fetch: (path: string) => {
        const build = /attention-(simd|relaxed)/.exec(path)![1];
        const wasm = readFileSync(new URL(`../../build/core/${build}/attention.wasm`, import.meta.url));
        return Promise.resolve(new Response(wasm, { headers: { "Content-Type": "application/wasm" } }));
      },
    };
    for (const block of blocks) {
      const body = block
        .replace(/^import .*$/gm, "")
        .replace(/^const core = await load\(\);$/m, "")
        .replace(/^const \{ load \} = await import\(.*$/m, "")
        .replace(/^const core = /m, "return ");
      const run = new Function(...Object.keys(given), `return (async () => {${body}})();`) as (
        ...values: unknown[]
      ) => Promise<unknown>;
      await expect(run(...Object.values(given)), block).resolves.not.toThrow();
    }
  });
});
