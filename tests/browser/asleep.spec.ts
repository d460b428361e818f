/** A tab that is suspended, and resumed or discarded. Playwright keeps its pages awake, so this test uses another driver. */
import puppeteer, { type Page } from "puppeteer-core";
import { numberIn } from "./cell-name.js";
import { expect, hosts, test } from "./open.js";

/** The data that the tab records. */
interface Noted {
  states: string[];
  bar: string[];
}

/** The weight of word 2 for word 1, from the name of its cell, or "" while the page waits for an answer. */
async function weight(tab: Page): Promise<string> {
  const busy = await tab.$$eval(">>> .stage[role=region]", ([one]) => one?.getAttribute("aria-busy"));
  const cell = '>>> [data-board="weights"] [data-row="0"][data-column="1"]';
  const name = await tab.$$eval(cell, ([one]) => one?.getAttribute("aria-label") ?? "");
  return busy === "false" ? (numberIn(name) ?? "") : "";
}

/** Waits until the numbers are those of the settings, with the weight of word 2 for word 1 as expected. */
const computed = (tab: Page, masked: boolean) =>
  expect.poll(() => weight(tab), { timeout: 30_000 }).toMatch(masked ? /^0$/ : /^[1-9]|^0\./);

test("a new setting is in the address at once; its numbers are computed when the tab is resumed or opened again", async ({
  launchOptions: { executablePath, args = [] },
}) => {
  const browser = await puppeteer.launch({
    executablePath: executablePath!,
    args: [...args, "--no-sandbox", "--lang=en-US"],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`${hosts.page}#v=1&lang=en&edit=W_Q,0,1,-0.5`);
    await computed(tab, false);
    await tab.locator('>>> [data-control="mask"]').click();
    const causal = (await tab.waitForSelector('::-p-aria([name="a causal mask"][role="radio"])'))!;
    const reset = (await tab.waitForSelector('::-p-aria([name="Reset to seed"][role="button"])'))!;
    const stage = (await tab.$(">>> .stage[role=region]"))!;
    const noted = await tab.evaluateHandle(
      (causal, reset, stage): Noted => {
        const states: string[] = [];
        const bar: string[] = [];
        // One change is not in the address yet, and another is being computed when the tab is suspended.
        const change = () => {
          (causal as HTMLInputElement).click();
          bar.push(location.hash);
        };
        addEventListener("visibilitychange", change, { capture: true, once: true });
        addEventListener("visibilitychange", () => bar.push(location.hash), { once: true });
        document.addEventListener("freeze", () => {
          states.push("asleep");
          (reset as HTMLButtonElement).click();
        });
        document.addEventListener("resume", () =>
          states.push(stage.getAttribute("aria-busy") === "true" ? "computing" : "computed"),
        );
        return { states, bar };
      },
      causal,
      reset,
      stage,
    );

    const other = await browser.newPage();
    await other.bringToFront();
    const devtools = await tab.createCDPSession();
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    await expect.poll(() => noted.jsonValue()).toMatchObject({ states: ["asleep"] });
    const { bar } = await noted.jsonValue();
    expect(bar[0]).not.toContain("mask=causal");
    expect(bar[1]).toContain("mask=causal");

    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    await tab.bringToFront();
    await computed(tab, true);
    expect((await noted.jsonValue()).states).toEqual(["asleep", "computing"]);

    await other.bringToFront();
    await other.goto(hosts.page + bar[1]!);
    await computed(other, true);
  } finally {
    await browser.close();
  }
});
