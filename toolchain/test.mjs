// npm test: sets up, runs every step, and ends with one line `N passed, N failed`, which also names the steps that could not be run
// on this machine. A step that fails ends the run.
// `npm test -- WORD` runs the steps whose name contains the word; `npm test -- pictures` compares the stored pictures of the
// page alone, and `npm test -- pictures --update` draws them anew.

import { packages } from "./packages.mjs";
import { elapsed, main, SetupError } from "./progress.mjs";
import { lastLine, runSteps } from "./steps.mjs";
import { pictures, steps } from "./tests.mjs";

await main(async () => {
  const word = process.argv[2]?.toLowerCase() ?? "";
  const update = process.argv.includes("--update");
  const chosen =
    word === "pictures"
      ? [pictures(update)]
      : steps.filter(({ name }) => !update && name.toLowerCase().includes(word));
  if (!chosen.length)
    throw new SetupError(
      `no step is called "${process.argv.slice(2).join(" ")}": ${steps.map(({ name }) => name).join("; ")}; pictures`,
    );
  const result = await runSteps(chosen, packages);
  console.log(`\n${result.rows.join("\n")}`);
  if (result.left.length) console.log(`  not finished: ${result.left.join("; ")}`);
  console.log(`total ${elapsed()}\n\n${lastLine(result)}`);
  // Where nothing was run, nothing has passed.
  return result.failed || !result.passed ? 1 : 0;
});
