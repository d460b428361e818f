/**
 * attention-playground in a page of another origin: as an ES module and as a classic script, beside frames,
 * with styles of its own.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import type { AttentionPlayground } from "../../web/page/attention-playground.js";
import { expect, hosts, labIds, test } from "./open.js";

/** The page of another origin: its answer, and its address. */
let answered = { body: "", headers: {} as Record<string, string> };
let server: Server;
let post = "";

test.beforeAll(async () => {
  server = createServer((_request, response) =>
    response
      .writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...answered.headers })
      .end(answered.body),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  post = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
test.afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function open(
  page: Page,
  body: string,
  head = "",
  headers: Record<string, string> = {},
): Promise<void> {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>A post</title>${head}<body>${body}</body></html>`;
  answered = { body: html, headers };
  await page.goto(post);
}

const module = `<script type="module" src="${hosts.page}attention-playground.js"></script>`;
const classic = `<script src="${hosts.bare}attention-playground.classic.js"></script>`;

const tensors = (page: Page, place = 0) =>
  page
    .locator("attention-playground")
    .nth(place)
    .evaluate(async (element) => {
      const made = await (element as AttentionPlayground).tensors();
      return Object.fromEntries(
        Object.entries(made).map(([name, { shape, data }]) => [name, { shape, data: [...data] }]),
      );
    });

test("a post with three frames, one of them sandboxed, and two elements, in both themes", async ({
  page,
}) => {
  const frame = (hash: string, more = "") =>
    `<iframe src="${hosts.bare}embed.html#${hash}" width="680" height="460" title="A lab" ${more}></iframe>`;
  await open(
    page,
    frame("v=1&cell=output,0,0&theme=dark&lang=en", 'sandbox="allow-scripts"') +
      frame("v=1&lab=multi-head&theme=light&lang=en") +
      frame("v=1&lab=losses&lang=zh") +
      '<attention-playground src="#v=1&lab=attention&cell=output,0,0&lang=en" theme="dark"></attention-playground>' +
      '<attention-playground src="#v=1&lab=optimizers&lang=en" theme="light"></attention-playground>',
    module,
  );
  for (const place of [0, 1, 2])
    await expect(page.frameLocator("iframe").nth(place).locator("ap-note h2")).toBeVisible();
  await expect(page.frameLocator("iframe").first().locator("ap-note")).toContainText("0.985");
  const elements = page.locator("attention-playground");
  for (const place of [0, 1]) {
    await elements.nth(place).scrollIntoViewIfNeeded();
    await expect(elements.nth(place).locator("ap-note h2")).toBeVisible();
  }
  await expect(elements.first().locator("ap-note")).toContainText("0.985");
  const backgroundOf = (place: number) =>
    elements
      .nth(place)
      .locator(".root")
      .evaluate((root) => getComputedStyle(root).backgroundColor);
  expect(await backgroundOf(0)).toBe("rgb(19, 21, 24)");
  expect(await backgroundOf(1)).toBe("rgb(252, 251, 248)");
  expect(page.url()).toBe(post);
});

for (const [kind, script] of [
  ["an ES module", module],
  ["a classic script from a host without headers", classic],
] as const)
  test(`as ${kind}: attributes and properties take effect, events are dispatched, tensors are returned`, async ({
    page,
  }) => {
    await open(page, '<attention-playground src="#v=1&lang=en" lang="en"></attention-playground>', script);
    const element = page.locator("attention-playground");
    await expect(element.locator("ap-note h2")).toBeVisible();
    await element.evaluate((one) => {
      const told: unknown[] = [];
      (window as unknown as { told: unknown[] }).told = told;
      for (const name of ["change", "cell-focus"])
        one.addEventListener(name, (event) => told.push({ name, ...(event as CustomEvent<object>).detail }));
    });
    const recordedEvents = (): Promise<{ name: string }[]> =>
      page.evaluate(() => (window as unknown as { told: { name: string }[] }).told);
    const { output, weights } = await tensors(page);
    expect(output!.shape).toEqual([4, 3]);
    expect(output!.data[0]).toBeCloseTo(0.985, 3);
    expect(weights!.data.slice(0, 4).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 12);

    await element.locator('[data-board="output"] [data-row="1"][data-column="2"]').first().focus();
    await expect.poll(recordedEvents).toContainEqual({
      name: "cell-focus",
      tensor: "output",
      index: [1, 2],
      value: output!.data[5],
    });

    await element.evaluate((one) => one.setAttribute("src", "#v=1&lab=attention&seed=5&tokens=a,b&lang=en"));
    await expect.poll(async () => (await recordedEvents()).map(({ name }) => name)).toContain("change");
    expect((await tensors(page)).output!.shape[0]).toBe(2);
    await element.evaluate((one) => ((one as AttentionPlayground).ui = "none"));
    await expect(element.locator("ap-note")).toHaveCount(0);
    await element.evaluate((one) => ((one as AttentionPlayground).theme = "dark"));
    await expect(element.locator(".root")).toHaveAttribute("data-theme", "dark");
    await element.evaluate((one) => one.setAttribute("lang", "zh-CN"));
    await expect(element.locator(".root")).toHaveAttribute("lang", "zh-CN");
    await element.evaluate((one) => one.setAttribute("focus", "weights"));
    await expect(element.getByRole("grid")).toHaveCount(1);
    const link = element.getByRole("link", { name: /Attention Playground/ });
    await expect(link).toHaveAttribute("href", /^http:.*\/#v=1.*seed=5/);
  });

test("styles do not cross the border of the element, whatever the page sets for its elements", async ({
  page,
}) => {
  await open(
    page,
    '<p class="root">Text</p><attention-playground src="#v=1&lang=en"></attention-playground>',
    `${module}<style>
      :root { --paper: red; --ink: lime; --mono: fantasy; font: italic 40px fantasy; direction: rtl; letter-spacing: 9px; }
      * { color: red; text-transform: uppercase; }
      button, h1, .root { background: red !important; border-radius: 99px; }
    </style>`,
  );
  const root = page.locator("attention-playground .root");
  await expect(page.locator("attention-playground ap-note h2")).toBeVisible();
  const styles = await root.evaluate((element) => {
    const { color, backgroundColor, direction, letterSpacing, fontStyle, textTransform } =
      getComputedStyle(element);
    return { color, backgroundColor, direction, letterSpacing, fontStyle, textTransform };
  });
  expect(styles).toEqual({
    color: "rgb(26, 28, 31)",
    backgroundColor: "rgb(252, 251, 248)",
    direction: "ltr",
    letterSpacing: "normal",
    fontStyle: "normal",
    textTransform: "none",
  });
  const sizeOutside = await page.locator("p.root").evaluate((element) => getComputedStyle(element).fontSize);
  expect(sizeOutside).toBe("40px");
});

test("a narrow element in a wide page is laid out as a narrow one", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(
    page,
    '<div style="width:360px"><attention-playground src="#v=1&lang=en"></attention-playground></div>',
    module,
  );
  const element = page.locator("attention-playground");
  await expect(element.locator("ap-note h2")).toBeVisible();
  expect(await element.evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  const [stage, note] = await Promise.all([
    element.locator("ap-stage").first().boundingBox(),
    element.locator("ap-note").boundingBox(),
  ]);
  expect(note!.y).toBeGreaterThan(stage!.y + stage!.height - 8);
});

test("an element moved into a narrow column is laid out for it, and again when the column widens", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(
    page,
    '<attention-playground src="#v=1&lang=en"></attention-playground><div style="width:360px"></div>',
    module,
  );
  const element = page.locator("attention-playground");
  await expect(element.locator("ap-note h2")).toBeVisible();
  const widthOf = async (part: string): Promise<number> =>
    (await element.locator(`.stage ap-stage${part}`).boundingBox())!.width;
  const room = async () => [await widthOf(" .paper"), await widthOf("")] as const;
  const fits = async () => {
    const [scene, width] = await room();
    return scene <= width;
  };
  const [wide] = await room();
  await element.evaluate((one) => document.querySelector("div")!.append(one));
  await expect.poll(fits, { message: "in a narrow column" }).toBe(true);
  const [narrow] = await room();
  expect(narrow).toBeLessThan(wide);
  await page.locator("body > div").evaluate((column) => (column.style.width = "1300px"));
  await expect.poll(async () => (await room())[0], { message: "in a wide one" }).toBeGreaterThan(narrow);
});

test("the numbers of every lab are above the note, at any width", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, '<attention-playground src="#v=1&lang=en"></attention-playground>', module);
  const element = page.locator("attention-playground");
  for (const lab of labIds)
    for (const width of [500, 800, 1000, 1180, 1300]) {
      await element.evaluate(
        async (one, [asked, pixels]) => {
          one.style.width = `${pixels}px`;
          (one as AttentionPlayground).src = `#v=1&lab=${asked}&lang=en`;
          await (one as AttentionPlayground).tensors();
        },
        [lab, width] as const,
      );
      await expect(element.locator("ap-note h2")).toBeVisible();
      const over = (): Promise<number> =>
        element.locator(".stage ap-stage .paper").evaluate((paper) => {
          const bottoms = [...paper.querySelectorAll("canvas, [role=grid]")].map(
            (part) => part.getBoundingClientRect().bottom,
          );
          return Math.max(...bottoms) - paper.getBoundingClientRect().bottom;
        });
      await expect.poll(over, { message: `${lab} at ${width}` }).toBeLessThanOrEqual(0);
    }
});

