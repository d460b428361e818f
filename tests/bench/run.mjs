// Drives the browser: the peak, the tasks in turn, first results with the loaded files, memory, edits. `say` is called with each result as it is ready.
import { fork } from "node:child_process";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { contestants, loaded } from "./contestants.mjs";
import { openSite } from "./site.mjs";
import { sizesOf } from "./sizes.mjs";

const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Whether a file belongs to the benchmark itself and not to a contestant. */
const ofOurs = (file) => /\/(page\.html|worker\.js)$/.test(file);

/** The reason of a failure in the page, short enough for a line. */
const reason = ({ message }) =>
  message
    .replace(/^page\.evaluate: (Error: )*/, "")
    .split("\n")[0]
    .slice(0, 160);

export async function runAll({ bundles, executablePath, chosen, quick, beside, plans, say }) {
  const site = await openSite(bundles);
  const browser = await chromium.launch({ executablePath, args: flags });
  const neighbour = beside ? fork(join(import.meta.dirname, "neighbour.mjs")) : null;
  /** Opens a new page with an empty cache, as for a first visit. */
  const visit = async (work, query = "") => {
    const context = await browser.newContext();
    const page = await context.newPage();
    try {
      await page.goto(site.address + query);
      return await work(
        (call, given) => page.evaluate(([name, what]) => window.ask(name, what), [call, given]),
        page,
      );
    } finally {
      await context.close();
    }
  };

  /** One visit for a first result: whether the result agrees, how long it took, and which files were fetched. */
  async function firstResult(contestant) {
    site.requested.clear();
    const query = `?first=${encodeURIComponent(JSON.stringify(contestant))}`;
    const result = await visit((_, page) => page.evaluate(() => window.first), query);
    return { ...result, files: [...site.requested].filter((file) => !ofOurs(file)) };
  }

  /** First results; the contestants take turns. */
  async function loading() {
    // The first page of a browser is slower than all later ones.
    await visit(() => undefined);
    const rows = loaded.map((contestant) => ({ contestant, visits: [] }));
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
              milliseconds: middle(visits.map(({ milliseconds }) => milliseconds)),
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
      results.loading.forEach(say.loading);
    }
    await visit(async (ask) => {
      const ids = await ask("named", { words: chosen.words, quick });
      if (ids.length) {
        results.peak = await ask("peak", plans.peak);
        say.peak(results.peak);
        const failed = await ask("load", contestants);
        for (const [name, why] of Object.entries(failed)) say.failed(name, why);
      }
      for (const id of ids) {
        const measured = await ask("measure", { id, contestants, plan: plans.timing });
        results.works.push(measured);
        say.work(measured);
      }
      if (chosen.editing) say.editing((results.editing = await ask("editing")));
    });
    if (chosen.memory) {
      for (const contestant of quick ? contestants.slice(0, 1) : contestants) {
        const row = await visit((ask) => ask("memory", contestant))
          .then((measured) => ({ name: contestant.name, ...measured }))
          .catch((error) => ({ name: contestant.name, cannot: reason(error) }));
        results.memory.push(row);
        say.memory(row);
      }
    }
    return results;
  } finally {
    await browser.close();
    neighbour?.kill();
    site.close();
  }
}
