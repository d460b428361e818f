// npm test: sets up, runs every step, and ends with one line `N passed, N failed`. A step that fails ends the run.
// `npm test -- WORD` runs the steps whose name contains the word.

import { packages } from "./packages.mjs";
import { elapsed, main, say, SetupError } from "./progress.mjs";
import { steps } from "./tests.mjs";

await main(async () => {
  const word = process.argv[2]?.toLowerCase() ?? "";
  const chosen = steps.filter(({ name }) => name.toLowerCase().includes(word));
  if (!chosen.length)
    throw new SetupError(`no step is called "${word}": ${steps.map(({ name }) => name).join("; ")}`);
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
