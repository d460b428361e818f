/** Failures below the page: each has a message, loses none of the settings, and can be repaired without a reload where possible. */
import type { Page, Worker } from "@playwright/test";
import {
  boardCell,
  expect,
  fillOf,
  fullValue,
  hosts,
  openPage,
  still,
  test,
  valueAt,
  type Watched,
  readLesson,
} from "./open.js";

const notice = (page: Page) => page.locator(".notices ap-notice");
const press = (page: Page, name: string) => notice(page).getByRole("button", { name }).click();

const wasm = /assets\/opening-[^/]*\.wasm$/;
const workerScript = /assets\/worker-[^/]*\.js$/;

const weight = (page: Page): Promise<number> => valueAt(boardCell(page, "weights", 0, 1), "weights[0, 1]");

/** A change with a unique effect: word 1 no longer attends to word 2. */
const maskLater = (page: Page): Promise<void> => mask(page, /causal/);
async function mask(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name: /^Mask/ }).click();
  await page.getByRole("radio", { name }).click();
  await page.keyboard.press("Escape");
}
async function maskedLater(page: Page): Promise<void> {
  await still(page, "attention");
  await expect.poll(() => weight(page)).toBe(0);
  await expect(page).toHaveURL(/mask=causal/);
}

/** Removes the cause of a failure, and presses the notice's button. */
async function recovers(page: Page, name: string): Promise<void> {
  await page.unrouteAll({ behavior: "wait" });
  await press(page, name);
  await maskedLater(page);
  await expect(notice(page)).toHaveCount(0);
}

/** A file cannot be fetched: a notice says so, and it is fetched on request. */
async function missing(page: Page, watched: Watched, file: RegExp, says: string): Promise<void> {
  await page.route(file, (route) => route.abort());
  await page.goto(`${hosts.page}#v=1&mask=causal`);
  await expect(notice(page)).toContainText(says);
  await recovers(page, "Try again");
  expect(watched.complaints.every((line) => /ERR_FAILED|Failed to load/.test(line))).toBe(true);
  watched.complaints.length = 0;
}

const workerOf = async (page: Page): Promise<Worker> => {
  await expect.poll(() => page.workers().length).toBe(1);
  return page.workers()[0]!;
};

/** Makes a worker hang when it begins to compute, because it then reads the time. */
const endless = (): void => {
  performance.now = () => {
    for (;;);
  };
};
/** A trap like those of the core: `unreachable` in a module. */
const trapping = (): void => {
  performance.now = () => {
    const code = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0];
    const body = [10, 5, 1, 3, 0, 0, 11];
    const module = new WebAssembly.Module(new Uint8Array([...code, ...body]));
    (new WebAssembly.Instance(module).exports.f as () => void)();
    return 0;
  };
};
const noMemory = (): void => {
  (WebAssembly as { instantiate: unknown }).instantiate = () =>
    Promise.reject(new RangeError("Cannot allocate Wasm memory for new instance"));
};

/** Workers started from now on run this first. */
const workersBegin = (page: Page, begin: () => void): Promise<unknown> =>
  page.route(workerScript, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `(${begin})();\n${await answer.text()}` });
  });

