// clang-tidy over our own C++.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { clangTools } from "./clang.mjs";
import { build, buildFolder } from "./cpp.mjs";
import { emscripten } from "./emscripten.mjs";
import { project } from "./env.mjs";
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

/** A build's commands as clang-tidy can follow them: each file once, reading its own headers, precompiled ones out. */
function commandsOf(preset, change = (command) => command) {
  const commands = JSON.parse(readFileSync(join(buildFolder(preset), "compile_commands.json"), "utf8"));
  const folder = join(project, "build/tidy", preset);
  mkdirSync(folder, { recursive: true });
  // What frames carry is built of the same files once more.
  const once = commands.filter(
    ({ file }, place) => commands.findIndex((other) => other.file === file) === place,
  );
  const changed = once.map(({ command, ...rest }) => ({
    ...rest,
    command: change(command.replace(/ -Winvalid-pch| (-Xclang )?-include(-pch)? (-Xclang )?\S+/g, "")),
  }));
  writeFileSync(join(folder, "compile_commands.json"), JSON.stringify(changed));
  return folder;
}

/** The commands of the wasm build as clang itself understands them: emcc's own settings out, its target in. */
async function wasmCommands() {
  const { root, env } = await emscripten();
  const cache = ask(join(root, "em-config"), ["CACHE"], { env: { ...process.env, ...env } })?.trim();
  const target = `--target=wasm32-unknown-emscripten --sysroot=${cache}/sysroot -Xclang -iwithsysroot/include/compat`;
  return commandsOf("wasm", (command) =>
    command.replace(/ -s[A-Z_]+(=\S+)?/g, "").replace(/^\S+/, `clang++ ${target}`),
  );
}

/**
 * Every file with all its headers is slow to read, so one is read again only when it, a header of ours or the rules
 * have changed. The bindings are read as wasm, all else as native code.
 */
export async function clangTidy() {
  const { tidy } = await clangTools();
  await build("native", ["core_tests"]);
  const others = ["-p", commandsOf("native")];
  // What Embind calls takes its arguments by value.
  const bindings = ["-p", await wasmCommands(), "--checks=-performance-unnecessary-value-param"];
  const all = cppFiles("cpp", "tests/cpp");
  const shared = createHash("sha256");
  for (const file of [
    ...all.filter((name) => name.endsWith(".hpp")),
    ".clang-tidy",
    "tests/cpp/.clang-tidy",
    "CMakeLists.txt",
  ]) {
    shared.update(readFileSync(join(project, file)));
  }
  const common = shared.digest("hex");
  const stamps = join(project, "build/tidy");
  const work = all
    .filter((file) => file.endsWith(".cpp"))
    .map((file) => {
      const key = createHash("sha256")
        .update(common)
        .update(readFileSync(join(project, file)))
        .digest("hex");
      return { file, stamp: join(stamps, key), options: file.startsWith("cpp/wasm/") ? bindings : others };
    })
    .filter(({ stamp }) => !existsSync(stamp));
  if (!work.length) return;
  const complaints = [];
  await step(`clang-tidy: ${work.length} files`, async (update) => {
    let done = 0;
    const worker = async () => {
      for (let next = work.shift(); next; next = work.shift()) {
        const { file, stamp, options } = next;
        update(`${++done}: ${file}`);
        try {
          await run(tidy, [...options, "--quiet", file], { cwd: project });
          writeFileSync(stamp, file);
        } catch (error) {
          complaints.push(error.message);
        }
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, worker));
  });
  if (complaints.length) throw new SetupError(complaints.join("\n"));
}
