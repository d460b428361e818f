/** Opening the page in a test: what it says on the console and asks of the network is watched from the start. */
import { test as base, expect, type Locator, type Page } from "@playwright/test";
import type { LitElement } from "lit";
import type { LabId } from "../../web/config/config.js";
import type { Explanation } from "../../web/core/attention.js";
import type { Note } from "../../web/elements/note.js";
import type { Stage } from "../../web/elements/stage.js";
import type { Playground } from "../../web/page/playground.js";
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
} satisfies Record<LabId, true>) as LabId[];

export interface Watched {
  /** Console errors and warnings, uncaught errors, failed requests. */
  complaints: string[];
  /** Addresses asked for. */
  asked: string[];
}

/** The test runner's own word: only what tests the service worker has one (playwright.config.ts). */
const blocked = "Service Worker registration blocked by Playwright";

export const test = base.extend<{ watched: Watched }>({
  watched: [
    async ({ page }, use) => {
      if (process.env.SLOW) await slowed(page, process.env.SLOW);
      const watched: Watched = { complaints: [], asked: [] };
      page.on("console", (message) => {
        const { type, text } = { type: message.type(), text: message.text() };
        if ((type === "error" || type === "warning") && text !== blocked) watched.complaints.push(text);
      });
      page.on("pageerror", (error) => watched.complaints.push(error.stack ?? error.message));
      page.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText ?? "";
        // A page that is left gives up what it still fetched.
        if (reason !== "net::ERR_ABORTED") watched.complaints.push(`failed: ${request.url()} ${reason}`);
      });
      page.on("request", (request) => watched.asked.push(request.url()));
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

/** Waits until the lab shows its numbers and its note, and nothing on it moves any more. */
export async function still(page: Page, lab: LabId): Promise<void> {
  const shown = (): Promise<string | undefined> =>
    page.locator("ap-lab").evaluate((element: Element) => {
      const { playground } = element as Element & { playground: Playground };
      return playground.standsBack ? undefined : playground.shown?.view.lab;
    });
  await expect.poll(shown).toBe(lab);
  await expect(page.locator("ap-note h2")).toBeVisible();
  await page.evaluate(async () => {
    await document.fonts.ready;
    const boxes = (): string => {
      const inside = document.querySelector("ap-app")!.shadowRoot!.querySelector("ap-lab")!.shadowRoot!;
      return JSON.stringify([...inside.children].map((child) => child.getBoundingClientRect()));
    };
    for (let before = "", now = boxes(), alike = 0; alike < 5; before = now, now = boxes()) {
      alike = before === now ? alike + 1 : 0;
      await new Promise(requestAnimationFrame);
    }
  });
}

/** Waits until the stages have drawn what the lab shows: they wait for a frame, the note does not. */
export const drawn = (page: Page): Promise<unknown> =>
  page
    .locator("ap-stage")
    .evaluateAll((stages) => Promise.all(stages.map((stage) => (stage as Stage).updateComplete)));

/** A matrix of the stage, by the start of its accessible name. */
export const grid = (page: Page, name: string): Locator =>
  page.getByRole("grid", { name: new RegExp(`^${name}[,，]`) });

/** A cell of a matrix. */
export const cell = (page: Page, name: string, row: number, column: number): Locator =>
  grid(page, name).first().locator(`[data-row="${row}"][data-column="${column}"]`);

/** A cell of the matrix that shows this node, or is called so on the stage. */
export const boardCell = (page: Page, id: string, row: number, column: number): Locator =>
  page.locator(`[data-board="${id}"] [data-row="${row}"][data-column="${column}"]`).first();

/** What a test needs to know of the stage and the lab around a cell. */
interface Around {
  stage: Stage;
  note: Note | null;
  lab: LitElement & { playground: Playground };
}

/** The number of a cell, once the note explains this very cell with the numbers of the settings as they stand; null before. */
const explained = (place: Locator): Promise<number | null> =>
  place.evaluate(async (element) => {
    const hostOf = (node: Node): Element => (node.getRootNode() as ShadowRoot).host;
    const stage = hostOf(element) as Around["stage"];
    const lab = hostOf(stage) as Around["lab"];
    await lab.updateComplete;
    await stage.updateComplete;
    if (!element.isConnected) return null;
    const explanation = (lab.shadowRoot!.querySelector("ap-note") as Around["note"])?.explanation;
    const { config, shown, standsBack } = lab.playground;
    const { board: id } = element.closest<HTMLElement>("[data-board]")!.dataset;
    const { row, column } = (element as HTMLElement).dataset;
    const board = stage.boards.find((other) => other.id === id)!;
    const { node, index } = board.cellAt(Number(row), Number(column));
    const current = shown?.numbers === config.numbers && !standsBack;
    const this_ = explanation?.node === node && explanation.index.join() === index.join();
    const value = board.valueAt(Number(row), Number(column));
    return current && this_ && Object.is(explanation.value, value) ? value : null;
  });

/** Points at a cell and waits for its explanation; the number in full. */
export async function valueAt(place: Locator, message: string): Promise<number> {
  await place.focus();
  let value: number | null = null;
  await expect.poll(async () => (value = await explained(place)), { message }).not.toBeNull();
  return value!;
}

export async function fullValue(page: Page, name: string, row: number, column: number): Promise<number> {
  return valueAt(cell(page, name, row, column), `${name}[${row}, ${column}]`);
}

/** What the note copies of a cell. The test's context needs the permission to read the clipboard. */
export async function copied(page: Page, name: string, row: number, column: number): Promise<Explanation> {
  await fullValue(page, name, row, column);
  const address = await page.locator("ap-note h2").innerText();
  await page.keyboard.press("c");
  const read = async (): Promise<Explanation | null> => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return text.startsWith("{") ? (JSON.parse(text) as Explanation) : null;
  };
  await expect
    .poll(async () => {
      const now = await read();
      return now && `${now.node}[${now.index.join(", ")}]`;
    })
    .toBe(address);
  return (await read())!;
}
