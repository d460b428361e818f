// Measures how smoothly the page follows the drag of a number: node tests/bench/dragging.mjs [EXAMPLE|all [NODE]] opens the built page with an
// example, drags the first number of NODE (absent: of the first tensor whose numbers can be dragged) to and fro with a mouse, and prints the
// share of frames within 16.7 ms, the longest frame, the longest task of the page's thread, and how many of the moves were drawn by the next
// frame but one. "all" does so for every example. Run it on an idle machine, after `npm run build`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { answers, listen } from "../../toolchain/serve.mjs";

/** One frame at 60 frames a second, with the clock's own unevenness. */
const FRAME_MS = 16.7;
const UNEVENNESS_MS = 1;
const moves = 300;

const [named = "four-words", node] = process.argv.slice(2);
const configs = join(import.meta.dirname, "../../web/examples");
const examples =
  named === "all"
    ? readdirSync(configs).flatMap((file) => (file.endsWith(".json") ? file.slice(0, -5) : []))
    : [named];
const server = await listen(answers(join(import.meta.dirname, "../../dist"), { under: "/" }), 0, "127.0.0.1");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--disable-gpu"],
});

async function measure(example) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/#v=1&ex=${example}`);
  const board = page.locator(node ? `[data-board="${node}"]` : ".pullable").first();
  const cell = board.locator('[data-row="0"][data-column="0"]');
  await page.locator("[data-board]").first().waitFor({ state: "attached" });
  // The lesson and the address are written a moment after the numbers.
  await page.waitForTimeout(2000);
  if (!(await cell.count())) {
    console.log(`${example}: no number of it can be dragged`);
    return page.close();
  }
  const dragged = await board.getAttribute("data-board");
  const { x, y, width, height } = await cell.boundingBox();
  const at = { x: x + width / 2, y: y + height / 2 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  // The processor's own time for the page's thread means the same on a busy machine.
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, 1000 * value]));
  };
  const before = await spent();
  const measured = await page.evaluate(
    async ({ at, moves }) => {
      const stage = document.querySelector("ap-app").renderRoot.querySelector("ap-lab").stage;
      const paper = stage.renderRoot.querySelector(".paper");
      const tasks = [];
      new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
      const frame = () => new Promise(requestAnimationFrame);
      const frames = [];
      const waits = [];
      let last = await frame();
      for (let move = 0; move < moves; move++) {
        const before = stage.snapshots;
        const clientX = at.x + 90 * Math.sin(move / 12);
        const common = { pointerId: 1, isPrimary: true, bubbles: true, composed: true, pointerType: "mouse" };
        paper.dispatchEvent(
          new PointerEvent("pointermove", { ...common, clientX, clientY: at.y, buttons: 1 }),
        );
        const now = await frame();
        frames.push(now - last);
        last = now;
        waits.push(stage.snapshots !== before);
      }
      return {
        frames,
        drawn: waits.filter(Boolean).length,
        longest: Math.max(0, ...tasks.map(({ duration }) => duration)),
      };
    },
    { at, moves },
  );
  const after = await spent();
  await page.mouse.up();
  const perFrame = (name) => `${((after[name] - before[name]) / moves).toFixed(1)} ms`;
  const inTime = measured.frames.filter((milliseconds) => milliseconds <= FRAME_MS + UNEVENNESS_MS).length;
  console.log(
    `${example}, ${dragged}: ${((100 * inTime) / moves).toFixed(1)} of 100 frames within ${FRAME_MS} ms, the longest ${Math.max(...measured.frames).toFixed(1)} ms; ` +
      `longest task ${measured.longest.toFixed(0)} ms (0: none over 50 ms); new numbers in ${measured.drawn} of ${moves} frames; ` +
      `of the page's thread each frame took ${perFrame("TaskDuration")}: scripts ${perFrame("ScriptDuration")}, styles ${perFrame("RecalcStyleDuration")}, layout ${perFrame("LayoutDuration")}`,
  );
  await page.close();
}

try {
  for (const example of examples) await measure(example);
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
