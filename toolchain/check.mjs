// npm run check: formatting, clang-tidy, types, lint. Every part runs, so that one run shows all there is to mend.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { clangTools } from "./clang.mjs";
import { build, buildFolder } from "./cpp.mjs";
import { project } from "./env.mjs";
import { packages, program } from "./packages.mjs";
import { elapsed, main, say } from "./progress.mjs";
import { run } from "./run.mjs";
import { coreWasm } from "./wasm.mjs";

function cppFiles(...folders) {
  return folders
    .filter((folder) => existsSync(join(project, folder)))
    .flatMap((folder) =>
      readdirSync(join(project, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => /\.(cpp|hpp)$/.test(file))
    .sort();
}

const fix = process.argv.includes("--fix");

async function clangFormat() {
  const { format } = await clangTools();
  const files = cppFiles("cpp", "tests/cpp");
  if (files.length)
    await run(format, [...(fix ? ["-i"] : ["--dry-run", "-Werror"]), ...files], { cwd: project });
}

/** clang-tidy reads every file with all its headers, which is slow: a file is read again when anything has changed. */
async function clangTidy() {
  const { tidy } = await clangTools();
  await build("native", ["core_tests"]);
  const all = cppFiles("cpp", "tests/cpp");
  const everything = createHash("sha256");
  for (const file of [...all.filter((name) => name.endsWith(".hpp")), ".clang-tidy"]) {
    everything.update(readFileSync(join(project, file)));
  }
  const headers = everything.digest("hex");
  const folder = join(project, "build/tidy");
  mkdirSync(folder, { recursive: true });
  const known = readFileSync(join(buildFolder("native"), "compile_commands.json"), "utf8");
  const queue = all.filter((file) => file.endsWith(".cpp") && known.includes(join(project, file)));
  const complaints = [];
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const key = createHash("sha256")
        .update(headers)
        .update(readFileSync(join(project, file)))
        .digest("hex");
      const stamp = join(folder, key);
      if (existsSync(stamp)) continue;
      try {
        await run(tidy, ["-p", buildFolder("native"), "--quiet", "--warnings-as-errors=*", file], {
          cwd: project,
        });
        writeFileSync(stamp, file);
      } catch (error) {
        complaints.push(error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (complaints.length) throw new Error(complaints.join("\n"));
}

const npmProgram =
  (name, ...args) =>
  () =>
    run(program(name), args, { cwd: project });

const parts = [
  { name: "clang-format", work: clangFormat },
  { name: "clang-tidy", work: clangTidy },
  { name: "TypeScript", work: npmProgram("tsc", "--noEmit") },
  { name: "eslint", work: npmProgram("eslint", "--max-warnings=0", ...(fix ? ["--fix"] : []), ".") },
  { name: "prettier", work: npmProgram("prettier", fix ? "--write" : "--check", "--log-level=warn", ".") },
];

await main(async () => {
  await packages();
  await coreWasm(); // the page's types include the core's
  const failed = [];
  for (const { name, work } of parts) {
    const since = Date.now();
    try {
      await work();
      say(`ok      ${name} (${elapsed(since)})`);
    } catch (error) {
      failed.push(name);
      say(`${error.message}\nfailed  ${name} (${elapsed(since)})`);
    }
  }
  if (failed.length) say(`\n${failed.length} of ${parts.length} checks failed: ${failed.join(", ")}`);
  return failed.length ? 1 : 0;
});
