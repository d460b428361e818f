/** Opens the page in a test, and records its console messages and network requests from the start. */
import { readFileSync } from "node:fs";
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type { LabId } from "../../web/config/config.js";
import type { Explanation } from "../../web/core/attention.js";
import { formatNote } from "../../web/marks/numbers.js";
import { numberIn } from "./cell-name.js";
import { slowed } from "./slow.js";

export { expect };

const host = (name: string): string => {
  const address = process.env[name];
  if (!address) throw new Error(`${name} is not set: hosts.ts starts the hosts before the tests`);
  return address;
};

/** The page under a sub-path, the same with strict headers, and on a host that sends no headers. */
export const hosts = {
  get page() {
    return host("HOST_PAGE");
  },
  get strict() {
    return host("HOST_STRICT");
  },
  get bare() {
    return host("HOST_BARE");
  },
};

export const labIds = Object.keys({
  attention: true,
  "multi-head": true,
  positions: true,
  vit: true,
  "encoder-decoder": true,
  optimizers: true,
  block: true,
  losses: true,
  complexity: true,
  scaling: true,
  bert: true,
  words: true,
  training: true,
} satisfies Record<LabId, true>) as LabId[];

export interface Watched {
  /** Console errors and warnings, uncaught errors, failed requests. */
  complaints: string[];
  /** Requested addresses. */
  requests: string[];
}

/** An option of the test runner: only the tests of the service worker allow one (playwright.config.ts). */
const blocked = "Service Worker registration blocked by Playwright";

export const test = base.extend<{ watched: Watched }>({
  watched: [
    async ({ page }, use) => {
      if (process.env.SLOW) await slowed(page, process.env.SLOW);
      const watched: Watched = { complaints: [], requests: [] };
      page.on("console", (message) => {
        const { type, text } = { type: message.type(), text: message.text() };
        if ((type === "error" || type === "warning") && text !== blocked) watched.complaints.push(text);
      });
      page.on("pageerror", (error) => watched.complaints.push(error.stack ?? error.message));
      page.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText ?? "";
        // A page that is left cancels its pending requests.
        if (reason !== "net::ERR_ABORTED") watched.complaints.push(`failed: ${request.url()} ${reason}`);
      });
      page.on("request", (request) => watched.requests.push(request.url()));
      await use(watched);
      expect(watched.complaints, "the console stays empty").toEqual([]);
    },
    { auto: true },
  ],
});

/** Opens the page at a hash and waits for numbers. */
export async function openPage(page: Page, hash = ""): Promise<void> {
  await page.goto(hosts.page + hash);
  await expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();
}

/** Milliseconds between two checks of a condition: a check takes less time than the default pauses. */
const intervals = [20, 50, 100];

/** The numbers with their note: the part of the page that is marked busy while it waits for the core. */
export const numbers = (page: Page): Locator => page.getByRole("region", { name: /^(The numbers|数值)$/ });

/** Whether the page shows the numbers of its settings and explains its target, and waits for no answer. */
const answered = async (page: Page): Promise<boolean> =>
  (await numbers(page).getAttribute("aria-busy")) === "false";

