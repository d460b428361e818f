// Runs the steps of `npm test` in order, up to the first that fails, and says what came of each.

import { elapsed, say, SetupError } from "./progress.mjs";

/**
 * A step gives how many tests passed and failed, and as `again` the names of those that passed at a second try only; or as `notRun` why
 * it cannot be run on this machine: such a step has neither passed nor failed, and is named in the last line. `prepare` comes before the
 * first.
 */
export async function runSteps(steps, prepare = async () => {}) {
  const result = { rows: [], notRun: [], left: [], passed: 0, failed: 0 };
  let done = 0;
  try {
    await prepare();
    for (const { name, run } of steps) {
      const since = Date.now();
      say(`\n== ${name}`);
      const { passed, failed, again = [], notRun } = await run();
      done += 1;
      if (notRun !== undefined) {
        say(`not run: ${notRun}`);
        result.notRun.push(name);
        result.rows.push(`             NOT RUN      ${name}: ${notRun}`);
        continue;
      }
      result.passed += passed;
      result.failed += failed;
      result.rows.push(
        `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed  ${name} (${elapsed(since)})`,
        ...again.map((test) => `             second try:  ${test}`),
      );
      if (failed) break;
    }
  } catch (error) {
    result.failed += 1;
    say(`\nerror: ${error instanceof SetupError ? error.message : error.stack}`);
  }
  result.left = steps.slice(done).map(({ name }) => name);
  return result;
}

/** `N passed, N failed`, and which steps were not run. */
export const lastLine = ({ passed, failed, notRun }) =>
  `${passed} passed, ${failed} failed${notRun.length ? `, not run: ${notRun.join("; ")}` : ""}`;
