// The steps of `npm run check`; with `fix`, clang-format, eslint and prettier fix what they can.

import { join } from "node:path";
import { clangTools } from "./clang.mjs";
import { project } from "./env.mjs";
import { core, npmPackages } from "./needs.mjs";
import { program } from "./packages.mjs";
import { run } from "./run.mjs";
import { clangTidy, cppFiles } from "./tidy.mjs";

/** The cached results of files that have not changed since they were checked, by content. */
const verdicts = join(project, "build", "verdicts");
const known = (name) => ["--cache", "--cache-strategy", "content", "--cache-location", join(verdicts, name)];

async function clangFormat(fix) {
  const { format } = await clangTools();
  const files = cppFiles("cpp", "tests/cpp", "tests/fuzz");
  await run(format, [...(fix ? ["-i"] : ["--dry-run", "-Werror"]), ...files], { cwd: project });
}

async function npmProgram(name, ...args) {
  await npmPackages();
  await run(program(name), args, { cwd: project });
}

/** The page's types include the core's. */
async function types() {
  await core();
  await npmProgram("tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", join(verdicts, "typescript"));
}

/** No cache is used: whether a call returns a promise depends on the types in other files. */
async function lint(fix) {
  await core();
  await npmProgram("eslint", "--max-warnings=0", ...(fix ? ["--fix"] : []), ".");
}

/** A check counts as one test: it passes, or throws. */
const check = (name, work) => ({ name, run: () => work().then(() => ({ passed: 1, failed: 0 })) });

export const checks = (fix = false) => [
  check("clang-format", () => clangFormat(fix)),
  check("eslint", () => lint(fix)),
  check("prettier", () =>
    npmProgram("prettier", fix ? "--write" : "--check", "--log-level=warn", ...known("prettier"), "."),
  ),
  check("TypeScript", types),
  check("clang-tidy", clangTidy),
];
