// The notices of bundled packages: one for each package, each licence text once, in comments that no text inside can end.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { describe, expect, test } from "vitest";
import { noticesOf, withNotices } from "../../toolchain/licenses.mjs";

const project = join(import.meta.dirname, "../..");

/** Vite's list for a script that imports these packages. */
async function listed(...packages: string[]): Promise<{ name: string; text?: string }[]> {
  const entry = "\0entry";
  const code = packages
    .map((name, at) => `import * as p${at} from "${name}"; console.log(p${at});`)
    .join("\n");
  const built = await build({
    root: project,
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? code : undefined),
      },
    ],
    build: { write: false, license: { fileName: "list.json" }, rolldownOptions: { input: entry } },
  });
  const { output } = built as unknown as { output: { fileName: string; source?: string }[] };
  return JSON.parse(output.find(({ fileName }) => fileName === "list.json")!.source!) as [];
}

test("every bundled package is listed with its licence, and no other", async () => {
  const packages = await listed("fzstd", "comlink");
  expect(packages.map(({ name }) => name)).toEqual(["comlink", "fzstd"]);
  const text = noticesOf(packages, "Title");
  expect(text).toContain("fzstd 0.1.1 (MIT)");
  expect(text).toContain("Copyright (c) 2020 Arjun Barrett");
  expect(text).toContain("Apache License");
});

test("a bundled package without a licence text stops the build", () => {
  const without = { name: "nameless", version: "1.0.0", identifier: "MIT" };
  for (const text of [undefined, "", " \n"])
    expect(() =>
      noticesOf(
        [
          { name: "fine", text: "Do." },
          { ...without, text },
        ],
        "Title",
      ),
    ).toThrow("nameless is bundled but has no licence text");
});

test("a licence that two packages share is printed once, under both names", () => {
  const text = noticesOf(
    [
      { name: "a", version: "1", identifier: "MIT", text: "Do as you like.\r\n" },
      { name: "b", version: "2", identifier: "MIT", text: "Do as you like." },
    ],
    "Title",
  );
  expect(text.match(/Do as you like/g)).toHaveLength(1);
  expect(text).toContain("a 1 (MIT)\nb 2 (MIT)\n\nDo as you like.");
});

describe("in a comment", () => {
  const place = /\/\*! notices\n[^]*?\*\//;
  const comment: [string, string] = ["/*! notices\n", "*/"];

  test("no text inside ends it early, and adding it again changes nothing", () => {
    const source = "/*! notices\n*/\ncode();\n";
    const once = withNotices("x.js", source, place, comment, "of arch/*/bits");
    expect(once).toBe("/*! notices\nof arch/* /bits\n*/\ncode();\n");
    expect(withNotices("x.js", once, place, comment, "of arch/*/bits")).toBe(once);
  });

  test("a file without a place for the notices is refused", () => {
    expect(() => withNotices("x.js", "code();", place, comment, "text")).toThrow("x.js has no place");
  });
});

test("the repository has the notices of everything that is compiled into the wasm", () => {
  for (const [name, holder] of Object.entries({
    xtensor: "Johan Mabille",
    xtl: "Johan Mabille",
    musl: "Rich Felker",
    emscripten: "The Emscripten Authors",
    llvm: "LLVM Exceptions to the Apache 2.0 License",
  })) {
    const file = join(project, "toolchain/notices", `${name}.txt`);
    expect([name, existsSync(file)]).toEqual([name, true]);
    expect(readFileSync(file, "utf8")).toContain(holder);
  }
});
