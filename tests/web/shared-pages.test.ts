// The pages that are shared instead of links: one for every lab and example in both languages, with the
// metadata of link previews.
import { expect, test } from "vitest";
import { decode } from "../../web/config/decode.js";
import { examples } from "../../web/examples/index.js";
import { list } from "../../web/labs/list.js";
import { cardText, languages, oEmbed, pageText, sharedPages } from "../../web/page/shared-pages.js";

const site = "https://host.example/a/";
const around = { site, height: 612 };

test.each(languages)("every lab and every example has a page in %s, and its link is complete", (language) => {
  const pages = sharedPages(language);
  expect(new Set(pages.map(({ name }) => name)).size).toBe(Object.keys(list).length + examples.length);
  for (const { name, hash, lightHash, title, about } of pages) {
    expect(name).toMatch(/^[a-z0-9-]+$/);
    expect(title && about).not.toBe("");
    const { config, notices } = decode(hash);
    expect([name, notices]).toEqual([name, []]);
    expect(config.view.lang).toBe(language);
    expect(decode(lightHash)).toMatchObject({ notices: [], config: { view: { theme: "light" } } });
  }
});

const page = {
  ...sharedPages("en").find(({ name }) => name === "two-heads")!,
  title: 'Two "heads" & <more>',
};

test("a page has title, words, picture and link without a script, and the metadata of previews", () => {
  const text = pageText(page, around);
  expect(text).toContain('<html lang="en">');
  expect(text).toContain("<title>Two &quot;heads&quot; &amp; &lt;more> · Attention Playground</title>");
  expect(text).toContain('<img src="./two-heads.png"');
  expect(text).toContain(`href="../../#${page.hash.replaceAll("&", "&amp;")}"`);
  for (const [key, value] of [
    ["og:url", `${site}share/en/two-heads.html`],
    ["og:image", `${site}share/en/two-heads.png`],
    ["twitter:image", `${site}share/en/two-heads.png`],
    ["twitter:card", "summary_large_image"],
  ])
    expect(text).toContain(`="${key}" content="${value}" />`);
  expect(text).toContain(`type="application/json+oembed" href="${site}share/en/two-heads.json"`);
  expect(text).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/);
});

test("without the site's address, everything that needs it is left out", () => {
  const text = pageText(page, { ...around, site: null });
  expect(text).not.toMatch(/og:url|og:image|oembed|canonical|https?:/);
  expect(text).toContain('property="og:title"');
});

test("oEmbed gives the frame of the state and the picture", () => {
  const given = JSON.parse(oEmbed(page, around)) as Record<string, unknown>;
  expect(given).toMatchObject({
    version: "1.0",
    type: "rich",
    width: 680,
    height: 612,
    provider_url: site,
    thumbnail_url: `${site}share/en/two-heads.png`,
    thumbnail_width: 1200,
    thumbnail_height: 630,
  });
  expect(given["html"]).toContain(`src="${site}embed.html#${page.hash.replaceAll("&", "&amp;")}"`);
});

test("the lab that trains has another frame", () => {
  const trained = sharedPages("zh-CN").filter(({ hash }) => decode(hash).config.view.lab === "training");
  expect(trained.map(({ name }) => name)).toEqual([
    "lab-training",
    "learn-to-reverse",
    "learn-french",
    "learn-hidden-words",
  ]);
  for (const one of trained) {
    expect((JSON.parse(oEmbed(one, around)) as { html: string }).html).toContain(
      `src="${site}embed-training.html#`,
    );
    expect(cardText(one, "http://localhost:1/", site)).toContain("http://localhost:1/embed-training.html#");
  }
});

test("a picture contains the title, the frame and the address", () => {
  const text = cardText(page, "http://localhost:1/", site);
  expect(text).toContain("<h1>Two &quot;heads&quot; &amp; &lt;more></h1>");
  expect(text).toContain("http://localhost:1/embed.html#ui=formula&amp;v=1");
  expect(text).toContain("<footer>host.example/a</footer>");
});
