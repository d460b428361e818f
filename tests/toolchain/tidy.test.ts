/** The verdicts of clang-tidy: what they depend on, that other clones share them, and that old ones are deleted. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { perFileCommands, ownIncludes, verdictKey, verdictsIn } from "../../toolchain/tidy.mjs";

let room = "";
beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), "attention-playground-"));
});
afterEach(() => rmSync(room, { recursive: true }));

const files = {
  ".clang-tidy": "Checks: bugprone-*",
  "tests/cpp/.clang-tidy": "Checks: -clang-analyzer-*",
  "cpp/ops/add.cpp": '#include "ops/add.hpp"\n#include <vector>\n',
  "cpp/ops/add.hpp": '#pragma once\n  # include "tensor/array.hpp"\n',
  "cpp/ops/exp.hpp": "#pragma once\n",
  "cpp/tensor/array.hpp": '#pragma once\n#include "ops/add.hpp"\n#include <xtensor/xarray.hpp>\n',
  "tests/cpp/add_test.cpp": '#include "draws.hpp"\n#include "ops/exp.hpp"\n',
  "tests/cpp/draws.hpp": "#pragma once\n",
};

function write(clone: string, changed: Record<string, string> = {}): string {
  for (const [name, text] of Object.entries({ ...files, ...changed })) {
    mkdirSync(dirname(join(room, clone, name)), { recursive: true });
    writeFileSync(join(room, clone, name), text);
  }
  return join(room, clone);
}

const keyIn = (
  root: string,
  name = "cpp/ops/add.cpp",
  flags = "-O2",
  tools: unknown = { tidy: "22.1.8" },
  object = "add.o",
) =>
  verdictKey({
    root,
    file: join(root, name),
    command: `c++ -I${root}/cpp -isystem /usr/include/xtensor ${flags} -o ${object} -c ${root}/${name}`,
    tools,
  });

test("a command that compiles several files counts for each of them", () => {
  const unity = join(room, "ops.dir/Unity/unity_0_cxx.cxx");
  mkdirSync(dirname(unity), { recursive: true });
  writeFileSync(
    unity,
    '/* generated */\n\n#include "/clone/cpp/ops/add.cpp"\n#include "/clone/cpp/ops/exp.cpp"\n',
  );
  const one = {
    directory: room,
    command: "c++ -c /clone/cpp/nn/linear.cpp",
    file: "/clone/cpp/nn/linear.cpp",
  };
  expect(perFileCommands([{ directory: room, command: `c++ -O2 -c ${unity}`, file: unity }, one])).toEqual([
    { directory: room, command: "c++ -O2 -c /clone/cpp/ops/add.cpp", file: "/clone/cpp/ops/add.cpp" },
    { directory: room, command: "c++ -O2 -c /clone/cpp/ops/exp.cpp", file: "/clone/cpp/ops/exp.cpp" },
    one,
  ]);
});

test("the headers that a file includes are found, first in its own folder; those of libraries are left out", () => {
  const root = write("one");
  const names = (file: string) =>
    ownIncludes(join(root, file), [join(root, "cpp")]).map((path) => path.slice(root.length + 1));
  expect(names("cpp/ops/add.cpp")).toEqual(["cpp/ops/add.cpp", "cpp/ops/add.hpp", "cpp/tensor/array.hpp"]);
  expect(names("tests/cpp/add_test.cpp")).toEqual([
    "tests/cpp/add_test.cpp",
    "tests/cpp/draws.hpp",
    "cpp/ops/exp.hpp",
  ]);
});

test("another clone with the same content shares the verdicts", () => {
  expect(keyIn(write("one"))).toBe(keyIn(write("another place")));
});

test("a verdict depends on its file, the headers it includes, the rules, the flags and the tool, and on nothing else", () => {
  const key = keyIn(write("one"));
  const changed = (name: string) =>
    keyIn(write("other", { [name]: `${files[name as keyof typeof files]}\n` }));
  const depends = ["cpp/ops/add.cpp", "cpp/ops/add.hpp", "cpp/tensor/array.hpp", ".clang-tidy"];
  for (const name of Object.keys(files)) {
    if (depends.includes(name)) expect(changed(name), name).not.toBe(key);
    else expect(changed(name), name).toBe(key);
  }
  const root = join(room, "one");
  expect(keyIn(root, undefined, undefined, undefined, "sum.o")).toBe(key);
  expect(keyIn(root, undefined, "-O3")).not.toBe(key);
  expect(keyIn(root, undefined, undefined, { tidy: "23.1.4" })).not.toBe(key);
});

test("the verdict of a test also depends on the rules of its folder", () => {
  const name = "tests/cpp/add_test.cpp";
  const key = keyIn(write("one"), name);
  expect(keyIn(write("other", { "tests/cpp/.clang-tidy": "Checks: -bugprone-*" }), name)).not.toBe(key);
  expect(keyIn(write("other", { ".clang-tidy": "Checks: -*" }), name)).not.toBe(key);
});

test("a header that hides another one of the same name counts", () => {
  const name = "tests/cpp/add_test.cpp";
  const key = keyIn(write("one"), name);
  expect(keyIn(write("other", { "tests/cpp/ops/exp.hpp": files["cpp/ops/exp.hpp"] }), name)).not.toBe(key);
});

test("if there are too many verdicts, those that were unused for the longest time are deleted", () => {
  const folder = join(room, "verdicts");
  const verdicts = verdictsIn(folder, 2);
  for (const [age, key] of ["a", "b", "c"].entries()) {
    verdicts.keep(key, `${key}.cpp`);
    utimesSync(join(folder, key), age + 1, age + 1);
  }
  expect([verdicts.has("a"), verdicts.has("z")]).toEqual([true, false]);
  verdicts.bound();
  expect(readdirSync(folder).sort()).toEqual(["a", "c"]);
});
