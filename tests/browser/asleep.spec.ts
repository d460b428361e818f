/** A tab that is put to sleep, and woken or thrown away. Playwright keeps its pages awake, so this browser is driven by another. */
import puppeteer, { type Page } from "puppeteer-core";
import type { Playground } from "../../web/page/playground.js";
import { expect, hosts, test } from "./open.js";

/** What the tab notes of itself. */
interface Noted {
  playground: Playground;
  states: string[];
  bar: string[];
}

/** Waits until the numbers are those of the settings, and word 1 looks at word 2, or is kept from it. */
const computed = (tab: Page, masked: boolean) =>
  tab.waitForFunction(
    (masked) => {
      const lab = document.querySelector("ap-app")?.shadowRoot?.querySelector("ap-lab");
      const { playground } = (lab ?? {}) as { playground?: Playground };
      if (!playground || playground.shown?.numbers !== playground.config.numbers) return false;
      const weight = playground.snapshots.get("weights")?.data[1];
      return !playground.standsBack && playground.trouble === null && (weight === 0) === masked;
    },
    // A tab behind another draws no frames.
    { polling: 50 },
    masked,
  );

test("what was set is in the address before, and the numbers come when it wakes, or is opened anew", async ({
  launchOptions: { executablePath, args = [] },
}) => {
  const browser = await puppeteer.launch({
    executablePath: executablePath!,
    args: [...args, "--no-sandbox", "--lang=en-US"],
  });
  try {
    const tab = await browser.newPage();
    await tab.goto(`${hosts.page}#v=1&lang=en`);
    await computed(tab, false);
    await tab.evaluate(() => {
      const lab = document.querySelector("ap-app")!.shadowRoot!.querySelector("ap-lab");
      const { playground } = lab as unknown as { playground: Playground };
      const noted: Noted = { playground, states: [], bar: [] };
      Object.assign(globalThis, { noted });
      const set = (more: object) =>
        playground.setNumbers({ ...playground.config.numbers, ...more } as Playground["config"]["numbers"]);
      const { states, bar } = noted;
      // A change so new that it is not in the address yet, and one that is computed while the tab falls asleep.
      const change = () => {
        set({ mask: "causal" });
        bar.push(location.hash);
      };
      addEventListener("visibilitychange", change, { capture: true, once: true });
      addEventListener("visibilitychange", () => bar.push(location.hash), { once: true });
      document.addEventListener("freeze", () => {
        states.push("asleep");
        set({ scale: false });
      });
      document.addEventListener("resume", () =>
        states.push(playground.shown?.numbers === playground.config.numbers ? "computed" : "computing"),
      );
    });
    const noted = (): Promise<Pick<Noted, "states" | "bar">> =>
      tab.evaluate(() => {
        const { states, bar } = (globalThis as unknown as { noted: Noted }).noted;
        return { states, bar };
      });

    const other = await browser.newPage();
    await other.bringToFront();
    const devtools = await tab.createCDPSession();
    await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
    await expect.poll(noted).toMatchObject({ states: ["asleep"] });
    const { bar } = await noted();
    expect(bar[0]).not.toContain("mask=causal");
    expect(bar[1]).toContain("mask=causal");

    await devtools.send("Page.setWebLifecycleState", { state: "active" });
    await tab.bringToFront();
    await computed(tab, true);
    expect((await noted()).states).toEqual(["asleep", "computing"]);

    await other.goto(hosts.page + bar[1]!);
    await computed(other, true);
  } finally {
    await browser.close();
  }
});
