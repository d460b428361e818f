// npm run share-pages: makes the pages of dist/share, which are shared instead of links, and the pictures of their previews. SITE is
// the address of the site: without it everything that needs an absolute address is left out.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { headlessChromium } from "./browser.mjs";
import { buildAll } from "./build.mjs";
import { project } from "./env.mjs";
import { testFonts } from "./fonts.mjs";
import { main, SetupError, step } from "./progress.mjs";
import { answers, listen } from "./serve.mjs";

/** Previews do not show larger pictures. */
const largest = 300 * 1024;

/** Imports web/page/shared-pages.ts, whose functions return the texts of the pages. */
export async function loadSharedPages() {
  // After the packages are installed.
  const { runnerImport } = await import("vite");
  const { module: script } = await runnerImport(join(project, "web/build/script.ts"), { logLevel: "error" });
  const { module } = await runnerImport(join(project, "web/page/shared-pages.ts"), {
    plugins: script.pagePlugins(),
    logLevel: "error",
  });
  return module;
}

/** The given address of the site; null where there is none. */
export function siteAddress(given) {
  if (!given) return null;
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash)
    throw new SetupError(`SITE: expected an address like https://name.example/folder/, got "${given}"`);
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

/** Widths of the frame in a card, in the order of trying: the widest with legible numbers, otherwise the one with the largest numbers. */
const widths = [1104, 820, 680];
const readable = 0.6;
/** The edges of a frame that are not part of a picture: its border, and its foot with the link. */
const edge = 2;
const foot = 46;

/** Opens a text as a page beside the site, and waits until its frame has drawn its numbers. */
async function open(page, base, text) {
  await page.route(`${base}card.html`, (route) =>
    route.fulfill({ contentType: "text/html; charset=utf-8", body: text }),
  );
  await page.goto(`${base}card.html`);
  await page
    .frameLocator("iframe")
    .locator("ap-stage")
    .locator("canvas, svg")
    .first()
    .waitFor({ state: "attached" });
  await settled(page);
  await page.unroute(`${base}card.html`);
}

/** The height that the frame requests, once it has not changed for an eighth of a second. */
const settled = (page) =>
  page.evaluate(async () => {
    for (let before = 0; before !== window.asked || before === 0;) {
      before = window.asked;
      await new Promise((done) => setTimeout(done, 120));
    }
    return window.asked;
  });

/** The height of a page's frame at 680 pixels. */
async function frameHeight(page, base, { frame, hash }, { frameWidth }) {
  await page.setViewportSize({ width: frameWidth, height: 800 });
  const source = `${base}${frame}#${hash}`.replaceAll("&", "&amp;");
  const style = "<style>body{margin:0}iframe{border:0}</style>";
  await open(
    page,
    base,
    `<!doctype html>${style}<iframe src="${source}" width="${frameWidth}" height="700"></iframe>`,
  );
  return settled(page);
}

/** The preview picture of a page, as PNG. */
async function picture(page, base, shared, site, { cardText, card, cardRoom }) {
  await page.setViewportSize(card);
  await open(page, base, cardText(shared, base, site));
  const frame = page.locator("iframe");
  const tried = [];
  for (const width of widths) {
    await frame.evaluate((one, to) => (one.style.width = `${to}px`), width);
    const height = await settled(page);
    tried.push({
      width,
      height,
      scale: Math.min(cardRoom.width / width, cardRoom.height / (height - foot), 1.25),
    });
  }
  const best =
    tried.find(({ scale }) => scale >= readable) ?? tried.reduce((a, b) => (b.scale > a.scale ? b : a));
  await frame.evaluate(
    (one, { width, height, scale, edge, foot }) => {
      one.style.width = `${width}px`;
      one.style.height = `${height}px`;
      one.style.transform = `scale(${scale}) translate(-${edge}px, -${edge}px)`;
      const { style } = one.parentElement;
      style.width = `${(width - 2 * edge) * scale}px`;
      style.height = `${(height - foot - edge) * scale}px`;
      style.left = `${(innerWidth - (width - 2 * edge) * scale) / 2}px`;
    },
    { ...best, edge, foot },
  );
  await settled(page);
  // Buttons are not part of a picture.
  await page
    .frameLocator("iframe")
    .locator("button")
    .evaluateAll((all) => all.forEach((one) => (one.style.visibility = "hidden")));
  return page.screenshot({ type: "png", animations: "disabled" });
}

/**
 * Makes the pages in `folder`/share from the site in `folder`, with an open browser; `wanted` selects them. Returns their number.
 * @param {import("@playwright/test").Browser} browser
 * @param {string} folder
 * @param {{ site: string | null, wanted?: (page: { name: string, language: string }) => boolean, update?: (line: string) => void }} options
 */
export async function sharePages(browser, folder, { site, wanted = () => true, update = () => undefined }) {
  const made = await loadSharedPages();
  const pages = made.languages.flatMap((language) => made.sharedPages(language)).filter(wanted);
  const server = await listen(answers(folder), 0);
  const base = `http://localhost:${server.address().port}/`;
  const page = await browser.newPage({ colorScheme: "light", deviceScaleFactor: 1, serviceWorkers: "block" });
  await page.addInitScript(() => {
    window.asked = 0;
    addEventListener("message", ({ data }) => {
      if (data?.type === "attention-playground:height") window.asked = data.height;
    });
  });
  try {
    rmSync(join(folder, "share"), { recursive: true, force: true });
    mkdirSync(join(folder, "share"));
    // The Share dialog offers no pages until all are made.
    writeFileSync(join(folder, made.listFile), "[]\n");
    for (const [index, shared] of pages.entries()) {
      update(`${index + 1} of ${pages.length}: ${shared.name}, ${shared.language}`);
      const place = join(folder, made.folderOf(shared.language));
      mkdirSync(place, { recursive: true });
      const height = await frameHeight(page, base, shared, made);
      const png = await picture(page, base, shared, site, made);
      if (png.length > largest)
        throw new SetupError(
          `${shared.name}: its picture has ${png.length} bytes, expected at most ${largest}`,
        );
      const files = { html: made.pageText(shared, { site, height }), png };
      if (site !== null) files.json = made.oEmbed(shared, { site, height });
      for (const [ending, content] of Object.entries(files))
        writeFileSync(join(place, `${shared.name}.${ending}`), content);
    }
    writeFileSync(join(folder, "share/open.js"), made.openingScript);
    writeFileSync(join(folder, "share/page.css"), made.pageStyle);
    writeFileSync(join(folder, "share/icon.png"), readFileSync(join(project, "web/icon.png")));
    const names = [...new Set(pages.map(({ name }) => name))];
    writeFileSync(join(folder, made.listFile), `${JSON.stringify(names)}\n`);
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
  return pages.length;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(async () => {
    const site = siteAddress(process.env.SITE);
    await buildAll();
    const { chromium } = await import("@playwright/test");
    const { config } = await testFonts();
    const browser = await chromium.launch({
      executablePath: await headlessChromium(),
      env: { ...process.env, FONTCONFIG_FILE: config },
    });
    try {
      const folder = join(project, "dist");
      const count = await step("pages to share", (update) => sharePages(browser, folder, { site, update }));
      console.log(
        `${count} pages in dist/share${site === null ? ", without what needs SITE=https://…" : ""}.`,
      );
    } finally {
      await browser.close();
    }
  });
