// Builds C++ with CMake's presets.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { emscripten } from "./emscripten.mjs";
import { environment, project } from "./env.mjs";
import { fuzzingClang } from "./libfuzzer.mjs";
import { whileBuilding } from "./lock.mjs";
import { SetupError, step } from "./progress.mjs";
import { ask, onPath, run } from "./run.mjs";
import { atLeast } from "./versions.mjs";
import { warm } from "./warm.mjs";

export const buildFolder = (preset) => join(project, "build", preset);

function checkTools() {
  const missing = ["cmake", "ninja", "g++"].filter((name) => !onPath(name));
  if (missing.length) {
    const packages = missing.map((name) => (name === "ninja" ? "ninja-build" : name)).join(" ");
    throw new SetupError(`not on PATH: ${missing.join(", ")}. On Debian: apt-get install ${packages}`);
  }
  if (!atLeast(ask("cmake", ["--version"]), "3.25")) throw new SetupError("cmake 3.25 or newer is needed");
}

/** The tools passed to CMake; the targets of libFuzzer have a compiler of their own. */
async function environmentOf(preset) {
  const env = await environment();
  return preset === "fuzz" ? { ...env, FUZZING_CLANG: await fuzzingClang() } : env;
}

/**
 * Configures again only when a tool has moved or the presets have changed; CMake notices all other changes. The Node that emcc uses
 * has no effect on the output.
 */
async function configure(preset, env) {
  const folder = buildFolder(preset);
  const presets = readFileSync(join(project, "CMakePresets.json"));
  const key = createHash("sha256")
    .update(presets)
    .update(JSON.stringify({ ...env, EM_NODE_JS: undefined }))
    .digest("hex");
  const stamp = join(folder, "configured-from");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === key) return;
  checkTools();
  mkdirSync(folder, { recursive: true });
  await run("cmake", ["--preset", preset, "--fresh"], { cwd: project, env });
  writeFileSync(stamp, key);
}

/** The folder of a preset with its `compile_commands.json`, without building anything. */
export const configuredFolder = (preset) =>
  whileBuilding(async () => {
    if (preset.startsWith("wasm")) await warm(await emscripten());
    await configure(preset, await environmentOf(preset));
    return buildFolder(preset);
  });

/** Builds targets of a preset; reports it only when there is something to build. */
export const build = (preset, targets) => whileBuilding(() => buildTargets(preset, targets));

async function buildTargets(preset, targets) {
  const known = await environmentOf(preset);
  const env = { ...known };
  if (preset.startsWith("wasm")) await warm(await emscripten());
  // emcc writes a declaration file per part, with the TypeScript compiler that it finds on PATH.
  env.PATH = [join(project, "node_modules/.bin"), process.env.PATH].join(delimiter);
  await step(`C++: ${targets.join(", ")} (${preset})`, async (update) => {
    await configure(preset, known);
    const jobs = String(availableParallelism());
    const args = ["--build", "--preset", preset, "-j", jobs, "--target", ...targets];
    const onLine = (line) => /^\[\d+\/\d+\]/.test(line) && update(line.replace(/ .*\//, " "));
    await run("cmake", args, { cwd: project, env, onLine });
  });
  return buildFolder(preset);
}
