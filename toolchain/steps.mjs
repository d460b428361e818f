// Runs all steps of a command in order and prints the result of each: failures first.

import { elapsed, say, SetupError } from "./progress.mjs";

/** The largest number of tests of a run that may pass only at their second try: more is a defect of the page or of the tests. */
const secondTries = 2;

/** The number of failed tests that the summary names of one step. */
const mostNamed = 20;

/** Thrown by `makeOnce` where it fails. */
class NotMade extends Error {
  constructor(name, cause) {
    super(`${name}: failed`, { cause });
  }
}

/**
 * Something that several steps need, made when the first of them calls. Where it fails, the reason is shown once, and the steps that need
 * it are not run.
 */
export function makeOnce(name, make) {
  let made = null;
  return () => {
    made ??= make().catch((error) => {
      throw error instanceof NotMade ? error : new NotMade(name, error);
    });
    return made;
  };
}

const messageOf = (error) => (error instanceof SetupError ? error.message : error.stack);

/** The result of one step; `shown` are the errors that were already printed. */
async function outcomeOf({ name, run }, shown) {
  const since = Date.now();
  say(`\n== ${name}`);
  try {
    const { passed, failed, wrong = [], again = [], notRun } = await run();
    if (notRun !== undefined) say(`not run: ${notRun}`);
    return { name, passed, failed, wrong, again, notRun, took: elapsed(since) };
  } catch (error) {
    const lacks = error instanceof NotMade ? error.message : null;
    if (shown.has(error)) say(`not run because of the error above: ${lacks}`);
    else say(`\nerror: ${lacks ? `${lacks}\n${messageOf(error.cause)}` : messageOf(error)}`);
    shown.add(error);
    const broken = lacks ? `not run because of ${lacks}` : messageOf(error).split("\n")[0];
    return { name, passed: 0, failed: 1, wrong: [], again: [], broken, took: elapsed(since) };
  }
}

function rowsOf({ name, passed, failed, wrong, again, notRun, broken, took }) {
  if (notRun !== undefined) return [`             NOT RUN      ${name}: ${notRun}`];
  if (broken) return [`             FAILED       ${name}: ${broken} (${took})`];
  return [
    `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed  ${name} (${took})`,
    ...wrong.slice(0, mostNamed).map((test) => `             failed:      ${test}`),
    ...(wrong.length > mostNamed ? [`             failed:      and ${wrong.length - mostNamed} more`] : []),
    ...again.map((test) => `             second try:  ${test}`),
  ];
}

/**
 * A step returns how many tests passed and failed; in `wrong` the names of those that failed, in `again` of those that passed only at a
 * second try; or in `notRun` why it cannot run on this machine: such a step has neither passed nor failed, and is named in the last
 * line. A step that throws has failed. The rows of steps that failed come first.
 */
export async function runSteps(steps) {
  const shown = new Set();
  const outcomes = [];
  for (const step of steps) outcomes.push(await outcomeOf(step, shown));
  const failing = outcomes.filter(({ failed }) => failed > 0);
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const retried = sum(outcomes.map(({ again }) => again.length));
  const overBudget = retried > secondTries;
  return {
    rows: [
      ...failing.flatMap(rowsOf),
      ...(overBudget
        ? [
            `             FAILED       ${retried} tests passed at their second try only, of at most ${secondTries}`,
          ]
        : []),
      ...outcomes.filter((outcome) => !failing.includes(outcome)).flatMap(rowsOf),
    ],
    passed: sum(outcomes.map(({ passed }) => passed)),
    failed: sum(outcomes.map(({ failed }) => failed)) + (overBudget ? 1 : 0),
    notRun: outcomes.filter(({ notRun }) => notRun !== undefined).map(({ name }) => name),
  };
}

/** `N passed, N failed`, and the steps that were not run. */
export const lastLine = ({ passed, failed, notRun }) =>
  `${passed} passed, ${failed} failed${notRun.length ? `, not run: ${notRun.join("; ")}` : ""}`;

/** Runs the steps, prints their summary, and returns the exit code. */
export async function runAndReport(steps) {
  const result = await runSteps(steps);
  console.log(`\n${result.rows.join("\n")}\ntotal ${elapsed()}\n\n${lastLine(result)}`);
  // A command that ran no test has not passed.
  return result.failed || !result.passed ? 1 : 0;
}
