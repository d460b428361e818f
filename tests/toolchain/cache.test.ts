/** Sub-folders of the cache: left by an earlier release, or used by two processes at once. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheFolder, findFinished } from "../../toolchain/cache.mjs";
import { emscripten } from "../../toolchain/emscripten.mjs";
import { atLeast } from "../../toolchain/versions.mjs";

const before = { cache: process.env.XDG_CACHE_HOME, path: process.env.PATH, sdk: process.env.EMSDK };
let room = "";

beforeAll(() => {
  room = mkdtempSync(join(tmpdir(), "attention-playground-"));
  process.env.XDG_CACHE_HOME = room;
  delete process.env.EMSDK;
});
afterAll(() => {
  const back = { XDG_CACHE_HOME: before.cache, PATH: before.path, EMSDK: before.sdk };
  for (const [name, value] of Object.entries(back)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(room, { recursive: true });
});

function installed(name: string, facts: object): string {
  const folder = join(cacheFolder(), name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "finished.json"), JSON.stringify({ ...facts, at: folder }));
  return folder;
}

test("the newest version that is new enough is found, also among moved folders", () => {
  installed("tool-2.9.0", { version: "2.9.0" });
  const good = installed("tool-2.10.0", { version: "2.10.0" });
  installed("tool-3.0.0", { version: "3.0.0" });
  writeFileSync(join(cacheFolder(), "tool-3.0.0/finished.json"), JSON.stringify({ at: "/elsewhere" }));
  const least = (wanted: string) => (facts: { version: string }) => atLeast(facts.version, wanted);
  expect(findFinished("tool-", least("2.5"))).toBe(good);
  expect(findFinished("tool-", least("2.11"))).toBeNull();
  expect(findFinished("nothing-")).toBeNull();
});

test("if emcc only starts another one, em-config gives the folder of Emscripten", async () => {
  const root = join(room, "real");
  const bin = join(room, "bin");
  mkdirSync(join(root, "cmake/Modules/Platform"), { recursive: true });
  mkdirSync(join(root, "cache"));
  mkdirSync(bin);
  writeFileSync(join(root, "cmake/Modules/Platform/Emscripten.cmake"), "");
  const script = (name: string, text: string): void =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script("emcc", 'echo "emcc (a wrapper) 9.1.0 (0)"');
  script("em-config", `case $1 in EMSCRIPTEN_ROOT) echo ${root};; CACHE) echo ${root}/cache;; esac`);
  process.env.PATH = `${bin}:${before.path ?? ""}`;
  expect(await emscripten()).toEqual({ version: "9.1.0", root, env: { EMSCRIPTEN_ROOT: root } });
});

test("while one process holds a lock another waits; a process that died does not hold it", async () => {
  const file = join(room, "one.lock");
  const log = join(room, "log");
  const module = new URL("../../toolchain/lock.mjs", import.meta.url).href;
  const work = (name: string, ends: string): string =>
    `import { appendFileSync as add } from "node:fs"; import { withLockFile } from "${module}";
     await withLockFile("${file}", "works", async () => {
       add("${log}", "${name} in\\n"); await new Promise((done) => setTimeout(done, 300)); ${ends} });`;
  const run = (name: string, ends: string): Promise<void> =>
    new Promise((done) =>
      spawn(process.execPath, ["--input-type=module", "-e", work(name, ends)], { stdio: "ignore" }).on(
        "close",
        () => done(),
      ),
    );
  await run("dies", "process.kill(process.pid, 'SIGKILL');");
  await Promise.all([run("a", `add("${log}", "a out\\n");`), run("b", `add("${log}", "b out\\n");`)]);
  const logLines = readFileSync(log, "utf8").trim().split("\n");
  const [, first = "", , second = ""] = logLines;
  expect([first[0], second[0]].sort()).toEqual(["a", "b"]);
  expect(logLines).toEqual(["dies in", first, `${first[0]} out`, second, `${second[0]} out`]);
});
