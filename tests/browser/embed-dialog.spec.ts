/** The code that Share writes for other pages: each kind is opened unchanged in a page of another origin. */
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import type { AttentionPlayground } from "../../web/page/attention-playground.js";
import { violations } from "./axe.js";
import { expect, hosts, openPage, still, test } from "./open.js";
import { startPost, type Post } from "./post.js";

let other: Post;
test.beforeAll(async () => {
  other = await startPost();
});
test.afterAll(() => other.stop());

/** Opens the page at `hash` and its Share dialog; resolves to the part with the code. */
async function share(page: Page, hash = "#v=1&cell=output,0,0&pin=1"): Promise<Locator> {
  await openPage(page, hash);
  await still(page, "attention");
  await page.getByRole("button", { name: /^(Share|分享)$/ }).click();
  const dialog = page.locator("ap-embed");
  await expect(dialog.getByRole("textbox", { name: /^(Code|代码)$/ })).toBeVisible();
  return dialog;
}

const codeIn = (dialog: Locator, name: string | RegExp = /^(Code|代码)$/): Promise<string> =>
  dialog.getByRole("textbox", { name }).innerText();

/** An attribute of the code, as a browser parses it. */
const attribute = (code: string, name: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(code)?.[1]?.replaceAll("&amp;", "&") ?? "";

/** Opens a page of another origin that contains the code. */
async function post(page: Page, code: string): Promise<void> {
  other.body = code;
  // As hosts with CORS headers serve it.
  await page.route(`${hosts.page}attention-playground.js`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "access-control-allow-origin": "*" } });
  });
  await page.goto(other.address);
}

async function savedPicture(page: Page, dialog: Locator): Promise<{ file: string; text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download picture (SVG)" }).click(),
  ]);
  return { file: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("a frame: the shortest code, what its options add, and its height by the script", async ({ page }) => {
  const dialog = await share(page);
  const plain = await codeIn(dialog);
  expect(plain).toMatch(
    /^<iframe src="http[^"]*\/embed\.html#v=1&amp;c[^"]*" title="Attention, step by step" width="680" height="\d+" style="max-width:100%;border:0" loading="lazy"><a href="http[^"]*">Attention, step by step<\/a><\/iframe>$/,
  );
  expect(plain).not.toMatch(/(ui|focus|theme|lang)=/);
  await dialog.getByRole("checkbox", { name: "settings" }).uncheck();
  expect(await codeIn(dialog)).toContain("embed.html#ui=minimal&amp;v=1");
  await dialog.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  await dialog.getByRole("combobox", { name: "Language" }).selectOption("中文");
  await dialog.getByText("Only some tensors").click();
  const tensors = dialog.getByRole("group", { name: "Only some tensors" });
  await tensors.getByRole("checkbox", { name: /^A, weights/ }).check();
  await tensors.getByRole("checkbox", { name: /^O, output/ }).check();
  const code = await codeIn(dialog);
  expect(attribute(code, "src")).toMatch(
    /#ui=minimal&focus=weights,output&v=1&.*&lang=zh-CN&theme=dark&c=\w{7}$/,
  );
  expect(Number(attribute(code, "height"))).toBeLessThan(Number(attribute(plain, "height")));
  await dialog.getByText("Height that follows").click();
  const script = await codeIn(dialog, "Script for the page around");
  await dialog.getByText("Only the address of the frame").click();
  expect(await codeIn(dialog, "Address of the frame")).toBe(attribute(code, "src"));

  await post(page, `${script}${code.replace("680", "340")}<iframe title="Another" srcdoc="<p>A"></iframe>`);
  const frame = page.frameLocator("iframe").first();
  await expect(frame.locator("ap-note")).toContainText("0.985");
  await expect(frame.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(frame.locator(".root")).toHaveAttribute("data-theme", "dark");
  await expect(frame.getByRole("grid")).toHaveCount(2);
  await expect(frame.locator("ap-notice")).toHaveCount(0);
  const wanted = (): Promise<number> =>
    frame
      .locator("attention-playground")
      .evaluate((element) => Math.ceil((element as AttentionPlayground).contentHeight));
  await expect
    .poll(async () => Number(await page.locator("iframe").first().getAttribute("height")) - (await wanted()))
    .toBe(0);
  // A message of another window does not change this frame.
  const before = await page.locator("iframe").first().getAttribute("height");
  await page
    .frames()
    .at(-1)!
    .evaluate(() => parent.postMessage({ type: "attention-playground:height", height: 9 }, "*"));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.locator("iframe").first().getAttribute("height")).toBe(before);
});

