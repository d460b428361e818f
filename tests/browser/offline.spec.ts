/** The site without a network, and its versions: a page stays with the version it was opened with. */
import { copyFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { selfRemovingServiceWorker } from "../../toolchain/offline.mjs";
import type { LabId } from "../../web/config/config.js";
import { expect, fullValue, labIds, still, test as base } from "./open.js";
import {
  controlled,
  keptVersions,
  openHost,
  otherVersion,
  removeVersion,
  siteFolder,
  versionOf,
  type Host,
} from "./versions.js";

const test = base.extend<{ host: Host }>({
  // eslint-disable-next-line no-empty-pattern
  host: async ({}, use) => {
    const host = await openHost();
    host.serve(under, siteFolder());
    await use(host);
    host.close();
  },
});
test.use({ serviceWorkers: "allow" });

const under = "/some/where/";

const numbers = (page: Page) => expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();

async function openKept(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await numbers(page);
  await controlled(page);
}

async function go(page: Page, lab: LabId): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `v=1&lab=${lab}`);
  await still(page, lab);
}

test.describe("after the first load", () => {
  test("every lab, both parts of the core, an example, a reload and the timing page work without network", async ({
    page,
    host,
  }) => {
    test.slow();
    await openKept(page, host.origin + under);
    const before = await fullValue(page, "output", 0, 0);
    host.leave();
    for (const lab of labIds) await go(page, lab);
    await page.getByRole("link", { name: "Examples" }).click();
    await page.getByRole("link", { name: /Three tokens/ }).click();
    await expect(page).toHaveURL(/ex=three-tokens/);
    await still(page, "attention");
    await page.getByRole("button", { name: /^Mask/ }).click();
    await page.getByRole("radio", { name: /causal/ }).click();
    await expect(page).toHaveURL(/mask=causal/);
    await page.keyboard.press("Escape");
    await expect.poll(() => fullValue(page, "weights", 0, 1)).toBe(0);
    await page.reload();
    await still(page, "attention");
    expect(await fullValue(page, "weights", 0, 1)).toBe(0);
    await page.goto(`${host.origin}${under}index.html?from=elsewhere#v=1`);
    await numbers(page);
    expect(await fullValue(page, "output", 0, 0)).toBe(before);
    await page.goto(`${host.origin}${under}bench.html#works=matmul 64&quick&lang=en`);
    await page.getByRole("button", { name: "Time it" }).click();
    await expect(page.getByRole("status")).toHaveText("Done: 1 timed.", { timeout: 50_000 });
  });

  test("all files of both pages are stored, in a cache named by the digest of the build; nothing is fetched before the numbers", async ({
    page,
    host,
  }) => {
    await openKept(page, host.origin + under);
    const site = siteFolder();
    const files = [
      "index.html",
      "bench.html",
      ...readdirSync(join(site, "assets")).map((name) => `assets/${name}`),
    ];
    const storedSizes = await page.evaluate(
      async (name) => {
        const cache = await caches.open(name);
        const sizes: Record<string, number> = {};
        for (const request of await cache.keys()) {
          const answer = await cache.match(request);
          sizes[request.url] = (await answer!.arrayBuffer()).byteLength;
        }
        return sizes;
      },
      `attention-playground ${under} ${versionOf(site)}`,
    );
    expect(storedSizes).toEqual(
      Object.fromEntries(files.map((file) => [host.origin + under + file, statSync(join(site, file)).size])),
    );
    // Both builds of the whole core, because bench.html compares them.
    for (const [part, builds] of Object.entries({ opening: 1, transformer: 2 }))
      expect(files.filter((file) => new RegExp(`/${part}-[^/]*\\.wasm$`).test(file))).toHaveLength(builds);
    expect(await keptVersions(page, under)).toEqual([versionOf(site)]);

    const requestPlace = (part: RegExp): number => {
      const place = host.requests.findIndex((path) => part.test(path));
      expect(place, String(part)).toBeGreaterThanOrEqual(0);
      return place;
    };
    const registering = requestPlace(/service-worker\.js$/);
    for (const first of [
      /assets\/index-[^/]*\.js$/,
      /assets\/worker-[^/]*\.js$/,
      /assets\/opening-[^/]*\.wasm$/,
    ])
      expect(requestPlace(first)).toBeLessThan(registering);
    for (const later of [/bench\.html$/, /assets\/transformer-[^/]*\.wasm$/])
      expect(requestPlace(later)).toBeGreaterThan(registering);
  });

  test("nothing is registered while the numbers are computed", async ({ page, host }) => {
    let release = (): void => undefined;
    const until = new Promise<void>((resolve) => (release = resolve));
    await page.route(/opening-[^/]*\.wasm$/, async (route) => {
      await until;
      await route.continue();
    });
    await page.goto(host.origin + under);
    await expect(page.locator(".waiting[data-on]")).toBeAttached();
    await page.evaluate(() => new Promise<void>((idle) => requestIdleCallback(() => idle())));
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([]);
    expect(host.requests.filter((path) => /keep-site-|service-worker/.test(path))).toEqual([]);
    release();
    await controlled(page);
  });

  test("the timing page alone stores the site too", async ({ page, host }) => {
    await page.goto(`${host.origin}${under}bench.html#lang=en`);
    await controlled(page);
    host.leave();
    await page.goto(host.origin + under);
    await numbers(page);
  });

  test("on a host with strict headers the pages stay isolated without network", async ({ page, host }) => {
    const headers = {
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    };
    host.serve(under, siteFolder(), { headers });
    await openKept(page, host.origin + under);
    host.leave();
    await page.reload();
    await numbers(page);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await go(page, "block");
  });
});

