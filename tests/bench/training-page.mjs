// Measures the page while it trains: node tests/bench/training-page.mjs [SECONDS [FIELDS]] opens the built page with the first example of the
// training lab (and FIELDS of a link, such as "steps=10000"), presses Play, and prints each ten seconds the step, the longest tasks of the page's
// thread since, and the memory of the page and of the worker. A task lasts longer than the processor works on it where the worker takes the
// processor meanwhile, so both times are printed. The run is played again when it has ended. Run it on an idle machine, after `npm run build`.
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { answers, listen } from "../../toolchain/serve.mjs";

const [seconds = "60", fields = "steps=10000"] = process.argv.slice(2);
const every = 10;
const server = await listen(
  answers(process.env.DIST ?? join(import.meta.dirname, "../../dist"), { under: "/" }),
  0,
  "127.0.0.1",
);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--disable-gpu", "--js-flags=--expose-gc", "--enable-precise-memory-info"],
});

/** The bytes that the page and its worker hold after a garbage collection, in MB. */
async function memoryOf(page) {
  const bytes = await page.evaluate(async () => {
    globalThis.gc();
    return performance.memory.usedJSHeapSize;
  });
  const client = await browser.newBrowserCDPSession();
  const { processInfo } = await client.send("SystemInfo.getProcessInfo");
  await client.detach();
  const renderer = processInfo.filter(({ type }) => type === "renderer").at(-1);
  return { heap: bytes / 1e6, renderer: renderer?.id };
}

/** The tasks of the page's thread in a trace, in milliseconds: how long each lasted, and how long the processor worked on it. */
function tasksIn(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const threads = traceEvents.filter(
    ({ name, args }) => name === "thread_name" && args.name === "CrRendererMain",
  );
  const isPages = ({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  return traceEvents
    .filter((event) => event.name.endsWith("RunTask") && event.ph === "X" && isPages(event))
    .map(({ dur, tdur }) => ({ lasted: dur / 1000, worked: tdur / 1000 }));
}

/** How many tasks took over 50 ms, and the longest, by one of the two times. */
function over50(tasks, time) {
  const all = tasks.map((task) => task[time]);
  const longest = all.reduce((most, one) => Math.max(most, one), 0);
  return `${all.filter((one) => one > 50).length} tasks over 50 ms, the longest ${longest.toFixed(0)} ms`;
}

try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/#v=1&ex=learn-to-reverse&${fields}`);
  const transport = page
    .getByRole("group", { name: "Step through" })
    .or(page.locator("ap-transport"))
    .first();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await page.waitForTimeout(2000);
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () =>
    Object.fromEntries(
      (await client.send("Performance.getMetrics")).metrics.map(({ name, value }) => [name, value]),
    );
  const { readFile } = await import("node:fs/promises");
  let before = await spent();
  for (let passed = 0; passed < Number(seconds); passed += every) {
    const play = page.getByRole("button", { name: "Play", exact: true });
    // memoryOf asks for a garbage collection, which is no task of the page's own, outside the trace.
    await browser.startTracing(page, { categories: ["toplevel"] });
    if (await play.count()) await play.click();
    await page.waitForTimeout(1000 * every);
    const tasks = tasksIn(await browser.stopTracing());
    const { heap, renderer } = await memoryOf(page);
    const status = await readFile(`/proc/${renderer}/status`, "utf8");
    const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    const after = await spent();
    const share = (100 * (after.TaskDuration - before.TaskDuration)) / every;
    const scripts = (100 * (after.ScriptDuration - before.ScriptDuration)) / every;
    before = after;
    const step = await transport.evaluate((element) => element.time?.at);
    console.log(
      `after ${passed + every} s: step ${step}; ${over50(tasks, "lasted")} (processor time: ${over50(tasks, "worked")}); ` +
        `the page's thread is busy ${share.toFixed(0)} % (scripts ${scripts.toFixed(0)} %); page heap ${heap.toFixed(1)} MB, process ${rss.toFixed(0)} MB`,
    );
  }
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