test("an element: its attributes, and a picture inside that is neither drawn nor printed once the element runs", async ({
  page,
}) => {
  const dialog = await share(page);
  await dialog.getByRole("radio", { name: "element" }).check();
  expect(await codeIn(dialog)).toMatch(
    /^<script type="module" src="http[^"]*\/attention-playground\.js"><\/script>\s<attention-playground src="#v=1[^"]*" style="display:block;min-height:\d+px"><a href="http[^"]*">[^<]*<\/a><\/attention-playground>$/,
  );
  await dialog.getByRole("checkbox", { name: "formula" }).check();
  await dialog.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  await dialog.getByRole("combobox", { name: "Language" }).selectOption("中文");
  await dialog.getByText("Only some tensors").click();
  await dialog.getByRole("checkbox", { name: /^A, weights/ }).check();
  await dialog.getByRole("checkbox", { name: /^O, output/ }).check();
  await dialog.getByRole("checkbox", { name: /^inside the element/ }).check();
  const code = await codeIn(dialog);
  const [, own] = code.split("<attention-playground");
  for (const [name, value] of Object.entries({ ui: "full", theme: "dark", lang: "zh-CN" }))
    expect(attribute(own!, name)).toBe(value);
  expect(attribute(own!, "only")).toBe("weights,output");

  await post(page, code);
  const element = page.locator("attention-playground");
  await expect(element.locator("ap-note")).toContainText("0.985");
  await expect(element.locator(".root")).toHaveAttribute("lang", "zh-CN");
  await expect(element.locator(".root")).toHaveAttribute("data-theme", "dark");
  await expect(element.locator("ap-formula math")).toHaveCount(1);
  await expect(element.getByRole("grid")).toHaveCount(2);
  const picture = page.getByAltText("Attention, step by step");
  await expect(picture).toHaveCount(1);
  await expect(picture).toBeHidden();
  await page.emulateMedia({ media: "print" });
  await expect(picture).toBeHidden();
  await expect(element.locator("ap-note")).toBeVisible();
  for (const tensor of ["weights", "output"])
    await expect(element.locator(`canvas[data-tensor="${tensor}"]`)).toBeVisible();
});

test("without JavaScript the element shows its picture, which links to the state", async ({
  page,
  browser,
}) => {
  const dialog = await share(page);
  await dialog.getByRole("radio", { name: "element" }).check();
  await dialog.getByRole("checkbox", { name: /^inside the element/ }).check();
  const code = await codeIn(dialog);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const reader = await context.newPage();
  await post(reader, code);
  await expect(reader.getByAltText("Attention, step by step")).toBeVisible();
  const [link] = (await codeIn(dialog)).match(/(?<=href=")[^"]*/)!;
  expect(await reader.getByRole("link").getAttribute("href")).toBe(link.replaceAll("&amp;", "&"));
  await context.close();
});

test("a picture: Markdown for tools that write it, a file of its own for each state, SVG with the numbers or PNG", async ({
  page,
}) => {
  const dialog = await share(page);
  await dialog.getByRole("radio", { name: "picture" }).check();
  expect(await codeIn(dialog)).toMatch(/^<a href="[^"]*"><img src="\.\/attention-\w{4}\.png" .* \/><\/a>$/);
  await dialog.getByRole("combobox", { name: "For" }).selectOption("VitePress");
  const code = await codeIn(dialog);
  const [, title, file, link] = /^\[!\[(.*)\]\((.*)\)\]\((.*)\)$/.exec(code)!;
  expect(title).toBe("Attention, step by step");
  await expect(dialog.getByRole("checkbox")).toHaveCount(0);
  const [png] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Download picture (PNG)" }).click(),
  ]);
  expect(`./${png.suggestedFilename()}`).toBe(file);
  await expect(dialog).toContainText(`Saved as ${png.suggestedFilename()}`);
  expect((await readFile(await png.path())).subarray(1, 4).toString()).toBe("PNG");
  const saved = await savedPicture(page, dialog);
  expect(saved.file).toBe(png.suggestedFilename().replace("png", "svg"));
  await dialog.getByText("Preview", { exact: true }).click();
  const preview = dialog.getByRole("img", { name: title! });
  await expect
    .poll(() => preview.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(300);

  const blank = await page.context().newPage();
  const read = await blank.evaluate((text) => {
    const picture = new DOMParser().parseFromString(text, "image/svg+xml");
    return {
      root: picture.documentElement.localName,
      broken: picture.querySelector("parsererror") !== null,
      title: picture.querySelector("title")?.textContent ?? "",
      texts: [...picture.querySelectorAll("text")].map((one) => one.textContent),
      outside: [...picture.querySelectorAll("[href], [src]")].length,
    };
  }, saved.text);
  expect(read).toMatchObject({ root: "svg", broken: false, title, outside: 0 });
  expect(read.texts).toEqual(expect.arrayContaining(["0.99", "1.74", "0.76"]));
  expect(saved.text).toContain(new URL(page.url()).hash.slice(1).replaceAll("&", "&amp;"));
  await blank.goto(link!);
  await expect(blank.locator("ap-note h2")).toHaveText("output[0, 0]");
});