test("the element waits until it is near the window, and starts when its numbers are requested", async ({
  page,
}) => {
  await open(
    page,
    '<div style="height:6000px"></div><attention-playground src="#v=1&lang=en"></attention-playground>',
    module,
  );
  const element = page.locator("attention-playground");
  await page.evaluate(() => customElements.whenDefined("attention-playground"));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(element.locator("ap-lab")).toHaveCount(0);
  expect(page.workers()).toHaveLength(0);
  expect((await tensors(page)).scores!.shape).toEqual([4, 4]);
  await expect(element.locator("ap-lab")).toHaveCount(1);
});

test("an element that was never near prints its own content, else its title and address; printing starts nothing", async ({
  page,
}) => {
  await open(
    page,
    '<div style="height:6000px"></div>' +
      '<attention-playground src="#v=1&lang=en"><a href="./lab"><img alt="Four words" width="40" height="20" src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>"></a></attention-playground>' +
      '<attention-playground src="#v=1&lab=losses&lang=zh"></attention-playground>',
    module,
  );
  await page.evaluate(() => customElements.whenDefined("attention-playground"));
  const elements = page.locator("attention-playground");
  await expect(elements.first().locator("img")).toBeHidden();
  await expect(elements.first().locator("ap-lab")).toHaveCount(0);
  // A printer gets the drawing of the moment when "beforeprint" is fired, and nothing later.
  const parts = await elements.locator(":is(img, slot a, .root)").elementHandles();
  const printed = page.evaluate(
    (looked) =>
      new Promise<unknown>((resolve) =>
        matchMedia("print").addEventListener(
          "change",
          () =>
            resolve(
              (looked as HTMLAnchorElement[]).map((part) => {
                const shown = part.checkVisibility();
                return [part.localName, shown, ...(shown && part.href ? [part.innerText, part.href] : [])];
              }),
            ),
          { once: true },
        ),
      ),
    parts,
  );
  await page.emulateMedia({ media: "print" });
  const address: unknown = expect.stringMatching(/\/#v=1&.*ex=label-smoothing.*lang=zh/);
  expect(await printed).toEqual([
    // When the element contains a picture, the element's own text is not printed.
    ["img", true],
    ["div", false],
    ["a", false],
    ["div", false],
    ["a", true, "答错的代价，来自 Attention Playground", address],
  ]);
  // A browser that prints also fires the event on the window.
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(elements.locator("ap-lab")).toHaveCount(0);
  expect(page.workers()).toHaveLength(0);
});

test("strict hosts: a policy that allows its script and its worker, Trusted Types, and isolation", async ({
  page,
}) => {
  const { origin } = new URL(hosts.page);
  await open(
    page,
    '<attention-playground src="#v=1&cell=output,0,0&lang=en"></attention-playground>',
    module,
    {
      "Content-Security-Policy": `default-src 'self'; img-src data:; script-src 'self' ${origin} 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for 'script'`,
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Embedder-Policy": "require-corp",
    },
  );
  await expect(page.locator("attention-playground ap-note")).toContainText("0.985");
});

test("`only` chooses the tensors, as an attribute and as a property", async ({ page }) => {
  await open(page, '<attention-playground src="#v=1&lang=en" only="weights"></attention-playground>', module);
  const element = page.locator("attention-playground");
  await expect(element.getByRole("grid")).toHaveCount(1);
  const kept = await element.evaluate((one) => {
    const lab = one as AttentionPlayground;
    const before = lab.only;
    // As React and Vue set properties of the element.
    lab.only = "weights,output";
    return { before, focus: typeof lab.focus };
  });
  expect(kept).toEqual({ before: "weights", focus: "function" });
  await expect(element.getByRole("grid")).toHaveCount(2);
});

test("the theme of the page around is followed, also when it changes", async ({ page }) => {
  const style = "<style>.night { color: oklch(0.95 0 0); background: #111; }</style>";
  await open(page, '<attention-playground src="#v=1" theme="page"></attention-playground>', style + module);
  const root = page.locator("attention-playground .root");
  await expect(page.locator("attention-playground ap-note")).toBeVisible();
  await expect(root).toHaveAttribute("data-theme", "light");
  await page.evaluate(() => document.documentElement.classList.add("night"));
  await expect(root).toHaveAttribute("data-theme", "dark");
  await page.evaluate(() => document.documentElement.classList.remove("night"));
  await expect(root).toHaveAttribute("data-theme", "light");
});

test("restore returns to the state of src", async ({ page }) => {
  await open(
    page,
    '<attention-playground src="#v=1&cell=output,0,0&lang=en"></attention-playground>',
    module,
  );
  const element = page.locator("attention-playground");
  const heading = element.locator("ap-note h2");
  await expect(heading).toHaveText("output[0, 0]");
  await element.getByRole("gridcell").first().click();
  await expect(heading).not.toHaveText("output[0, 0]");
  await element.evaluate((one) => (one as AttentionPlayground).restore());
  await expect(heading).toHaveText("output[0, 0]");
});

test("a policy that forbids the worker is named", async ({ page, watched }) => {
  const { origin } = new URL(hosts.page);
  await open(page, '<attention-playground src="#v=1&lang=en"></attention-playground>', module, {
    "Content-Security-Policy": `default-src 'self'; img-src data:; style-src 'unsafe-inline'; script-src 'self' ${origin} 'wasm-unsafe-eval'`,
  });
  await expect(page.locator("attention-playground ap-notice")).toContainText("worker-src must allow blob:");
  // The browser reports it on the console.
  expect(watched.complaints.splice(0).length).toBeGreaterThan(0);
});

test("with the height in the code nothing on the page moves when the element computes", async ({ page }) => {
  await open(
    page,
    '<attention-playground src="#v=1&lang=en" style="display:block;min-height:1200px"></attention-playground><p>After it</p>',
    module,
  );
  const after = async () => (await page.getByText("After it").boundingBox())!.y;
  const before = await after();
  await expect(page.locator("attention-playground ap-note")).toBeVisible();
  expect(await after()).toBe(before);
});

test("the element's numbers are requested at once; it is moved while it computes, changed to another lab, and left without a link", async ({
  page,
}) => {
  await open(page, '<attention-playground src="#v=1&lab=losses&lang=en"></attention-playground>', module);
  await page.evaluate(() => customElements.whenDefined("attention-playground"));
  const element = page.locator("attention-playground");
  // Its lab has not been loaded when its numbers are requested.
  expect(Object.keys(await tensors(page))).toContain("loss");
  const moved = await element.evaluate(async (one) => {
    const lab = one as AttentionPlayground;
    lab.src = "#v=1&lab=multi-head&ex=two-heads";
    document.body.prepend(lab);
    const names = Object.keys(await lab.tensors());
    lab.remove();
    lab.src = "#v=1&lab=positions&length=5&dim=4";
    document.body.append(lab);
    return { names, shape: (await lab.tensors())["PE"]?.shape };
  });
  expect(moved.names).toContain("weights");
  expect(moved.names).not.toContain("loss");
  expect(moved.shape).toEqual([5, 4]);
  await element.evaluate((one) => one.removeAttribute("src"));
  expect((await tensors(page)).scores!.shape).toEqual([4, 4]);
  await element.evaluate((one) =>
    one.setAttribute("src", "http://elsewhere.test/embed.html#ui=none&v=1&theme=auto"),
  );
  await expect(element.locator("ap-note")).toHaveCount(0);
  await expect(element.locator(".notices ap-notice")).toHaveCount(0);
});

test("events of inner elements stay inside", async ({ page }) => {
  await open(page, '<attention-playground src="#v=1&lang=en"></attention-playground>', module);
  const element = page.locator("attention-playground");
  await expect(element.locator("ap-note h2")).toBeVisible();
  await page.evaluate(() => {
    const heard: string[] = [];
    (window as unknown as { heard: string[] }).heard = heard;
    for (const name of ["play", "pause", "step", "back", "go", "time"])
      document.addEventListener(name, () => heard.push(name));
  });
  await element.getByRole("button", { name: "Step" }).click();
  await expect(element.locator("ap-note h2")).toHaveText(/^scaled/);
  expect(await page.evaluate(() => (window as unknown as { heard: string[] }).heard)).toEqual([]);
});

test("both scripts on one page define the element once; a second instance computes again", async ({
  page,
}) => {
  await open(page, '<attention-playground src="#v=1&lang=en"></attention-playground>', module + classic);
  const element = page.locator("attention-playground");
  await expect(element.locator("ap-note h2")).toBeVisible();
  const before = await tensors(page);
  const [worker] = page.workers();
  await element.evaluate((one) => document.body.prepend(one));
  expect(page.workers(), "one that is moved goes on").toEqual([worker]);
  await element.evaluate(async (one) => {
    one.remove();
    await new Promise(requestAnimationFrame);
    one.setAttribute("src", "#v=1&seed=9&lang=en");
    document.body.append(one);
  });
  await expect(element.locator("ap-note h2")).toBeVisible();
  expect(await tensors(page)).not.toEqual(before);
  await element.evaluate((one) => one.setAttribute("src", "#v=1&lang=en"));
  await element.locator('[data-board="scores"] [data-row="0"][data-column="1"]').first().focus();
  await expect(element.locator("ap-note h2")).toHaveText("scores[0, 1]");
  expect(await tensors(page)).toEqual(before);
});
