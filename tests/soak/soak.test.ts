// Many edits in one page, in several labs one after the other, must not grow the memory of the page and its workers.
// SOAK_EDITS sets their number. Response times are printed but not checked: they depend on this machine.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { startHosts } from "../browser/hosts.js";
import { given } from "../engines/engine.js";
import { launchChromium } from "../engines/puppeteer.js";
import { edit, open, openLab, pointAtFirst } from "./editing.js";
import { exposeCore, memoryOf, type PageMemory } from "./memory.js";

/** Labs, and the fields with which their stage has cells that take a number: two that the small part of the core computes, then three of the whole core. */
const labs = {
  attention: "",
  positions: "&encoding=learned",
  block: "&cell=E,0,0",
  bert: "&cell=embeddings.with_segments,0,0",
  words: "",
};
const perLab = Math.floor(Number(given("SOAK_EDITS")) / Object.keys(labs).length);

/** After this many edits of a lab, all its cells are edited, its code is compiled, and the undo list is full. */
const warm = Math.min(400, Math.floor(perLab / 2));

const stop = await startHosts(async (site) => {
  const folder = join(site, "assets");
  for (const name of readdirSync(folder).filter((name) => /worker-[^.]*\.js$/.test(name)))
    writeFileSync(join(folder, name), exposeCore + readFileSync(join(folder, name), "utf8"));
});
const browser = await launchChromium().catch((error: unknown) => {
  stop();
  throw error;
});
afterAll(async () => {
  await browser.close();
  stop();
});

const page = await browser.newPage();
await page.setViewport({ width: 1280, height: 900 });
const complaints: string[] = [];
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("console", (message) => {
  if (message.type() === "error") complaints.push(message.text());
});
await open(page, given("HOST_PAGE"));

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;
const described = ({ heap, elements, listeners, workers }: PageMemory): string =>
  [
    `page ${kilobytes(heap)}, ${elements} nodes, ${listeners} listeners`,
    ...workers.map(
      (worker) =>
        `worker ${kilobytes(worker.heap)}, wasm ${kilobytes(worker.wasm)}, ${worker.handles} handles, ${worker.values} values`,
    ),
  ].join("; ");
const median = (times: number[]): string => {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length / 2)]!.toFixed(1)} ms`;
};

/** While code is compiled and a bounded cache of colours fills up, a heap of several megabytes varies by less than this. */
const slack = 1024 * 1024;

/** Compares the last measurement with the first. */
function expectNoGrowth(first: PageMemory, last: PageMemory): void {
  expect(last.workers).toHaveLength(first.workers.length);
  last.workers.forEach((worker, at) => {
    const before = first.workers[at]!;
    expect(worker.handles, "graphs and generators: the one that is shown, or was last").toBe(1);
    expect(worker.values, "values that the core holds on to").toBe(0);
    expect(worker.wasm, "the core's memory").toBe(before.wasm);
    expect(worker.heap - before.heap, "a worker's heap").toBeLessThan(slack);
  });
  // The length of the texts varies a little; memory left behind by every edit, or by every other, would be more.
  expect(last.elements - first.elements, "elements").toBeLessThan((perLab - warm) / 2);
  expect(last.listeners - first.listeners, "listeners").toBeLessThan((perLab - warm) / 2);
  expect(last.heap - first.heap, "the page's heap").toBeLessThan(slack);
}

let edits = 0;

test.each(Object.entries(labs))(`${perLab} edits of %s`, { timeout: 3_600_000 }, async (lab, fields) => {
  await openLab(page, lab, fields);
  const times: number[] = [];
  const upTo = async (count: number): Promise<PageMemory> => {
    while (times.length < count) times.push(await edit(page, edits++));
    await pointAtFirst(page);
    return memoryOf(page);
  };
  const first = await upTo(warm);
  const last = await upTo(perLab);
  const half = Math.floor(perLab / 2);
  console.log(
    [
      `${lab}: ${perLab} edits; the first ${half} answered in ${median(times.slice(0, half))}, the last in ${median(times.slice(-half))} (medians)`,
      `  after ${warm}: ${described(first)}`,
      `  after ${perLab}: ${described(last)}`,
    ].join("\n"),
  );
  expectNoGrowth(first, last);
  expect(complaints).toEqual([]);
});