test("the preview is loaded when it is opened, follows the options, shows its height, and ends with the dialog", async ({
  page,
  watched,
}) => {
  const dialog = await share(page);
  const framesRequested = () => watched.requests.filter((address) => address.includes("/embed.html")).length;
  expect(framesRequested()).toBe(0);
  await expect(dialog.locator("iframe")).toHaveCount(0);
  await dialog.getByText("Preview", { exact: true }).click();
  const outside = dialog.locator("iframe");
  await expect(outside).toHaveAttribute("sandbox", "allow-scripts");
  await expect(outside).toHaveAttribute("title", "Preview of “Attention, step by step”");
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("ap-note")).toContainText("0.985");
  await expect(frame.getByRole("link", { name: /Attention Playground/ })).toBeVisible();
  const statedHeight = async () =>
    Number(/(\d+) px high/.exec(await dialog.locator("ap-embed-preview details").innerText())?.[1]);
  // Once its matrices are drawn it reaches down to the end of the note.
  await expect(frame.locator("ap-stage [role=gridcell]").first()).toBeAttached();
  const end = () => frame.locator("ap-note").evaluate((note) => note.getBoundingClientRect().bottom);
  await expect.poll(async () => (await statedHeight()) - (await end())).toBeGreaterThanOrEqual(0);
  await expect
    .poll(async () => Number(await outside.getAttribute("height")) - (await statedHeight()))
    .toBe(0);
  const high = await statedHeight();
  for (const part of ["settings", "play bar", "arithmetic"])
    await dialog.getByRole("checkbox", { name: part }).uncheck();
  await expect(frame.locator("ap-stage").first()).toBeVisible();
  await expect(frame.locator("ap-note")).toHaveCount(0);
  await expect.poll(statedHeight).toBeLessThan(high);
  const back = await page.evaluate(() => history.length);
  await dialog.getByRole("combobox", { name: "Language" }).selectOption("中文");
  await expect(frame.locator("html")).toHaveAttribute("lang", "zh-CN");
  expect(await page.evaluate(() => history.length)).toBe(back);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.locator("ap-share iframe")).toHaveCount(0);
});

test("the picture of another state has another name", async ({ page }) => {
  const names = [];
  for (const hash of ["#v=1&cell=output,0,0", "#v=1&cell=output,0,1", "#v=1&seed=7"]) {
    const dialog = await share(page, hash);
    await dialog.getByRole("radio", { name: "picture" }).check();
    names.push(/attention-\w{4}\.png/.exec(await codeIn(dialog))![0]);
    await page.keyboard.press("Escape");
  }
  expect(new Set(names).size).toBe(3);
});

test("on a phone the picture and the system's own sharing come first", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(navigator, { share: (data: unknown) => (shared.push(data), Promise.resolve()) });
    Object.assign(window, { shared });
  });
  await share(page, "#v=1&seed=7");
  const dialog = page.getByRole("dialog", { name: "Share exactly this" });
  const top = async (name: string) =>
    (await dialog.getByRole("button", { name, exact: true }).boundingBox())!.y;
  expect(await top("Save picture")).toBeLessThan(await top("Copy the link"));
  expect(await top("Copy the link")).toBeLessThan(500);
  const [picture] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "Save picture" }).click(),
  ]);
  expect(picture.suggestedFilename()).toMatch(/^attention-\w{4}\.png$/);
  await dialog.getByRole("button", { name: "Share…" }).click();
  const shared = await page.evaluate(() => (window as unknown as { shared: { url: string }[] }).shared);
  expect(shared[0]!.url).toContain("seed=7");
});

for (const [language, viewport, theme] of [
  ["en", { width: 1280, height: 900 }, "light"],
  ["zh-CN", { width: 390, height: 844 }, "dark"],
] as const)
  test.describe(`${language}, ${viewport.width} wide, ${theme}`, () => {
    test.use({ viewport, colorScheme: theme, locale: language, hasTouch: viewport.width < 400 });
    test("axe finds nothing and nothing overflows, with any kind of code", async ({ page }) => {
      const dialog = await share(page);
      for (const summary of await dialog.locator("summary").all()) await summary.click();
      for (const kind of [0, 1, 2]) {
        await dialog.getByRole("radio").nth(kind).check();
        expect(await violations(page)).toEqual([]);
        expect(
          await page.getByRole("dialog").evaluate((one) => one.scrollWidth - one.clientWidth),
        ).toBeLessThanOrEqual(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      }
    });
  });
