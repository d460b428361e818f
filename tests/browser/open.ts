/** Opening the page in a test: what it says on the console and asks of the network is watched from the start. */
import { test as base, expect, type Locator, type Page } from "@playwright/test";

export { expect };

const host = (name: string): string => {
  const address = process.env[name];
  if (!address) throw new Error(`${name} is not set: hosts.ts starts the hosts before the tests`);
  return address;
};

/** The page under a sub-path, and on a host that sends no headers. */
export const hosts = {
  get page() {
    return host("HOST_PAGE");
  },
  get bare() {
    return host("HOST_BARE");
  },
};

export interface Watched {
  /** Console errors and warnings, uncaught errors, failed requests. */
  complaints: string[];
  /** Addresses asked for. */
  asked: string[];
}

export const test = base.extend<{ watched: Watched }>({
  watched: [
    async ({ page }, use) => {
      const watched: Watched = { complaints: [], asked: [] };
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning")
          watched.complaints.push(message.text());
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

/** A matrix of the stage, by the start of its accessible name. */
export const grid = (page: Page, name: string): Locator =>
  page.getByRole("grid", { name: new RegExp(`^${name}[,，]`) });

/** A cell of a matrix. */
export const cell = (page: Page, name: string, row: number, column: number): Locator =>
  grid(page, name).first().locator(`[data-row="${row}"][data-column="${column}"]`);

/** Full digits of the note's number: what its copy button gives. */
export async function fullValue(page: Page, name: string, row: number, column: number): Promise<number> {
  await cell(page, name, row, column).focus();
  const note = page.locator("ap-note");
  await expect(note).toContainText(`[${row}, ${column}]`);
  const explanation = await note.evaluate(
    (element) => (element as unknown as { explanation: { value: number } }).explanation.value,
  );
  return explanation;
}
