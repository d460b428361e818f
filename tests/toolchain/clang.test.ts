/** Only clang-format and clang-tidy of the project's version are accepted. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clangTools } from "../../toolchain/clang.mjs";
import { acceptedVersions } from "../../toolchain/versions.mjs";

const before = { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME, PATH: process.env.PATH };
let room = "";

beforeEach(() => {
  room = mkdtempSync(join(tmpdir(), "attention-playground-"));
  process.env.XDG_CACHE_HOME = room;
  process.env.PATH = join(room, "nothing"); // a PATH without clang-tidy and apt-get
});
afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(room, { recursive: true });
});

function installed(version: string): string {
  const folder = join(room, "attention-playground", `clang-tools-${version}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "finished.json"), JSON.stringify({ at: folder }));
  return folder;
}

test("a copy of another version in the cache folder is not used", async () => {
  const major = acceptedVersions.clangTools;
  installed(`${major - 1}.1.8`);
  installed(`${major}0.0.1`);
  await expect(clangTools()).rejects.toThrow(`clang-format and clang-tidy ${major} are needed`);
  const folder = installed(`${major}.1.0`);
  expect((await clangTools()).tidy).toBe(join(folder, `usr/lib/llvm-${major}/bin/clang-tidy`));
});
