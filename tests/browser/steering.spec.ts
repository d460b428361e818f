/** A frame that a post of another origin steers: by links with its name as target, and by messages. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, hosts, test } from "./open.js";
import { startPost, type Post } from "./post.js";
import { linkBounds } from "../../web/config/bounds.js";

let post: Post;
test.beforeAll(async () => {
  post = await startPost();
});
test.afterAll(() => post.stop());

const linkTo = (cell: string): string => `ui=minimal&v=1&cell=${cell}`;

/** Opens a post with a frame and links to its states; the post's script records the messages it gets. */
async function openPost(page: Page): Promise<void> {
  const address = (cell: string): string =>
    `${hosts.page}embed.html#${linkTo(cell)}`.replaceAll("&", "&amp;");
  post.body = `<p>First <a target="lab" href="${address("scores,0,2")}">the scores</a>, then <a target="lab" href="${address("output,0,0")}">the output</a>.</p>
<iframe name="lab" sandbox="allow-scripts" width="680" height="600" src="${address("scores,0,2")}"></iframe>
<iframe name="other" srcdoc="<p>another"></iframe>
<script>
  var told = [];
  addEventListener("message", ({ source, data }) => {
    if (source === frames.lab && data.type !== "attention-playground:height") told.push(data);
  });
</script>`;
  await page.goto(post.address);
  await expect(heading(page)).toHaveText("scores[0, 2]");
}

const lab = (page: Page) => page.frameLocator("iframe[name=lab]");
const heading = (page: Page) => lab(page).locator("ap-note h2");
const addressOf = (page: Page): string => page.frame("lab")!.url();

const send = (page: Page, ...messages: unknown[]): Promise<void> =>
  page.evaluate((all) => {
    const frame = (window as unknown as { lab: Window }).lab;
    for (const message of all) frame.postMessage(message, "*");
  }, messages);

test("links steer the frame without any script; a link that is followed again restores its state", async ({
  page,
}) => {
  await openPost(page);
  const output = page.getByRole("link", { name: "the output" });
  await output.click();
  await expect(heading(page)).toHaveText("output[0, 0]");
  await page.evaluate(() => history.back());
  await expect(heading(page)).toHaveText("scores[0, 2]");
  await output.click();
  await expect(heading(page)).toHaveText("output[0, 0]");
  await lab(page).getByRole("gridcell").first().click();
  await expect(heading(page)).not.toHaveText("output[0, 0]");
  expect(addressOf(page)).toContain("output,0,0");
  await output.click();
  await expect(heading(page)).toHaveText("output[0, 0]");
});

test("messages of the page around steer the frame like links: their faults are reported, its address stays", async ({
  page,
}) => {
  await openPost(page);
  const before = addressOf(page);
  const open = (link: unknown): Promise<void> => send(page, { type: "attention-playground:open", link });
  await open(linkTo("output,0,0"));
  await expect(heading(page)).toHaveText("output[0, 0]");
  // The address of a page, copied from anywhere.
  await open(`https://elsewhere.example/index.html#v=1&lab=vit&cell=rgb,0,0,0`);
  await expect(lab(page).locator("ap-sentence")).toContainText("The harbour");
  await open("v=1&colour=red&cell=scores,0,2");
  await expect(lab(page).locator("ap-notice")).toContainText("colour");
  await open(`v=1&tokens=${"a,".repeat(linkBounds.characters)}`);
  await expect(lab(page).locator("ap-notice")).toContainText(String(linkBounds.characters));
  await open(linkTo("weights,0,0"));
  await expect(heading(page)).toHaveText("weights[0, 0]");
  await expect(lab(page).locator("ap-notice")).toHaveCount(0);
  expect(addressOf(page)).toBe(before);
});

