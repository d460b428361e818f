// npm run check: formatting, clang-tidy, types, lint. Every part runs, so that one run shows all there is to mend.

import { clangTools } from "./clang.mjs";
import { clangTidy, cppFiles } from "./tidy.mjs";
import { project } from "./env.mjs";
import { packages, program } from "./packages.mjs";
import { elapsed, main, say } from "./progress.mjs";
import { run } from "./run.mjs";
import { coreWasm } from "./wasm.mjs";

const fix = process.argv.includes("--fix");

async function clangFormat() {
  const { format } = await clangTools();
  const files = cppFiles("cpp", "tests/cpp", "tests/fuzz");
  if (files.length)
    await run(format, [...(fix ? ["-i"] : ["--dry-run", "-Werror"]), ...files], { cwd: project });
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
