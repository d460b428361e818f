// The worker in which everything runs. It answers the calls of the page. It is a classic script, because LiteRT.js loads its files by importScripts.
import { deviation, TOLERANCE } from "../../web/bench/agreement.ts";
import { COMPARED_STEPS } from "../../web/bench/inputs.ts";
import { registerPeaks } from "../../web/bench/peak.ts";
import { RunFailed, timeAll } from "../../web/bench/timing.ts";
import { firstWork, memoryWork, works, worksWith } from "../../web/bench/works.ts";
import { comparisonOf } from "./comparison.mjs";
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

/** The loops that measure the registers' peak. They are timed beside the contestants in every round. */
let peaks = null;

const peakRunners = () =>
  ["relaxed", "simd"].flatMap((build) =>
    peaks?.[build]
      ? [{ name: `peak ${build}`, build, ready: peaks[build], flops: peaks[build].flops, firstMs: 0 }]
      : [],
  );

/** The makers of each contestant by name. Each contestant is loaded once. */
const makersByName = new Map();

async function makersOf({ name, module, options }) {
  if (!makersByName.has(name)) {
    const { start } = await import(/* @vite-ignore */ `${site}contestants/${module}.js`);
    makersByName.set(name, await start({ site, packages, ...options }));
  }
  return makersByName.get(name);
}

/** A copy of the numbers of a run, in the order in which they are compared. */
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

/** The largest deviation of a result from the rows of the reference, and from the result of another contestant if there is one. */
function largestDeviation(numbers, reference, other) {
  const rows = reference.map(({ from, values }) =>
    deviation(values, numbers.subarray(from, from + values.length)),
  );
  return Math.max(0, ...rows, other ? deviation(other, numbers) : 0);
}

/** Times the contestants that agree. If one fails, it is left out and all others are timed again. */
async function timesOf(runners, rows, beside, plan) {
  for (;;) {
    const rowOf = (name) => rows.find((row) => row.name === name);
    const agreeing = runners.filter(({ name }) => rowOf(name).agrees && rowOf(name).cannot === undefined);
    try {
      return await timeAll([...agreeing, ...beside], plan);
    } catch (error) {
      if (!(error instanceof RunFailed)) throw error;
      rowOf(error.runner).cannot = reason(error);
    }
  }
}

/** Prepares a task with each contestant and compares the results, then times the contestants that agree. */
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
        row.cannot = "does not have it";
        continue;
      }
      ready = await make(work.sizes);
      const start = performance.now();
      const numbers = await results(work, ready);
      const duration = performance.now() - start;
      row.deviation = largestDeviation(numbers, reference, first);
      row.agrees = row.deviation <= TOLERANCE;
      first ??= row.agrees ? numbers : null;
      const firstMs = work.kind === "training" ? duration / COMPARED_STEPS : duration;
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
  return { id, flops, rows, ...comparisonOf({ flops, rows, peaks: measured, contestants }) };
}

const calls = {
  async peak(plan) {
    peaks = await registerPeaks(plan);
    return { simd: peaks.simd.gflops, relaxed: peaks.relaxed?.gflops ?? null };
  },
  measure,

  /** The ids of the tasks whose names contain all of the words. */
  idsWith: ({ words, quick }) => worksWith(words, quick).map(({ id }) => id),

  /** Loads all contestants. Returns the reasons of those that cannot be loaded, by name. */
  async load(contestants) {
    const failed = {};
    for (const contestant of contestants)
      await makersOf(contestant).catch((error) => (failed[contestant.name] = reason(error)));
    return failed;
  },

  /** Whether the first result on a page that has just been opened is right. */
  async first(contestant) {
    const ready = await (await makersOf(contestant))[firstWork.kind](firstWork.sizes);
    return largestDeviation(await numbersOf(ready), referenceOf(firstWork), null) <= TOLERANCE;
  },

  /** The memory after a small task, and after the task whose memory is measured. */
  async memory(contestant) {
    const makers = await makersOf(contestant);
    const small = await makers[firstWork.kind](firstWork.sizes);
    await small.run();
    const before = memoryBytes();
    const ready = await makers[memoryWork.kind](memoryWork.sizes);
    const agrees = largestDeviation(await numbersOf(ready), referenceOf(memoryWork), null) <= TOLERANCE;
    return { before, after: memoryBytes(), agrees };
  },

  /** The time that an edit of each example takes. */
  async editing() {
    const { editing } = await import(/* @vite-ignore */ `${site}contestants/editing.js`);
    return editing({ site });
  },
};

addEventListener("message", async ({ data: { id, call, parameter } }) => {
  try {
    postMessage({ id, answer: await calls[call](parameter) });
  } catch (error) {
    postMessage({ id, error: String(error?.stack ?? error) });
  }
});
