// clang-tidy over our own C++. A file without findings is recorded as a verdict in the user's cache folder, by content, so that no clone on
// the machine checks the same code twice.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { cacheFolder } from "./cache.mjs";
import { clangTools } from "./clang.mjs";
import { configuredFolder } from "./cpp.mjs";
import { emscripten } from "./emscripten.mjs";
import { environment, project } from "./env.mjs";
import { versionsIn } from "./headers.mjs";
import { SetupError, step } from "./progress.mjs";
import { ask, run } from "./run.mjs";

/** Every C++ file under the folders, by its path in the project. */
export function cppFiles(...folders) {
  return folders
    .filter((folder) => existsSync(join(project, folder)))
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => /\.(cpp|hpp)$/.test(file))
    .sort();
}

/** One command per file: CMake merges files to compile several by one command, which is listed here for each of them. */
export const perFileCommands = (commands) =>
  commands.flatMap(({ file, command, ...rest }) => {
    if (!/\/Unity\/unity_\d+_cxx\.cxx$/.test(file)) return [{ file, command, ...rest }];
    const included = [...readFileSync(file, "utf8").matchAll(/^#include "([^"]+)"$/gm)];
    return included.map(([, name]) => ({ file: name, command: command.replaceAll(file, name), ...rest }));
  });

/** A build's commands in a form for clang-tidy: each file once, with its own headers and no precompiled ones. */
async function commandsOf(preset, change = (command) => command) {
  const built = JSON.parse(
    readFileSync(join(await configuredFolder(preset), "compile_commands.json"), "utf8"),
  );
  const commands = perFileCommands(built);
  const folder = join(project, "build/tidy", preset);
  mkdirSync(folder, { recursive: true });
  // The part of the frames compiles the same files again.
  const once = commands.filter(
    ({ file }, place) => commands.findIndex((other) => other.file === file) === place,
  );
  const changed = once.map(({ command, ...rest }) => ({
    ...rest,
    command: change(command.replace(/ -Winvalid-pch| (-Xclang )?-include(-pch)? (-Xclang )?\S+/g, "")),
  }));
  writeFileSync(join(folder, "compile_commands.json"), JSON.stringify(changed));
  return { folder, commands: new Map(changed.map(({ file, command }) => [file, command])) };
}

/** The commands of the wasm build in a form for clang: without emcc's own settings, with its target. */
async function wasmCommands() {
  const { root, env } = await emscripten();
  const cache = ask(join(root, "em-config"), ["CACHE"], { env: { ...process.env, ...env } })?.trim();
  const target = `--target=wasm32-unknown-emscripten --sysroot=${cache}/sysroot -Xclang -iwithsysroot/include/compat`;
  return commandsOf("wasm", (command) =>
    command.replace(/ -s[A-Z_]+(=\S+)?/g, "").replace(/^\S+/, `clang++ ${target}`),
  );
}

/** The project's headers that a file includes, directly or indirectly: absolute paths, the file itself first. */
export function ownIncludes(file, folders) {
  const read = new Set([file]);
  for (const path of read) {
    for (const [, name] of readFileSync(path, "utf8").matchAll(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)) {
      const found = [dirname(path), ...folders].map((folder) => resolve(folder, name)).find(existsSync);
      if (found) read.add(found);
    }
  }
  return [...read];
}

/** The rules that apply to a file: every `.clang-tidy` from the root of the clone down to its folder. */
function rulesOf(file, root) {
  const rules = [];
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".clang-tidy"))) rules.push(join(folder, ".clang-tidy"));
    if (folder === root || folder === dirname(folder)) return rules;
  }
}

/**
 * A name for everything that the verdict on a file depends on: its content and its project headers, the rules, the command without
 * the path of the clone and the name of its output, and `tools`, the versions of everything else that is read.
 * @param {{ root: string, file: string, command: string, tools: unknown }} of
 */
