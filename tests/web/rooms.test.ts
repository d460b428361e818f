// The rooms of the house and the arrows between them: every include and import points down.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
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
  wasm: ["nn", "optim", "files", "program", "ops", "tensor"],
};
const webRooms: Record<string, string[]> = {
  core: [],
  i18n: [],
  // A default is a frozen example, so config reads them; they know config by its types alone. A refusal is in words.
  config: ["core", "examples", "i18n"],
  examples: ["config"],
  marks: ["config", "core", "i18n"],
  // Pictures and tables as files, each with its link inside.
  files: ["marks", "config", "core", "i18n"],
  elements: ["marks", "config", "core", "i18n"],
  // How tensors, charts and products are laid out on a stage.
  stage: ["marks"],
  labs: ["stage", "marks", "examples", "config", "core", "i18n"],
  // The worker that computes, and the page's side of it.
  session: ["labs", "marks", "config", "core"],
  // The service worker: it knows files and digests, nothing of what is in them.
  offline: [],
  // The page that times the core, and what the benchmark of tests/bench shares with it.
  bench: ["page", "session", "labs", "elements", "marks", "examples", "config", "core", "i18n"],
  page: ["session", "labs", "elements", "files", "marks", "examples", "config", "core", "i18n"],
  // The scripts that pages, workers, the frame and the element begin with.
  entries: ["bench", "page", "session", "offline", "labs", "core", "i18n"],
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

describe("web", () => {
  const web = join(root, "web");
  const files = Object.keys(webRooms).flatMap((room) => filesUnder(join(web, room), /\.ts$/));

  test("every import points down", () => {
    const wrong = files.flatMap((path) => {
      const room = relative(web, path).split("/")[0]!;
      const imports = [...readFileSync(path, "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(
        (match) => match[1]!,
      );
      return imports.flatMap((imported) => {
        const target = relative(web, resolve(dirname(path), imported));
        const reached = target.split("/")[0]!;
        return reached in webRooms && upward(webRooms, room, reached)
          ? [`${relative(root, path)} imports ${imported}`]
          : [];
      });
    });
    expect(files.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });

  test("examples import types only", () => {
    const imports = files
      .filter((path) => relative(web, path).startsWith("examples/"))
      .flatMap((path) =>
        [...readFileSync(path, "utf8").matchAll(/^import .*"\.\.\/[^"]+"/gm)].map((match) => match[0]),
      );
    expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
  });

  test("no room but marks, which picks colours and digits, takes a root or a transcendental function", () => {
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