/** Waits until the page waits for no answer, and the stages have drawn: they draw in the next frame, or the one after. `timeout` is in milliseconds. */
export async function waitUntilIdle(page: Page, timeout?: number): Promise<void> {
  await expect.poll(() => answered(page), { intervals, timeout }).toBe(true);
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/** The lab that a link opens: it names the lab, or an example of it. */
function labOfLink(hash: string): string {
  const fields = new URLSearchParams(hash.slice(1));
  const example = fields.get("ex");
  if (fields.has("lab") || !example) return fields.get("lab") ?? "attention";
  const file = new URL(`../../web/examples/${example}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { config: { view: { lab: string } } }).config.view.lab;
}

/** Goes to the lesson, from where on concepts are ticked, and back to the numbers. */
export async function readLesson(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Lesson|课程)/ }).click();
  await expect(page.locator("ap-lesson h2").first()).toBeInViewport();
  await page.evaluate(() => scrollTo(0, 0));
}

/** Waits until the lab shows its numbers and its note, and nothing on it moves any more. */
export async function still(page: Page, lab: LabId): Promise<void> {
  const shown = async (): Promise<string | null> => {
    if (!(await answered(page))) return null;
    return labOfLink(await page.evaluate(() => location.hash));
  };
  await expect.poll(shown, { intervals }).toBe(lab);
  await expect(page.locator("ap-note h2")).toBeVisible();
  // An element with the same position as five frames ago has stopped moving.
  await page.locator("ap-lab :is(.screen, .lesson, ap-transport)").evaluateAll(async (parts) => {
    await document.fonts.ready;
    const boxes = (): string => JSON.stringify(parts.map((part) => part.getBoundingClientRect()));
    for (let before = "", now = boxes(), alike = 0; alike < 5; before = now, now = boxes()) {
      alike = before === now ? alike + 1 : 0;
      await new Promise(requestAnimationFrame);
    }
  });
}

/** A matrix of the stage, by the start of its accessible name. */
export const grid = (page: Page, name: string): Locator =>
  page.getByRole("grid", { name: new RegExp(`^${name}[,，]`) });

/** A cell of a matrix. */
export const cell = (page: Page, name: string, row: number, column: number): Locator =>
  grid(page, name).first().locator(`[data-row="${row}"][data-column="${column}"]`);

/** A cell of the matrix that shows this node, or has this name on the stage. */
export const boardCell = (page: Page, id: string, row: number, column: number): Locator =>
  page.locator(`[data-board="${id}"] [data-row="${row}"][data-column="${column}"]`).first();

/** The frame round the cell that the note explains; others are thin. */
export const targetFrame = "ap-lab .stage ap-stage .frame.ink:not(.thin)";

/** The colour in the middle of the top edge of a cell, above its digits: red, green, blue. */
export const fillOf = (place: Locator): Promise<number[]> =>
  place.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const { board } = element.closest<HTMLElement>("[data-board]")!.dataset;
    const canvas = element
      .closest(".paper")!
      .querySelector<HTMLCanvasElement>(`canvas[data-tensor="${board}"]`)!;
    const drawn = canvas.getBoundingClientRect();
    const across = ((x + width / 2 - drawn.x) / drawn.width) * canvas.width;
    const down = ((y + 0.15 * height - drawn.y) / drawn.height) * canvas.height;
    // Reads a copy, because browsers draw a canvas differently once it is read often.
    const copy = new OffscreenCanvas(1, 1).getContext("2d")!;
    copy.drawImage(canvas, Math.floor(across), Math.floor(down), 1, 1, 0, 0, 1, 1);
    return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });

/** The JSON that the note copies for the cell it explains. */
async function copiedNote(page: Page): Promise<Explanation> {
  const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.keyboard.press("c");
  await expect.poll(clipboard, { intervals }).not.toBe("");
  // JSON has no NaN and no infinity: the note copies their names.
  return JSON.parse(await clipboard(), (_key, item: unknown) =>
    typeof item === "string" && /^(NaN|-?Infinity)$/.test(item) ? Number(item) : item,
  ) as Explanation;
}

/** The JSON that the note copies for a cell, once it explains this cell with the numbers of the present settings; null before. */
async function explained(place: Locator): Promise<Explanation | null> {
  const page = place.page();
  if (!(await answered(page))) return null;
  const copied = await copiedNote(page);
  // The cell may be gone after a change of settings.
  const name = await place.getAttribute("aria-label", { timeout: 1000 }).catch(() => null);
  const same = name !== null && numberIn(name) === formatNote(copied.value);
  return same && (await answered(page)) ? copied : null;
}

async function explanationAt(place: Locator, message: string): Promise<Explanation> {
  await place.focus();
  let explanation: Explanation | null = null;
  await expect
    .poll(async () => (explanation = await explained(place)), { message, intervals })
    .not.toBeNull();
  return explanation!;
}

/** Points at a cell and waits for its explanation; returns the number in full precision, as the note copies it. */
export const valueAt = async (place: Locator, message: string): Promise<number> =>
  (await explanationAt(place, message)).value;

export async function fullValue(page: Page, name: string, row: number, column: number): Promise<number> {
  return valueAt(cell(page, name, row, column), `${name}[${row}, ${column}]`);
}

/** The JSON that the note copies for a cell. */
export const copied = (page: Page, name: string, row: number, column: number): Promise<Explanation> =>
  explanationAt(cell(page, name, row, column), `${name}[${row}, ${column}]`);