test("other messages change nothing, nor do messages from anyone but the page around", async ({
  page,
  watched,
}) => {
  await openPost(page);
  const hostile: unknown[] = [
    null,
    7,
    "attention-playground:open",
    [],
    {},
    { type: 5, link: linkTo("output,0,0") },
    { type: "attention-playground:open" },
    { type: "attention-playground:open", link: null },
    { type: "attention-playground:open", link: { toString: "x" } },
    { type: "attention-playground:open", link: [linkTo("output,0,0")] },
    { type: "attention-playground:opened", link: linkTo("output,0,0") },
    { type: "attention-playground:watch", watch: 1 },
    { type: "attention-playground:watch", watch: "yes" },
    { __proto__: null, constructor: "x", type: "constructor", link: linkTo("output,0,0") },
    { type: "attention-playground:height", height: 9 },
  ];
  await send(page, ...hostile);
  await page.evaluate(
    (message) => {
      const other = document.querySelector<HTMLIFrameElement>("iframe[name=other]")!;
      const script = other.contentDocument!.createElement("script");
      script.textContent = `parent.frames.lab.postMessage(${JSON.stringify(message)}, "*")`;
      other.contentDocument!.body.append(script);
    },
    { type: "attention-playground:open", link: linkTo("output,0,0") },
  );
  await page.frame("lab")!.evaluate((message) => postMessage(message, "*"), {
    type: "attention-playground:open",
    link: linkTo("output,0,0"),
  });
  // A link in a later message is the first of them all to be shown.
  await send(page, { type: "attention-playground:open", link: linkTo("weights,0,0") });
  await expect(heading(page)).toHaveText("weights[0, 0]");
  expect(await page.evaluate("told")).toEqual([]);
  expect(watched.complaints).toEqual([]);
});

test("the cells pointed at are reported only while the page around asks for it", async ({ page }) => {
  await openPost(page);
  const messagesOf = (type: string) =>
    page.evaluate(
      (name) => (window as unknown as { told: { type: string }[] }).told.filter((one) => one.type === name),
      `attention-playground:${type}`,
    );
  const cells = lab(page).getByRole("gridcell");
  await cells.first().click();
  await expect(heading(page)).not.toHaveText("scores[0, 2]");
  expect(await page.evaluate("told")).toEqual([]);
  await send(page, { type: "attention-playground:watch", watch: true });
  await expect.poll(() => messagesOf("change")).toHaveLength(1);
  const now = (await messagesOf("change")) as unknown as { src: string }[];
  expect(now[0]!.src).toMatch(/^#v=1&/);
  await send(page, { type: "attention-playground:open", link: linkTo("output,0,0") });
  await expect
    .poll(() => messagesOf("cell-focus"))
    .toContainEqual({
      type: "attention-playground:cell-focus",
      tensor: "output",
      index: [0, 0],
      value: expect.closeTo(0.985, 3) as unknown,
    });
  await send(page, { type: "attention-playground:watch", watch: false });
  const count = await page.evaluate("told.length");
  await send(page, { type: "attention-playground:open", link: linkTo("weights,0,0") });
  await expect(heading(page)).toHaveText("weights[0, 0]");
  expect(await page.evaluate("told.length")).toBe(count);
});

test("a script that is loaded late still gives a frame its height", async ({ page }) => {
  await openPost(page);
  const frame = page.locator("iframe[name=lab]");
  await frame.evaluate((one) => one.setAttribute("height", "200"));
  await page.evaluate((address) => {
    const script = document.createElement("script");
    script.src = address;
    document.body.append(script);
  }, `${hosts.page}frame-height.js`);
  await expect.poll(async () => Number(await frame.getAttribute("height"))).toBeGreaterThan(300);
});

test("the post in EMBEDDING.md works unchanged, on a phone too", async ({ page }) => {
  const guide = readFileSync(new URL("../../web/EMBEDDING.md", import.meta.url), "utf8");
  const [, example] = /## Steering a frame[^]*?```html\n([^]*?)```/.exec(guide)!;
  post.body = example!.replaceAll("https://playground.example/", hosts.page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(post.address);
  for (const [name, cell] of [
    ["weights that sum to 1", "weights[0, 2]"],
    ["the output", "output[0, 0]"],
    ["the score of one pair", "scores[0, 2]"],
  ] as const) {
    await page.getByRole("link", { name }).click();
    await expect(lab(page).locator("ap-lab")).toContainText(cell);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});
