// npm run try-embedding: puts the code that Share writes into pages of real tools (tests/embedding), opens them at 390 and 1280 pixels and prints
// what it finds. `-- hugo vue` tries only these. Pictures go to build/try-embedding.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { tools } from "../tests/embedding/posts.mjs";
import { packages as blogPackages, startBlog } from "../tests/embedding/wordpress.mjs";
import { headlessChromium } from "./browser.mjs";
import { buildAll } from "./build.mjs";
import { installAsRoot } from "./debian.mjs";
import { project } from "./env.mjs";
import { packagesOf } from "./packages.mjs";
import { main, SetupError, step } from "./progress.mjs";
import { isRoot, onPath, run } from "./run.mjs";
import { answers, listen } from "./serve.mjs";
import { sharePages, loadSharedPages } from "./share-pages.mjs";

const folder = join(project, "tests/embedding");
const place = join(project, "build/try-embedding");
const example = "two-heads";

/** Tools that are not on npm: one of their programs, and their Debian packages. */
const debian = {
  hugo: { program: "hugo", packages: ["hugo"] },
  jupyter: { program: "jupyter-nbconvert", packages: ["jupyter-nbconvert", "python3-ipykernel"] },
  wordpress: { program: "mariadbd", packages: blogPackages },
};

/** The playground's own packed npm package, installed beside the tools. */
async function installed() {
  await packagesOf(folder);
  const packed = mkdtempSync(join(place, "packed-"));
  const said = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", packed], {
    cwd: project,
  });
  const [{ filename }] = JSON.parse(said);
  await run(
    "npm",
    ["install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", join(packed, filename)],
    { cwd: folder },
  );
  rmSync(packed, { recursive: true });
}

/** The code that Share writes for the example, from the page's own code. */
async function codes(site, height) {
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(join(project, "web/page/embed/code.ts"), { logLevel: "error" });
  const page = (await loadSharedPages()).sharedPages("en").find(({ name }) => name === example);
  const source = {
    base: site,
    title: page.title,
    name: example,
    pictureWidth: 634,
    hash: () => page.hash,
    height: () => height,
  };
  const options = { parts: new Set(["settings", "play", "sum"]), only: [], lang: null, theme: null };
  return {
    code: (tool, kind) =>
      module.codeOf(kind, source, { ...options, tool, within: kind === "element" && tool !== "wordpress" }),
    script: (tool) => module.heightScript(source, tool),
  };
}

/** Opens a page and reports what it shows. */
async function seen(browser, name, address, width) {
  const page = await browser.newPage({ viewport: { width, height: 844 }, serviceWorkers: "block" });
  const errors = [];
  const isTheirs = (text) => /favicon|file:\/\//.test(text);
  page.on("console", (said) => {
    const text = `${said.text()} ${said.location().url}`;
    if (said.type() === "error" && !isTheirs(text)) errors.push(text);
  });
  page.on("pageerror", (error) => errors.push(error.message));
  try {
    await page.goto(address, { waitUntil: "load" });
    const hosts = page.locator("iframe, attention-playground");
    const count = await hosts.count();
    const labs = [];
    for (let at = 0; at < count; at += 1) {
      const host = hosts.nth(at);
      await host.scrollIntoViewIfNeeded();
      const isFrame = (await host.evaluate(({ localName }) => localName)) === "iframe";
      const inside = isFrame ? host.contentFrame() : host;
      const cell = inside.locator("ap-note h2").first();
      await cell.waitFor({ timeout: 20_000 }).catch(() => undefined);
      const computed = (await cell.count()) > 0;
      labs.push(`${isFrame ? "frame" : "element"} ${computed ? "computes" : "shows nothing"}`);
    }
    const over = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
    const links = await page.locator("a[href*='#v=1']").count();
    const pictures = await page
      .locator("a > img")
      .evaluateAll((all) => all.filter((one) => one.naturalWidth > 0).length);
    await page.screenshot({ path: join(place, `${name.replace(/\W+/g, "-")}-${width}.png`) });
    const shown = [...labs, ...(labs.length === 0 ? [`${pictures} pictures, ${links} links`] : [])];
    return { shown, over, errors };
  } finally {
    await page.close();
  }
}

