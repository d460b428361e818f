// npm test: sets up, runs every step, and ends with one line `N passed, N failed`. A step that fails ends the run.
// `npm test -- WORD` runs the steps whose name contains the word; `npm test -- pictures` compares the stored pictures of the
// page alone, and `npm test -- pictures --update` draws them anew.

import { packages } from "./packages.mjs";
import { elapsed, main, say, SetupError } from "./progress.mjs";
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
  const rows = [];
  let [passed, failed] = [0, 0];
  try {
    await packages();
    for (const { name, run } of chosen) {
      const since = Date.now();
      say(`\n== ${name}`);
      const counts = await run();
      passed += counts.passed;
      failed += counts.failed;
      rows.push(
        `${String(counts.passed).padStart(6)} passed ${String(counts.failed).padStart(4)} failed  ${name} (${elapsed(since)})`,
      );
      if (counts.failed) break;
    }
  } catch (error) {
    failed += 1;
    say(`\nerror: ${error instanceof SetupError ? error.message : error.stack}`);
  }
  const left = chosen.slice(rows.length).map(({ name }) => name);
  console.log(`\n${rows.join("\n")}`);
  if (left.length) console.log(`  not finished: ${left.join("; ")}`);
  console.log(`total ${elapsed()}\n\n${passed} passed, ${failed} failed`);
  return failed ? 1 : 0;
});
