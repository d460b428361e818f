// The rooms of the project and the arrows between them: every include and import points down, and no file imports itself.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

// For each room, the rooms it may reach. A room may always reach itself.
const cppRooms: Record<string, string[]> = {
  kernels: [],
  tensor: ["kernels"],
  ops: ["tensor", "kernels"],
  files: ["tensor"],
  nn: ["ops", "tensor"],
  optim: ["ops", "tensor", "kernels"],
  program: ["ops", "tensor"],
  training: ["nn", "optim", "files", "ops", "tensor"],
  wasm: ["training", "nn", "optim", "files", "program", "ops", "tensor"],
};
const webRooms: Record<string, string[]> = {
  core: [],
  i18n: [],
  // A default is a frozen example, so config reads the examples, which import only config's types. Refusals contain words.
  config: ["examples", "i18n"],
  examples: ["config"],
  marks: ["core", "i18n"],
  // Pictures and tables as files, each with its link inside.
  files: ["marks", "config"],
  elements: ["marks", "config", "core", "i18n"],
  // The layout of tensors, charts and products on a stage.
  stage: ["marks", "i18n"],
  // The vocabulary that labs are declared in: tensors, controls, lessons.
  telling: ["stage", "marks", "config", "i18n"],
  // A lab that trains makes files of its runs.
  labs: ["telling", "stage", "files", "marks", "examples", "config", "core", "i18n"],
  // The messages between the page and the worker that computes. Neither side imports the other's code; calls.ts imports the worker's types.
  session: ["session/worker", "marks", "config", "core"],
  "session/worker": ["session", "marks", "config", "core"],
  "session/client": ["session", "labs", "config", "marks"],
  // The service worker. It handles files and digests and does not depend on their content.
  offline: [],
  page: [
    "session/client",
    "session",
    "labs",
    "telling",
    "stage",
    "elements",
    "files",
    "marks",
    "examples",
    "config",
    "core",
    "i18n",
  ],
  // The page that times the core, and the files that it shares with the benchmark of tests/bench.
  bench: ["page", "session/worker", "labs", "elements", "marks", "examples", "config", "core", "i18n"],
  // The scripts that pages, workers, the frame and the element begin with. Nothing imports them.
  entries: [
    "bench",
    "page",
    "session/client",
    "session/worker",
    "session",
    "offline",
    "labs",
    "core",
    "i18n",
  ],
  // The builds of dist/: plugins, and the list of builds.
  build: ["page", "marks"],
};

function filesUnder(folder: string, ending: RegExp): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return filesUnder(path, ending);
    return ending.test(name) ? [path] : [];
  });
}

function upward(rooms: Record<string, string[]>, room: string, reached: string): boolean {
  return reached !== room && !rooms[room]!.includes(reached);
}