async function tried(browser, name, addresses) {
  const rows = [];
  for (const { name: post, address } of addresses)
    for (const width of [390, 1280])
      rows.push([name, post, width, await seen(browser, `${name}-${post}`, address, width)]);
  return rows;
}

await main(async () => {
  const names = [...Object.keys(tools), "wordpress"];
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : names;
  for (const name of wanted)
    if (!names.includes(name)) throw new SetupError(`${name}: expected ${names.join(", ")}`);
  await buildAll();
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  await step("npm packages of the tools", () => installed());
  const modules = join(place, "node_modules");
  if (!existsSync(modules)) symlinkSync(join(folder, "node_modules"), modules);

  const { chromium } = await import("@playwright/test");
  const browser = await chromium.launch({ executablePath: await headlessChromium() });
  const site = join(place, "site");
  cpSync(join(project, "dist"), site, { recursive: true, filter: (from) => !from.includes("/dist/share") });
  const server = await listen(
    answers(site, { headers: { "Access-Control-Allow-Origin": "*" } }),
    0,
    "127.0.0.1",
  );
  const { port } = server.address();
  const address = `http://127.0.0.1:${port}/`;
  const rows = [];
  const missed = [];
  try {
    await step("the example's page to share", () =>
      sharePages(browser, site, {
        site: address,
        wanted: ({ name, language }) => name === example && language === "en",
      }),
    );
    const { height } = JSON.parse(readFileSync(join(site, `share/en/${example}.json`), "utf8"));
    const picture = { file: join(site, `share/en/${example}.png`), name: `${example}.png` };
    const given = {
      ...(await codes(address, height)),
      picture,
      program: (name) => join(folder, "node_modules/.bin", name),
    };
    for (const name of wanted) {
      const needs = debian[name];
      try {
        if (isRoot && needs && !onPath(needs.program, `${process.env.PATH}:/usr/sbin`))
          await step(`Debian's packages for ${name}`, () => installAsRoot(needs.packages));
        await step(name, async () => {
          if (name === "wordpress") {
            const blog = await startBlog({
              ...given,
              sitePort: port,
              sharedPage: `${address}share/en/${example}.html`,
            });
            try {
              rows.push(...(await tried(browser, name, blog.posts)));
            } finally {
              blog.stop();
            }
            return;
          }
          const { root, pages } = await tools[name](join(place, name), given);
          const posts = await listen(answers(root), 0, "127.0.0.1");
          const base = `http://127.0.0.1:${posts.address().port}/`;
          try {
            rows.push(
              ...(await tried(
                browser,
                name,
                pages.map((page) => ({ name: page, address: base + page })),
              )),
            );
          } finally {
            posts.closeAllConnections();
            posts.close();
          }
        });
      } catch (error) {
        missed.push(`${name}: not tried: ${error.message.split("\n")[0]}`);
      }
    }
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
  for (const [tool, post, width, { shown, over, errors }] of rows)
    console.log(
      [
        tool.padEnd(10),
        post.padEnd(24),
        String(width).padStart(4),
        shown.join(", "),
        over > 0 ? `${over} px too wide` : "fits",
        ...errors,
      ].join("  "),
    );
  for (const line of missed) console.log(line);
  console.log(
    `${readdirSync(place).filter((name) => name.endsWith(".png")).length} pictures in build/try-embedding.`,
  );
  const faults = rows.filter(
    ([, , , { shown, over, errors }]) =>
      over > 0 || errors.length > 0 || shown.some((one) => one.endsWith("nothing")),
  );
  return faults.length === 0 && missed.length === 0 ? 0 : 1;
});