test.describe("the worker", () => {
  test("is killed while it computes: a notice says so, and another computes the same on request", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const made: globalThis.Worker[] = [];
      Object.assign(globalThis, { made });
      globalThis.Worker = class extends globalThis.Worker {
        constructor(...given: ConstructorParameters<typeof globalThis.Worker>) {
          super(...given);
          made.push(this);
        }
      };
    });
    await openPage(page, "#v=1");
    await still(page, "attention");
    await (await workerOf(page)).evaluate(endless);
    await maskLater(page);
    // A worker that is ended from outside sends no message, as when the system kills it.
    await page.evaluate(() => (globalThis as unknown as { made: globalThis.Worker[] }).made[0]!.terminate());
    await expect(notice(page)).toContainText("The calculation does not answer.", { timeout: 30_000 });
    await press(page, "Start it again");
    await expect(notice(page)).toContainText("The calculation stopped and was restarted.");
    await maskedLater(page);
    await press(page, "Dismiss");
    await expect(notice(page)).toHaveCount(0);
  });

  test("is killed between two questions: the next one reports it, and is answered", async ({ page }) => {
    await openPage(page, "#v=1&mask=causal&lang=zh-CN");
    await still(page, "attention");
    await (await workerOf(page)).evaluate(() => close());
    await boardCell(page, "X", 1, 1).focus();
    await expect(notice(page)).toContainText("计算没有回应。", { timeout: 30_000 });
    await press(page, "重新开始计算");
    await expect(page.locator("ap-note h2")).toHaveText("X[1, 1]");
    await expect(notice(page)).toContainText("计算中断，已重新开始。");
    await maskedLater(page);
  });

  test("traps while it computes: another computes the same; a second trap is reported and can be retried or undone", async ({
    page,
  }) => {
    let begun = 0;
    page.on("worker", () => (begun += 1));
    await openPage(page, "#v=1");
    await still(page, "attention");
    const before = await weight(page);
    await (await workerOf(page)).evaluate(trapping);
    await maskLater(page);
    await expect(notice(page)).toContainText("The calculation stopped and was restarted.");
    await expect(notice(page)).toContainText("The numbers are computed again");
    await maskedLater(page);

    const last = "The numbers shown are the last that were computed.";
    const trapAgain = async () => {
      const earlier = begun;
      await workersBegin(page, trapping);
      await page.workers()[0]!.evaluate(trapping);
      await mask(page, /none|no mask/);
      await expect(notice(page)).toContainText(last);
      // The computation ends two workers, and so does the question about the cell: the first existed, and the last has ended too.
      await expect.poll(() => [begun - earlier, page.workers().length]).toEqual([3, 0]);
      await page.unrouteAll({ behavior: "wait" });
    };
    await trapAgain();
    await press(page, "Undo the change");
    await maskedLater(page);
    await expect(notice(page).filter({ hasText: last })).toHaveCount(0);
    await trapAgain();
    await press(page, "Try again");
    await expect.poll(() => weight(page)).toBe(before);
    await expect(page).not.toHaveURL(/mask=/);
    await expect(notice(page).filter({ hasText: last })).toHaveCount(0);
  });

  test("hangs while the contents compute their examples: another one gets the call", async ({ page }) => {
    await workersBegin(page, () =>
      addEventListener("message", ({ data }: MessageEvent<{ type: string }>) => {
        while (data.type !== "load");
      }),
    );
    await page.goto(`${hosts.page}#contents`);
    // One that hangs, and one that computes the map.
    await expect.poll(() => page.workers().length).toBe(2);
    await page.unrouteAll({ behavior: "wait" });
    const first = page.getByRole("link", { name: /Four words/ });
    await expect(first).toContainText("12 numbers match its source", { timeout: 30_000 });
    await expect(page.getByText(/Not computed/)).toHaveCount(0);
  });

  test("cannot be fetched: a notice says so, and it is fetched on request", async ({ page, watched }) => {
    await missing(page, watched, workerScript, "did not arrive. Check the connection and try again.");
  });
});

test.describe("the core", () => {
  test("cannot be fetched: a notice says so, and it is fetched on request", async ({ page, watched }) => {
    await missing(page, watched, wasm, "“Attention, step by step” could not be opened.");
  });

  test("arrives damaged: a notice says so, and it is fetched again on request", async ({ page }) => {
    await page.route(wasm, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.body()).subarray(0, 5000) });
    });
    await page.goto(`${hosts.page}#v=1&mask=causal`);
    await expect(notice(page)).toContainText("The calculation could not start.");
    await recovers(page, "Try again");
  });
});