export function verdictKey({ root, file, command, tools }) {
  const hash = createHash("sha256");
  const here = command
    .replace(/ -o \S+/, "")
    .replaceAll(`${root}/`, "./")
    .replaceAll(root, ".");
  const folders = [...here.matchAll(/(?:^|[ "])-I ?([^\s"]+)/g)].map(([, folder]) => resolve(root, folder));
  hash.update(JSON.stringify([tools, here]));
  for (const path of [...ownIncludes(file, folders), ...rulesOf(file, root)]) {
    const content = createHash("sha256").update(readFileSync(path)).digest("hex");
    hash.update(`\n${relative(root, path)} ${content}`);
  }
  return hash.digest("hex");
}

/** About forty runs over the whole project; each verdict is a file of one line. */
const mostVerdicts = 10_000;

/** The verdicts in a folder: when there are more than `most`, the least recently used are deleted. */
export function verdictsIn(folder, most = mostVerdicts) {
  mkdirSync(folder, { recursive: true });
  return {
    /** Whether there is a verdict; it then counts as used now. */
    has(key) {
      try {
        utimesSync(join(folder, key), new Date(), new Date());
        return true;
      } catch {
        return false;
      }
    },
    keep: (key, file) => writeFileSync(join(folder, key), `${file}\n`),
    bound() {
      const names = readdirSync(folder);
      if (names.length <= most) return;
      const neededAt = (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const oldestFirst = names
        .map((name) => ({ name, at: neededAt(name) }))
        .sort((one, other) => one.at - other.at);
      for (const { name } of oldestFirst.slice(0, names.length - most))
        rmSync(join(folder, name), { force: true });
    },
  };
}

/** The versions of everything outside the clone that clang-tidy reads. */
async function toolVersions(tidy) {
  const { EMSCRIPTEN_VERSION, PLAYGROUND_CATCH2, PLAYGROUND_HEADERS } = await environment();
  return {
    tidy: ask(tidy, ["--version"]),
    // clang uses the standard library headers of g++.
    compiler: ask("g++", ["--version"]),
    emscripten: EMSCRIPTEN_VERSION,
    catch2: PLAYGROUND_CATCH2,
    headers: PLAYGROUND_HEADERS
      ? versionsIn(PLAYGROUND_HEADERS)
      : readFileSync(join(project, "toolchain/fetched_sources.cmake"), "utf8"),
  };
}

/** Checks every file without a verdict. The bindings are checked as wasm, all other files as native code. */
export async function clangTidy() {
  const { tidy } = await clangTools();
  const others = { ...(await commandsOf("native")), options: [] };
  // Functions that Embind calls take their arguments by value.
  const bindings = { ...(await wasmCommands()), options: ["--checks=-performance-unnecessary-value-param"] };
  const versions = await toolVersions(tidy);
  const verdicts = verdictsIn(join(cacheFolder(), "clang-tidy-verdicts"));
  const work = cppFiles("cpp", "tests/cpp")
    .filter((name) => name.endsWith(".cpp"))
    .map((name) => {
      const { folder, commands, options } = name.startsWith("cpp/wasm/") ? bindings : others;
      const file = join(project, name);
      const command = commands.get(file);
      if (!command) throw new SetupError(`clang-tidy: no command of ${folder} compiles ${name}`);
      const key = verdictKey({ root: project, file, command, tools: { versions, options } });
      return { file: name, key, args: ["-p", folder, ...options, "--quiet", name] };
    })
    .filter(({ key }) => !verdicts.has(key));
  if (!work.length) return;
  const complaints = [];
  await step(`clang-tidy: ${work.length} files`, async (update) => {
    let done = 0;
    const worker = async () => {
      for (let next = work.shift(); next; next = work.shift()) {
        const { file, key, args } = next;
        update(`${++done}: ${file}`);
        try {
          await run(tidy, args, { cwd: project });
          verdicts.keep(key, file);
        } catch (error) {
          complaints.push(error.message);
        }
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
  });
  verdicts.bound();
  if (complaints.length) throw new SetupError(complaints.join("\n"));
}
