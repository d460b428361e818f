// The worker in which everything runs, a classic script because LiteRT.js loads its files by importScripts. It answers calls of the page.
import { deviation, TOLERANCE } from "../../web/bench/agreement.ts";
import { COMPARED_STEPS } from "../../web/bench/inputs.ts";
import { registerPeaks } from "../../web/bench/peak.ts";
import { RunFailed, timed } from "../../web/bench/timing.ts";
import { firstWork, memoryWork, works, worksWith } from "../../web/bench/works.ts";
import { compared } from "./comparison.mjs";
import { countMemories, memoryBytes } from "./memories.mjs";
import { referenceOf } from "./reference.mjs";

countMemories();

const site = new URL("/", location.href).href;
const packages = new URL("/packages/", location.href).href;

/** The reason of a failure, short enough for a table. */
const reason = (error) =>
  String(error?.message ?? error)
    .split("\n")[0]
    .slice(0, 160);

/** The functions that measure the peak of the registers, timed beside the contestants in every round. */
let peaks = null;

const peakRunners = () =>
  ["relaxed", "simd"].flatMap((build) =>
    peaks?.[build]
      ? [{ name: `peak ${build}`, build, ready: peaks[build], flops: peaks[build].flops, firstMs: 0 }]
      : [],
  );

/** The makers of each contestant, by name: loaded once. */
const started = new Map();

async function makersOf({ name, module, started: given }) {
  if (!started.has(name)) {
    const { start } = await import(/* @vite-ignore */ `${site}contestants/${module}.js`);
    started.set(name, await start({ site, packages, ...given }));
  }
  return started.get(name);
}

/** The numbers of a run in the order in which they are compared, copied out of the contestant's own memory. */
async function numbersOf(ready) {
  const output = Float32Array.from(await ready.run());
  return ready.ordered ? ready.ordered(output) : output;
}

/** The numbers to compare: one result, or the losses of the first steps. */
async function results(work, ready) {
  if (work.kind !== "training") return numbersOf(ready);
  const losses = [];
  for (let step = 0; step < COMPARED_STEPS; step++) losses.push((await numbersOf(ready))[0]);
  return Float32Array.from(losses);
}

/** The deviation of a result from the rows of the reference and from the result of another contestant. */
function off(numbers, reference, other) {
  const rows = reference.map(({ from, values }) =>
    deviation(values, numbers.subarray(from, from + values.length)),
  );
  return Math.max(0, ...rows, other ? deviation(other, numbers) : 0);
}

/** Times the contestants that agree. If one fails, it is left out, and all others are timed again. */
async function timesOf(runners, rows, beside, plan) {
  for (;;) {
    const rowOf = (name) => rows.find((row) => row.name === name);
    const agreeing = runners.filter(({ name }) => rowOf(name).agrees && rowOf(name).cannot === undefined);
    try {
      return await timed([...agreeing, ...beside], plan);
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error;
      rowOf(error.runner).cannot = reason(error);
    }
  }
}

/** Prepares a task with each contestant and compares the results; then times those that agree. */
async function measure({ id, contestants, plan }) {
  const work = works.find((one) => one.id === id);
  const reference = referenceOf(work);
  const rows = [];
  const runners = [];
  let first = null;
  for (const contestant of contestants) {
    const row = { name: contestant.name };
    rows.push(row);
    let ready = null;
    try {
      const make = (await makersOf(contestant))[work.kind];
      if (!make) {
        row.cannot = "has nothing for it";
        continue;
      }
      ready = await make(work.sizes);
      const start = performance.now();
      const numbers = await results(work, ready);
      const took = performance.now() - start;
      row.deviation = off(numbers, reference, first);
      row.agrees = row.deviation <= TOLERANCE;
      first ??= row.agrees ? numbers : null;
      const firstMs = work.kind === "training" ? took / COMPARED_STEPS : took;
      runners.push({ name: row.name, ready, firstMs });
    } catch (error) {
      row.cannot = reason(error);
      await ready?.end?.();
    }
  }
  const beside = peakRunners();
  const times = await timesOf(runners, rows, beside, plan);
  const timeOf = (wanted) => times.find(({ name }) => name === wanted);
  for (const row of rows) Object.assign(row, timeOf(row.name));
  const measured = beside.map(({ name, build, flops }) => ({ ...timeOf(name), build, flops }));
  for (const { ready } of runners) await ready.end?.();
  const { flops } = work;
  return { id, flops, rows, ...compared({ flops, rows, peaks: measured, contestants }) };
}

const calls = {
  async peak(plan) {
    peaks = await registerPeaks(plan);
    return { simd: peaks.simd.gflops, relaxed: peaks.relaxed?.gflops ?? null };
  },
  measure,

  /** The names of the tasks that contain all of the words. */
  named: ({ words, quick }) => worksWith(words, quick).map(({ id }) => id),

  /** Loads all contestants, and returns the reasons of those that cannot be loaded. */
  async load(contestants) {
    const failed = {};
    for (const contestant of contestants)
      await makersOf(contestant).catch((error) => (failed[contestant.name] = reason(error)));
    return failed;
  },

  /** The first result of a newly opened page. */
  async first(contestant) {
    const ready = await (await makersOf(contestant))[firstWork.kind](firstWork.sizes);
    return off(await numbersOf(ready), referenceOf(firstWork), null) <= TOLERANCE;
  },

  /** The memory after a small task, and after the task that measures memory. */
  async memory(contestant) {
    const makers = await makersOf(contestant);
    const small = await makers[firstWork.kind](firstWork.sizes);
    await small.run();
    const before = memoryBytes();
    const ready = await makers[memoryWork.kind](memoryWork.sizes);
    const agrees = off(await numbersOf(ready), referenceOf(memoryWork), null) <= TOLERANCE;
    return { before, after: memoryBytes(), agrees };
  },

  /** The duration of an edit of each example. */
  async editing() {
    const { editing } = await import(/* @vite-ignore */ `${site}contestants/editing.js`);
    return editing({ site });
  },
};

addEventListener("message", async ({ data: { id, call, given } }) => {
  try {
    postMessage({ id, answer: await calls[call](given) });
  } catch (error) {
    postMessage({ id, error: String(error?.stack ?? error) });
  }
});
