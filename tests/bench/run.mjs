// Drives the browser: peaks, works in turns, first results with what they load, memory, edits. `say` is told of each as it is done.
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { contestants, loaded } from "./contestants.mjs";
import { openSite } from "./site.mjs";
import { sizesOf } from "./sizes.mjs";

const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

const middle = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** What no contestant is: parts of the benchmark itself. */
const ofOurs = (file) => /\/(page\.html|worker\.js)$/.test(file);

export async function runAll({ bundles, executablePath, chosen, quick, plans, say }) {
  const site = await openSite(bundles);
  const browser = await chromium.launch({ executablePath, args: flags });
  /** A page of its own, as someone who has never been there opens it. */
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

  async function firstResult(contestant) {
    const times = [];
    let files = [];
    for (let time = 0; time < plans.visits; time++) {
      site.requested.clear();
      const query = `?first=${encodeURIComponent(JSON.stringify(contestant))}`;
      const { agrees, milliseconds } = await visit((_, page) => page.evaluate(() => window.first), query);
      if (!agrees) return { name: contestant.name, agrees };
      times.push(milliseconds);
      files = [...site.requested].filter((file) => !ofOurs(file));
    }
    return {
      name: contestant.name,
      agrees: true,
      milliseconds: middle(times),
      ...(await sizesOf(files, join(dirname(bundles), "bench-sizes.json"))),
      files: files.map((file) => file.split("/").at(-1)),
    };
  }

  try {
    const results = { browser: browser.version(), works: [], loading: [], memory: [], editing: [] };
    if (chosen.first) {
      for (const contestant of loaded) {
        const row = await firstResult(contestant).catch((error) => ({
          name: contestant.name,
          cannot: error.message.split("\n")[0],
        }));
        results.loading.push(row);
        say.loading(row);
      }
    }
    await visit(async (ask) => {
      results.peak = await ask("peak", plans.peak);
      say.peak(results.peak);
      const failed = await ask("load", contestants);
      for (const [name, why] of Object.entries(failed)) say.failed(name, why);
      for (const id of await ask("named", { words: chosen.words, long: !quick })) {
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
          .catch((error) => ({ name: contestant.name, cannot: error.message.split("\n")[0].slice(0, 160) }));
        results.memory.push(row);
        say.memory(row);
      }
    }
    return results;
  } finally {
    await browser.close();
    site.close();
  }
}