test.describe("damaged files in the cache are replaced", () => {
  /** Overwrites the stored files whose address ends so with junk; returns their addresses. */
  const damage = (page: Page, ending: string): Promise<string[]> =>
    page.evaluate(
      async ([start, pattern]) => {
        const name = (await caches.keys()).find((one) => one.startsWith(start))!;
        const cache = await caches.open(name);
        const spoiled = (await cache.keys()).filter(({ url }) => new RegExp(pattern).test(url));
        for (const { url } of spoiled) {
          const { headers } = (await cache.match(url))!;
          await cache.put(url, new Response("junk", { headers }));
        }
        return spoiled.map(({ url }) => url);
      },
      [`attention-playground ${under} `, ending] as const,
    );

  const files = {
    "the page": "/index\\.html$",
    "its script": "/assets/index-[^/]*\\.js$",
    "the worker": "/assets/worker-[^/]*\\.js$",
    "the core": "/assets/opening-[^/]*\\.wasm$",
  };
  for (const [name, ending] of Object.entries(files))
    test(`${name}: by a reload, and for the next time without network`, async ({ page, host }) => {
      await openKept(page, host.origin + under);
      expect((await damage(page, ending)).length).toBeGreaterThan(0);
      await page.reload();
      await numbers(page);
      await expect(page.locator(".notices ap-notice")).toHaveCount(0);
      host.leave();
      await page.reload();
      await numbers(page);
    });

  test("a lab that is opened later", async ({ page, host }) => {
    await openKept(page, host.origin + under);
    expect(await damage(page, "/assets/multi-head-[^/]*\\.js$")).not.toEqual([]);
    await go(page, "multi-head");
    await expect(page.locator(".notices ap-notice")).toHaveCount(0);
  });

  test("a page that fetches again gets the file from the host, or from the cache when there is no host", async ({
    page,
    host,
  }) => {
    await openKept(page, host.origin + under);
    const [core = ""] = await page.evaluate(async () => {
      const found = performance.getEntriesByType("resource").map(({ name }) => name);
      return found.filter((name) => name.endsWith(".wasm"));
    });
    host.requests.length = 0;
    const size = () =>
      page.evaluate(async (address) => {
        const answer = await fetch(address, { cache: "reload" });
        return (await answer.arrayBuffer()).byteLength;
      }, core);
    const before = await size();
    expect(host.requests).toEqual([new URL(core).pathname]);
    host.leave();
    expect(await size()).toBe(before);
  });

  test("when neither the cache nor the host has the file there is a notice, and Try again works once the host has it", async ({
    page,
    host,
    watched,
  }) => {
    await openKept(page, host.origin + under);
    await damage(page, "/assets/transformer-[^/]*\\.wasm$");
    host.leave();
    await page.evaluate(() => {
      location.hash = "v=1&lab=block";
    });
    const notice = page.locator(".notices ap-notice");
    await expect(notice).toContainText("could not be opened");
    // The console has reported the file that could not be fetched.
    watched.complaints.splice(0);
    host.comeBack();
    await notice.getByRole("button", { name: "Try again" }).click();
    await still(page, "block");
  });
});

