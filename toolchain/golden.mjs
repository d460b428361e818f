// npm run --silent golden -- DIR: computes the golden files in DIR (inputs with the results that NumPy or PyTorch gave) through the public API and
// compares. Standard output has only the report of the comparison.

import { join, resolve } from "node:path";
import { project } from "./env.mjs";
import { main } from "./progress.mjs";
import { show } from "./run.mjs";
import { buildLibrary } from "./build.mjs";
import { nodeFlags } from "./versions.mjs";

// npm runs scripts in the project's folder, but DIR is relative to the folder in which the command was typed.
const here = process.env.INIT_CWD ?? process.cwd();
const given = process.argv.slice(2).map((word) => (word.startsWith("--") ? word : resolve(here, word)));

await main(async () => {
  await buildLibrary();
  return show(process.execPath, [...nodeFlags, join(project, "tests/golden/run.mjs"), ...given]);
});
