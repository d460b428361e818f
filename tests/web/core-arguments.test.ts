// Every public function and method of the library, as its types list them, refuses surplus arguments and unknown options with an Error.
import ts from "typescript";
import { expect, test } from "vitest";
import * as attention from "../../web/core/attention.js";
import * as whole from "../../web/core/index.js";
import { core } from "./loaded-core.js";
import { checker, exported } from "./library-types.js";

function isPublic(member: ts.Symbol): boolean {
  const [declaration] = member.declarations ?? [];
  if (!declaration || !/^[a-zA-Z]/.test(member.name)) return false;
  if (!declaration.getSourceFile().fileName.includes("/web/core/")) return false;
  const hidden = ts.getCombinedModifierFlags(declaration as ts.Declaration);
  if (hidden & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) return false;
  return !ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal");
}

interface Callable {
  name: string;
  /** The names of the parameters, from the signature that has the most. */
  parameters: string[];
}

/** The members of a type that can be called. */
const callables = (type: ts.Type): Callable[] =>
  checker
    .getPropertiesOfType(type)
    .filter(isPublic)
    .flatMap((member) => {
      const signatures = checker.getTypeOfSymbol(member).getCallSignatures();
      const longest = signatures
        .map((signature) => signature.parameters.map(({ name }) => name))
        .sort((a, b) => b.length - a.length)[0];
      return longest ? [{ name: member.name, parameters: longest }] : [];
    });

function typeOf(name: string): ts.Type {
  const symbol = exported.find((candidate) => candidate.name === name)!;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.flags & ts.SymbolFlags.Class
    ? checker.getDeclaredTypeOfSymbol(target)
    : checker.getTypeOfSymbol(target);
}

const instances: Record<string, () => object & { delete?: () => void }> = {
  Core: () => core,
  Graph: () => core.graph(),
  RandomState: () => core.randomState(1),
  Parameters: () => core.parameters(),
  Optimizer: () => core.sgd(),
  BytePairVocabulary: () => core.bytePairVocabulary({ merges: [] }),
  masks: () => whole.masks,
};

/** The Error of a call as text, or a note that there was none. */
function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return error instanceof Error && error.constructor === Error
      ? error.message
      : `no Error: ${String(error)}`;
  }
  return "was answered";
}

test("the types list methods to test", () => {
  for (const name of Object.keys(instances)) expect(callables(typeOf(name)).length).toBeGreaterThan(3);
});

test.each(Object.keys(instances))("%s refuses surplus arguments", (owner) => {
  const object = instances[owner]!();
  const faults: string[] = [];
  for (const { name, parameters } of callables(typeOf(owner))) {
    const given = Array.from({ length: parameters.length + 1 }, () => undefined);
    const expected = `${name}: ${given.length} arguments given, expected at most ${parameters.length}`;
    const method = (object as Record<string, (...given: unknown[]) => unknown>)[name]!;
    const message = messageOf(() => method.apply(object, given));
    if (message !== expected) faults.push(`${name}: ${message}`);
  }
  if (object !== core) object.delete?.();
  expect(faults).toEqual([]);
});

test.each(Object.keys(instances))("%s refuses unknown options", (owner) => {
  const object = instances[owner]!();
  const faults: string[] = [];
  let count = 0;
  for (const { name, parameters } of callables(typeOf(owner))) {
    const place = parameters.findIndex((parameter) => /^(given|options)$/.test(parameter));
    if (place < 0) continue;
    count++;
    const given: unknown[] = Array.from({ length: place }, () => undefined);
    const method = (object as Record<string, (...given: unknown[]) => unknown>)[name]!;
    for (const [options, expected] of [
      [{ nobodyTakesThis: 1 }, 'unknown option "nobodyTakesThis"'],
      [[4, 3], "options is [4, 3], expected an object"],
    ] as const) {
      const said = messageOf(() => method.apply(object, [...given, options]));
      if (!said.includes(expected)) faults.push(`${name}: ${said}`);
    }
  }
  if (object !== core) object.delete?.();
  expect(faults).toEqual([]);
  if (["Core", "Graph"].includes(owner)) expect(count).toBeGreaterThan(20);
});

test("load refuses surplus arguments and unknown options too", async () => {
  for (const { load } of [whole, attention]) {
    const loose = load as (...given: unknown[]) => Promise<unknown>;
    expect(messageOf(() => loose({}, 1))).toBe("load: 2 arguments given, expected at most 1");
    await expect(loose({ precision: "float32" })).rejects.toThrow(
      'load: unknown option "precision", expected build, wasm',
    );
  }
});

test("functions take no name, because their nodes are deleted when they return", () => {
  const x = core.tensor([[1, 2]]);
  const loose = core as unknown as Record<string, (...given: unknown[]) => unknown>;
  expect(messageOf(() => loose["softmax"]!(x, { name: "w" }))).toBe(
    'softmax: unknown option "name", expected axis, emptyIsZero',
  );
  expect(messageOf(() => loose["matmul"]!(x, x, { name: "y" }))).toBe(
    "matmul: 3 arguments given, expected at most 2",
  );
  expect(messageOf(() => loose["patchEmbedding"]!(x, x, undefined, { outputName: "y" }))).toBe(
    'patchEmbedding: unknown option "outputName", expected cls, position, patch',
  );
});

test("refuses mistakes that would otherwise have no effect", () => {
  const random = core.randomState(1);
  const loose = random as unknown as Record<string, (...given: unknown[]) => unknown>;
  expect(messageOf(() => loose["randn"]!([2], "float32"))).toBe(
    "randn: 2 arguments given, expected at most 1",
  );
  random.delete();
});