describe("cpp", () => {
  const files = Object.keys(cppRooms).flatMap((room) =>
    filesUnder(join(root, "cpp"), /\.[ch]pp$/).filter((path) =>
      relative(join(root, "cpp"), path).startsWith(`${room}/`),
    ),
  );

  test("every include points down", () => {
    const wrong = files.flatMap((path) => {
      const room = relative(join(root, "cpp"), path).split("/")[0]!;
      const includes = [...readFileSync(path, "utf8").matchAll(/#include "([^"]+)"/g)].map(
        (match) => match[1]!,
      );
      return includes
        .filter((include) => upward(cppRooms, room, include.split("/")[0]!))
        .map((include) => `${relative(root, path)} includes ${include}`);
    });
    expect(files.length).toBeGreaterThan(10);
    expect(wrong).toEqual([]);
  });

  test("xtensor is included in one file, Emscripten only in the binding's room", () => {
    const including = (pattern: RegExp) =>
      files.filter((path) => pattern.test(readFileSync(path, "utf8"))).map((path) => relative(root, path));
    expect(including(/#include <xtensor/)).toEqual(["cpp/tensor/array.hpp"]);
    expect(including(/#include <emscripten/).filter((path) => !path.startsWith("cpp/wasm/"))).toEqual([]);
  });
});

interface Import {
  specifier: string;
  /** Whether it is an import of types only, which does not exist when the code runs. */
  isType: boolean;
}

/** All imports of a file, in any form, without suffixes such as Vite's `?url`. */
function importsOf(path: string): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node | undefined, isType: boolean): void => {
    if (node && ts.isStringLiteralLike(node))
      found.push({ specifier: node.text.replace(/\?.*/, ""), isType });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest));
  return found;
}

/** The cycles of a graph, each as a path. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const follow = (from: string): void => {
    if (done.has(from)) return;
    way.push(from);
    for (const to of graph.get(from) ?? []) {
      const at = way.indexOf(to);
      if (at >= 0) found.push([...way.slice(at), to]);
      else follow(to);
    }
    way.pop();
    done.add(from);
  };
  for (const from of graph.keys()) follow(from);
  return found;
}

describe("web", () => {
  const web = join(root, "web");
  const files = filesUnder(web, /\.ts$/);
  const imports = new Map(files.map((path) => [path, importsOf(path)]));

  /** The innermost room that contains a path. */
  const roomOf = (path: string): string | undefined =>
    Object.keys(webRooms)
      .filter((room) => relative(web, path).startsWith(`${room}/`))
      .sort((a, b) => b.length - a.length)[0];

  test("every file is in a room, except the published declarations", () => {
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((path) => !roomOf(path)).map((path) => relative(web, path))).toEqual([
      "attention-playground.d.ts",
      "attention-playground.react.d.ts",
      "attention-playground.vue.d.ts",
    ]);
  });

  test("every import points down", () => {
    const wrong = [...imports].flatMap(([path, all]) => {
      const room = roomOf(path);
      return all.flatMap(({ specifier }) => {
        const reached = specifier.startsWith(".") && roomOf(resolve(dirname(path), specifier));
        return room && reached && upward(webRooms, room, reached)
          ? [`${relative(root, path)} imports ${specifier}`]
          : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  test("every allowed arrow between rooms is used by some import", () => {
    const used = new Set(
      [...imports].flatMap(([path, all]) =>
        all.map(({ specifier }) => `${roomOf(path)} > ${roomOf(resolve(dirname(path), specifier))}`),
      ),
    );
    const allowed = Object.entries(webRooms).flatMap(([room, reached]) =>
      reached.map((one) => `${room} > ${one}`),
    );
    expect(allowed.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  test("no file imports itself through other files, apart from types", () => {
    const graph = new Map(
      [...imports].map(([path, all]) => [
        path,
        all
          .filter(({ specifier, isType }) => !isType && specifier.startsWith("."))
          .map(({ specifier }) => resolve(dirname(path), specifier).replace(/\.js$/, ".ts")),
      ]),
    );
    expect([...graph.values()].flat().filter((path) => graph.has(path)).length).toBeGreaterThan(1000);
    expect(circles(graph).map((way) => way.map((path) => relative(web, path)).join(" > "))).toEqual([]);
  });

  test("the test finds a cycle", () => {
    const graph = new Map([
      ["a", ["b", "c"]],
      ["b", ["c"]],
      ["c", ["d"]],
      ["d", ["b"]],
    ]);
    expect(circles(graph)).toEqual([["b", "c", "d", "b"]]);
  });

  test("examples import types only", () => {
    const loaded = [...imports].flatMap(([path, all]) =>
      roomOf(path) === "examples" ? all.filter((one) => !one.isType && one.specifier.startsWith("../")) : [],
    );
    expect(loaded).toEqual([]);
  });

  test("only marks, which chooses colours and digits, computes roots or transcendental functions", () => {
    const numeric =
      /Math\.(sqrt|exp|expm1|log|log1p|tanh|pow|cbrt|log2|log10|sinh|cosh|sin|cos|tan|asin|acos|atan|atan2)\b/;
    const code = (path: string) => readFileSync(path, "utf8").replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
    const wrong = files
      .filter((path) => !/\/marks\//.test(path) && numeric.test(code(path)))
      .map((path) => relative(root, path));
    expect(
      files.filter((path) => numeric.test(code(path))).length,
      "the test sees what marks compute",
    ).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    const inCore = files.filter((path) => /\/core\//.test(path) && /\bMath\./.test(code(path)));
    expect(
      inCore.map((path) => relative(root, path)),
      "the core computes in C++; what prints tensors compares sizes and counts digits",
    ).toEqual(["web/core/print.ts"]);
  });
});
