// Drives the browser: peaks, tasks in turns, first results and the bytes that they load, memory, edits. `onDone` has a function for each of
// these, which is called with its result.
import { fork } from "node:child_process";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { contestants, firstResultContestants } from "./contestants.mjs";
import { openSite } from "./site.mjs";
import { sizesOf } from "./sizes.mjs";

const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Whether a file belongs to the benchmark itself and not to a contestant. */
const isOfBenchmark = (file) => /\/(page\.html|worker\.js)$/.test(file);

/** The reason of a failure in the page, short enough for a line. */
const reason = ({ message }) =>
  message
    .replace(/^page\.evaluate: (Error: )*/, "")
    .split("\n")[0]
    .slice(0, 160);

export async function runAll({ bundles, executablePath, chosen, quick, beside, plans, onDone }) {
  const site = await openSite(bundles);
  const browser = await chromium.launch({ executablePath, args: flags });
  const neighbour = beside ? fork(join(import.meta.dirname, "neighbour.mjs")) : null;
  /** Opens the page in a new browser context, as on a first visit. */
  const visit = async (work, query = "") => {
    const context = await browser.newContext();
    const page = await context.newPage();
    try {
      await page.goto(site.address + query);
      return await work(
        (call, parameter) =>
          page.evaluate(([name, value]) => window.callWorker(name, value), [call, parameter]),
        page,
      );
    } finally {
      await context.close();
    }
  };

  /** A visit for a first result: whether it is right, how long it took, and the files that were fetched. */
  async function firstResult(contestant) {
    site.requested.clear();
    const query = `?first=${encodeURIComponent(JSON.stringify(contestant))}`;
    const result = await visit((_, page) => page.evaluate(() => window.first), query);
    return { ...result, files: [...site.requested].filter((file) => !isOfBenchmark(file)) };
  }

  /** The first results. The contestants take turns. */
  async function loading() {
    // The first page of a browser is slower than all others, so it is not timed.
    await visit(() => undefined);
    const rows = firstResultContestants.map((contestant) => ({ contestant, visits: [] }));
    for (let turn = 0; turn < plans.visits; turn++)
      for (const row of rows)
        row.visits.push(await firstResult(row.contestant).catch((error) => ({ cannot: reason(error) })));
    const results = [];
    for (const { contestant, visits } of rows) {
      const { name } = contestant;
      const bad = visits.find(({ cannot, agrees }) => cannot !== undefined || !agrees);
      const [{ files }] = visits;
      results.push(
        bad
          ? { name, agrees: bad.agrees, cannot: bad.cannot }
          : {
              name,
              agrees: true,
              milliseconds: median(visits.map(({ milliseconds }) => milliseconds)),
              ...(await sizesOf(files, join(dirname(bundles), "bench-sizes.json"))),
              files: files.map((file) => file.split("/").at(-1)),
            },
      );
    }
    return results;
  }

  try {
    const results = { browser: browser.version(), works: [], loading: [], memory: [], editing: [] };
    if (chosen.first) {
      results.loading = await loading();
      results.loading.forEach(onDone.loading);
    }
    await visit(async (callWorker) => {
      const ids = await callWorker("idsWith", { words: chosen.words, quick });
      if (ids.length) {
        results.peak = await callWorker("peak", plans.peak);
        onDone.peak(results.peak);
        const failed = await callWorker("load", contestants);
        for (const [name, why] of Object.entries(failed)) onDone.failed(name, why);
      }
      for (const id of ids) {
        const measured = await callWorker("measure", { id, contestants, plan: plans.timing });
        results.works.push(measured);
        onDone.work(measured);
      }
      if (chosen.editing) onDone.editing((results.editing = await callWorker("editing")));
    });
    if (chosen.memory) {
      for (const contestant of quick ? contestants.slice(0, 1) : contestants) {
        const row = await visit((callWorker) => callWorker("memory", contestant))
          .then((measured) => ({ name: contestant.name, ...measured }))
          .catch((error) => ({ name: contestant.name, cannot: reason(error) }));
        results.memory.push(row);
        onDone.memory(row);
      }
    }
    return results;
  } finally {
    await browser.close();
    neighbour?.kill();
    site.close();
  }
}