test("without room nothing is stored, and the page works without a notice", async ({ page, host }) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: host.origin, quotaSize: 2_000_000 });
  await page.goto(host.origin + under);
  await numbers(page);
  // Requested only by the service worker, and at the beginning of it.
  await expect.poll(() => host.requests.includes(`${under}bench.html`)).toBe(true);
  const left = () =>
    page.evaluate(async () => {
      const registrations = await navigator.serviceWorker.getRegistrations();
      const versions = (await caches.keys()).filter((name) => name.startsWith("attention-playground /"));
      return { registrations: registrations.length, versions: versions.length };
    });
  await expect.poll(left).toEqual({ registrations: 0, versions: 0 });
  await go(page, "block");
  await expect(page.locator(".notices ap-notice")).toHaveCount(0);
});

test("two sites of one origin keep separate caches", async ({ page, host }) => {
  const site = siteFolder();
  const places = ["/one/", "/two/"];
  for (const place of places) host.serve(place, site);
  for (const place of places) await openKept(page, host.origin + place);
  for (const place of places) expect(await keptVersions(page, place)).toEqual([versionOf(site)]);
  host.leave();
  for (const place of places) {
    await page.goto(host.origin + place);
    await numbers(page);
    await go(page, "positions");
  }
});

test("on the host of `npm start` nothing is stored, and what was stored is deleted", async ({
  page,
  host,
}) => {
  await openKept(page, host.origin + under);
  host.serve(under, siteFolder(), { instead: selfRemovingServiceWorker });
  await page.reload();
  await numbers(page);
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registered).toBe(0);
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  host.requests.length = 0;
  await page.reload();
  await numbers(page);
  expect(host.requests).toContain(under);
  await expect.poll(() => host.requests.filter((path) => path.endsWith("service-worker.js")).length).toBe(1);
  await expect.poll(registered).toBe(0);
  await expect(page.locator(".notices ap-notice")).toHaveCount(0);
});

test("the frame for other pages never uses the service worker, and comes from the host", async ({
  page,
  host,
}) => {
  const frame = `${host.origin}${under}embed.html`;
  expect(await (await page.request.get(frame)).text()).not.toMatch(
    /service-worker|serviceWorker\b.*register/,
  );
  await openKept(page, host.origin + under);
  host.requests.length = 0;
  await page.goto(`${frame}#v=1`);
  await numbers(page);
  expect(host.requests).toContain(`${under}embed.html`);
});