test.describe("memory", () => {
  test("refused at the start: a notice says so, and it is requested again on request", async ({ page }) => {
    await workersBegin(page, noMemory);
    await page.goto(`${hosts.page}#v=1&mask=causal&lang=en`);
    await expect(notice(page)).toContainText("There is not enough memory.");
    await page.getByRole("button", { name: "中文" }).click();
    await expect(notice(page)).toContainText("内存不足。");
    await recovers(page, "重试");
  });

  test("refused for a change: a notice says so, the earlier numbers stay, and the change can be undone", async ({
    page,
  }) => {
    await openPage(page, "#v=1&lab=multi-head");
    await still(page, "multi-head");
    const before = await fullValue(page, "output", 0, 0);
    await (
      await workerOf(page)
    ).evaluate(() => {
      WebAssembly.Memory.prototype.grow = () => {
        throw new RangeError("Maximum memory size exceeded");
      };
    });
    const target = boardCell(page, "map-0", 0, 8);
    await target.focus();
    await still(page, "multi-head");
    const full = await fillOf(target);
    await page.evaluate(() => {
      location.hash = "v=1&lab=multi-head&length=64&batch=16&heads=16&dim=16";
    });
    await expect(notice(page)).toContainText("That cannot be computed.");
    await expect(notice(page)).toContainText("which could not be allocated");
    await expect(notice(page)).toContainText("The numbers shown are those before the change.");
    // Names and lines fade; fills never do, because their legend explains them.
    const name = page.locator(".stage ap-stage text").first();
    await expect(name).toHaveCSS("opacity", "0.5");
    expect(await fillOf(target)).toEqual(full);
    await press(page, "Undo the change");
    await still(page, "multi-head");
    await expect(notice(page)).toHaveCount(0);
    await expect(name).toHaveCSS("opacity", "1");
    expect(await fullValue(page, "output", 0, 0)).toBe(before);
  });
});

test.describe("SIMD", () => {
  test("an engine without it gets a list of engines that have it; the link keeps all settings", async ({
    playwright,
    launchOptions,
  }) => {
    const flags = "--js-flags=--no-enable-ssse3 --no-enable-sse4-1";
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), flags],
    });
    try {
      const page = await browser.newPage({ locale: "en-US", serviceWorkers: "block" });
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(`${hosts.page}#v=1&mask=causal`);
      await expect(notice(page)).toContainText("It needs WebAssembly with SIMD");
      await page.getByRole("button", { name: "中文" }).click();
      await expect(notice(page)).toContainText("计算需要带 SIMD 的 WebAssembly");
      await expect(page).toHaveURL(/mask=causal/);
      await page.goto(`${hosts.page}embed.html#v=1&mask=causal&lang=en`);
      await expect(notice(page)).toContainText("It needs WebAssembly with SIMD");
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test("an engine without WebAssembly gets the same notice", async ({ page }) => {
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
    await page.goto(`${hosts.page}#v=1&mask=causal`);
    await expect(notice(page)).toContainText("It needs WebAssembly with SIMD");
    await expect(page).toHaveURL(/mask=causal/);
  });
});

test("storage is full: one notice says so, ticks last as long as the page is open, and are stored once there is room", async ({
  page,
}) => {
  const ticked = (id: string) =>
    page.locator(`ap-lesson [data-concept="${id}"]`).getByRole("img", { name: "Done" });
  await openPage(page, "#v=1");
  await readLesson(page);
  await expect(page.locator("ap-lesson [data-concept]").first()).toBeAttached();
  await page.evaluate(() => {
    for (let length = 2 ** 23, piece = 0; length >= 1; piece++)
      try {
        localStorage.setItem(`filling ${piece}`, "x".repeat(length));
      } catch {
        length = Math.floor(length / 2);
      }
  });
  await maskLater(page);
  await expect(notice(page)).toContainText("The browser’s storage is full.");
  await expect(ticked("causal")).toBeAttached();
  await press(page, "Dismiss");
  await expect(notice(page)).toHaveCount(0);
  await page.getByRole("button", { name: /^Scaling/ }).click();
  await page.getByRole("radio", { name: /not scaled/ }).click();
  await page.keyboard.press("Escape");
  await expect(ticked("unscaled")).toBeAttached();
  await expect(ticked("causal")).toBeAttached();
  await expect(notice(page)).toHaveCount(0);
  // The next completed concept can be stored, together with the earlier ones.
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage))
      if (name.startsWith("filling")) localStorage.removeItem(name);
  });
  await boardCell(page, "X", 0, 1).focus();
  await page.keyboard.press("7");
  await page.keyboard.press("Enter");
  await expect(ticked("one-number")).toBeAttached();
  await page.reload();
  for (const id of ["causal", "unscaled", "one-number"]) await expect(ticked(id)).toBeAttached();
});