test.describe("where service workers are", () => {
  const refusals = {
    missing: () => Object.defineProperty(Navigator.prototype, "serviceWorker", { value: undefined }),
    "refused by a throw": () =>
      Object.defineProperty(Navigator.prototype, "serviceWorker", {
        get() {
          document.documentElement.dataset.refused = "";
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      }),
    "refused by a rejection": () => {
      ServiceWorkerContainer.prototype.register = () => {
        document.documentElement.dataset.refused = "";
        return Promise.reject(new DOMException("The operation is insecure.", "SecurityError"));
      };
    },
  };
  for (const [name, refuse] of Object.entries(refusals))
    test(`${name}, the page works without a notice`, async ({ page, host }) => {
      await page.addInitScript(refuse);
      await page.goto(host.origin + under);
      await numbers(page);
      await expect.poll(() => host.requests.filter((path) => /keep-site-/.test(path)).length).toBe(1);
      if (name !== "missing") await expect(page.locator("html[data-refused]")).toBeAttached();
      await go(page, "multi-head");
      await expect(page.locator(".notices ap-notice")).toHaveCount(0);
      expect(host.requests.filter((path) => path.endsWith("service-worker.js"))).toEqual([]);
    });
});

test.describe("versions", () => {
  const labFile = (lab: string): string =>
    `assets/${readdirSync(join(siteFolder(), "assets")).find((file) => new RegExp(`^${lab}-[^/]*\\.js$`).test(file))}`;

  /** The version of the page and of the labs' code that ran in it. */
  const versionIn = (page: Page): Promise<[string, string]> =>
    page.evaluate(() => {
      const { page = "first", code = "first" } = document.documentElement.dataset;
      return [page, code];
    });

  const made: string[] = [];
  const version = (name: string): string => {
    const code = (text: string) => `${text}\ndocument.documentElement.dataset.code = "${name}";\n`;
    const folder = otherVersion({
      "index.html": (text) => text.replace("<html ", `<html data-page="${name}" `),
      [labFile("multi-head")]: code,
      [labFile("positions")]: code,
    });
    made.push(folder);
    return folder;
  };
  test.afterAll(() => made.forEach(removeVersion));

  const notice = (page: Page) => page.locator(".notices ap-notice", { hasText: "A newer version is ready." });

  /** What the browser has stored of the site, read from outside it. */
  async function waiting(context: BrowserContext, host: Host): Promise<boolean> {
    const page = await context.newPage();
    await page.goto(`${host.origin}/beside.html`);
    const state = await page.evaluate(async (scope) => {
      const registration = await navigator.serviceWorker.getRegistration(scope);
      return registration?.waiting !== null;
    }, host.origin + under);
    await page.close();
    return state;
  }

  test("a page stays with its version until it is reloaded into the next; both versions can be open side by side", async ({
    page,
    context,
    host,
  }) => {
    test.slow();
    const other = await context.newPage();
    await openKept(page, host.origin + under);
    const first = versionOf(siteFolder());
    const second = version("second");
    host.serve(under, second);
    await page.reload();
    await numbers(page);
    await openKept(other, host.origin + under);
    await expect(notice(page)).toBeVisible({ timeout: 30_000 });
    await expect(notice(other)).toBeVisible({ timeout: 30_000 });
    expect((await keptVersions(page, under)).sort()).toEqual([first, versionOf(second)].sort());

    await go(page, "multi-head");
    expect(await versionIn(page)).toEqual(["first", "first"]);
    // A change made a moment ago is not lost.
    await page.getByRole("button", { name: /中文/ }).click();
    await page.locator(".notices ap-notice").getByRole("button", { name: "刷新" }).click();
    await expect(page.locator("html[data-page=second]")).toBeAttached();
    await still(page, "multi-head");
    expect(await versionIn(page)).toEqual(["second", "second"]);
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(page.locator(".notices ap-notice")).toHaveCount(0);

    // The other page is still of the first version, also for files that it has not requested yet, and without a
    // network.
    host.leave();
    expect(await versionIn(other)).toEqual(["first", "first"]);
    await go(other, "positions");
    await go(other, "multi-head");
    expect(await versionIn(other)).toEqual(["first", "first"]);
    expect((await keptVersions(page, under)).sort()).toEqual([first, versionOf(second)].sort());
    await notice(other).getByRole("button", { name: "Reload" }).click();
    await expect(other.locator("html[data-page=second]")).toBeAttached();
    await still(other, "multi-head");
    expect(await versionIn(other)).toEqual(["second", "second"]);

    // The first version is not needed any more.
    await expect.poll(() => keptVersions(page, under)).toEqual([versionOf(second)]);
  });

  test("the next visit has the next version when no page of the old one is open", async ({
    page,
    context,
    host,
  }) => {
    test.slow();
    await openKept(page, host.origin + under);
    const second = version("third");
    host.serve(under, second);
    await page.reload();
    await expect(notice(page)).toBeVisible({ timeout: 30_000 });
    await page.getByRole("button", { name: /中文/ }).click();
    await expect(page.locator(".notices ap-notice")).toContainText("有新版本可用。");
    await page.getByRole("button", { name: "知道了" }).click();
    await expect(page.locator(".notices ap-notice")).toHaveCount(0);
    expect(await versionIn(page)).toEqual(["first", "first"]);
    await page.close();
    await expect.poll(() => waiting(context, host), { timeout: 30_000 }).toBe(false);
    host.leave();
    const next = await context.newPage();
    await next.goto(`${host.origin}${under}#v=1&lab=positions`);
    await still(next, "positions");
    expect(await versionIn(next)).toEqual(["third", "third"]);
    await expect.poll(() => keptVersions(next, under)).toEqual([versionOf(second)]);
  });

  test("nothing is stored from a host that is halfway through an update", async ({ page, host }) => {
    const half = version("fourth");
    // One file is still the old one.
    const file = labFile("positions");
    copyFileSync(join(siteFolder(), file), join(half, file));
    host.serve(under, half);
    await page.goto(host.origin + under);
    await numbers(page);
    await expect
      .poll(() => host.requests.filter((path) => path === under + file).length, { timeout: 30_000 })
      .toBe(2);
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)))
      .toBe(0);
    await go(page, "positions");
  });

  test("a link of a newer version reloads into the newest version", async ({ page, host }) => {
    test.slow();
    await openKept(page, host.origin + under);
    host.serve(under, version("fifth"));
    await page.evaluate(() => {
      location.hash = "v=2&lab=attention";
    });
    await page.getByRole("button", { name: "Reload the page" }).click();
    await expect(page.locator("html[data-page=fifth]")).toBeAttached({ timeout: 30_000 });
    await expect(page).toHaveURL(/v=2/);
  });
});
