/** Stories: shown on the page and in a frame, step by step or by Play; edited on the page, and shared. */
import { readFileSync } from "node:fs";
import type { FrameLocator, Page } from "@playwright/test";
import type { StoryStep } from "../../web/config/config.js";
import { violations } from "./axe.js";
import { expect, hosts, openPage, waitUntilIdle, test } from "./open.js";
import { startPost } from "./post.js";

const steps: StoryStep[] = [
  { words: "One score, not <b>bold</b>.", link: "ex=four-words&cell=scores,2,0" },
  { words: "Its weight.", link: "ex=four-words&mask=causal&cell=weights,2,0" },
  { words: "Two heads.", link: "ex=two-heads&cell=weights,0,0,1,0" },
];

const escaped = (text: string): string => text.replace(/[%,;]/g, encodeURIComponent);

/** The link of a story at its first step. */
function linkOf(story: StoryStep[]): string {
  const text = story.map(({ words, link }) => `${escaped(words)},${escaped(link)}`).join(";");
  return `#${story[0]!.link}&story=${encodeURIComponent(text)}`;
}
/** A field of the link in the address bar. */
const field = (page: Page, name: string): string | null =>
  new URLSearchParams(new URL(page.url()).hash.slice(1)).get(name);

const storyOn = (where: Page | FrameLocator) => where.getByRole("region", { name: "Story" });
const heading = (where: Page | FrameLocator) => where.locator("ap-note h2");
const maker = (page: Page) => page.getByRole("region", { name: "Your story" });

test("the reader steps through states of two labs; Back of the browser returns, and leaving leaves the lab", async ({
  page,
}) => {
  await openPage(page, linkOf(steps));
  await expect(storyOn(page).getByRole("status")).toHaveText(/One score, not <b>bold<\/b>\./);
  await expect(heading(page)).toHaveText("scores[2, 0]");
  await expect(storyOn(page).getByRole("button", { name: "Previous step" })).toBeDisabled();
  await storyOn(page).getByRole("button", { name: "Next step" }).click();
  await expect(heading(page)).toHaveText("weights[2, 0]");
  await expect(storyOn(page).getByRole("status")).toHaveText("Its weight.");
  // By the buttons of Play, and by its track.
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(heading(page)).toHaveText("weights[0, 0, 1, 0]");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Multi-head attention, side by side");
  await expect(storyOn(page).getByRole("button", { name: "Next step" })).toBeDisabled();
  await waitUntilIdle(page);
  await expect.poll(() => field(page, "reached")).toBe("2");
  await page.goBack();
  await expect(heading(page)).toHaveText("weights[2, 0]");
  await page.getByRole("button", { name: "Step 1 of 3" }).click();
  await expect(heading(page)).toHaveText("scores[2, 0]");
  expect(await violations(page)).toEqual([]);
  await storyOn(page).getByRole("button", { name: "Leave the story" }).click();
  await expect(storyOn(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(heading(page)).toHaveText("scores[2, 0]");
  await expect.poll(() => field(page, "story")).toBeNull();
  await page.goBack();
  await expect(storyOn(page)).toBeVisible();
});

test("Play goes to the last step and stops there; a click on the page ends it", async ({ page }) => {
  await page.clock.install();
  await openPage(page, linkOf(steps));
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(heading(page)).toHaveText("weights[2, 0]");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await waitUntilIdle(page);
  await page.clock.fastForward(10_000);
  await expect(heading(page)).toHaveText("weights[0, 0, 1, 0]");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  // From the end it begins at the first.
  await page.getByRole("button", { name: "Play" }).click();
  await expect(heading(page)).toHaveText("scores[2, 0]");
  await waitUntilIdle(page);
  await page.getByRole("heading", { level: 1 }).click();
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
  await page.clock.fastForward(10_000);
  await waitUntilIdle(page);
  await expect(heading(page)).toHaveText("scores[2, 0]");
});

test("faults of a step's link are reported at that step; a draft with such a step is kept", async ({
  page,
}) => {
  await openPage(page, linkOf([steps[0]!, { words: "Wrong", link: "ex=four-words&colour=red" }, steps[1]!]));
  await expect(page.locator("ap-notice")).toHaveCount(0);
  await storyOn(page).getByRole("button", { name: "Next step" }).click();
  await expect(page.locator("ap-notice")).toContainText("colour");
  await storyOn(page).getByRole("button", { name: "Next step" }).click();
  await expect(page.locator("ap-notice")).toHaveCount(0);
  await storyOn(page).getByRole("button", { name: "Edit the story" }).click();
  await maker(page).getByRole("button", { name: "Show it" }).nth(1).click();
  await expect(page.locator("ap-notice")).toContainText("colour");
  await maker(page).getByRole("textbox", { name: "What step 2 says" }).fill("Other words");
  // The state of an exercise is like any other, so the draft stays open.
  await page.locator("ap-lesson button[data-try]").first().click();
  await expect(maker(page).getByRole("textbox", { name: "What step 2 says" })).toHaveValue("Other words");
  await expect.poll(() => field(page, "story")).toContain("Other words");
});

test("text written while another lab is fetched is kept; Back to before a story leaves its editor", async ({
  page,
}) => {
  let fetched = (): void => undefined;
  const requested = new Promise<void>((resolve) => (fetched = resolve));
  await page.route(/assets\/multi-head-/, async (route) => {
    await requested;
    await route.continue();
  });
  await openPage(page, linkOf(steps));
  await storyOn(page).getByRole("button", { name: "Edit the story" }).click();
  await maker(page).getByRole("button", { name: "Show it" }).nth(1).click();
  await maker(page).getByRole("textbox", { name: "What step 1 says" }).fill("Written meanwhile");
  fetched();
  await expect(heading(page)).toHaveText("weights[0, 0, 1, 0]");
  await expect(maker(page).getByRole("textbox", { name: "What step 1 says" })).toHaveValue(
    "Written meanwhile",
  );
  await expect.poll(() => field(page, "story")).toContain("Written meanwhile");
  // The same story is shown, not edited, when the reader comes back to it.
  await page.goto("about:blank");
  await openPage(page, "#v=1&ex=four-words");
  await page.evaluate(() => (location.hash = "v=1&ex=two-heads"));
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("button", { name: "Start a story from this" }).click();
  await expect.poll(() => field(page, "story")).not.toBeNull();
  await page.goBack();
  await expect(maker(page)).toHaveCount(0);
  await page.goForward();
  await expect(storyOn(page)).toBeVisible();
});

test("an exercise of the lesson is outside of any story; Back leads to the step", async ({ page }) => {
  await openPage(page, linkOf(steps));
  await page.locator("ap-lesson button[data-try]").first().click();
  await expect(storyOn(page)).toHaveCount(0);
  await page.goBack();
  await expect(storyOn(page).getByRole("status")).toHaveText(/One score/);
});

test("made on the page from states of two labs, edited, ordered, and shared as a link and a frame", async ({
  page,
  context,
}) => {
  await openPage(page, "#ex=four-words&cell=scores,2,0");
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Start a story from this" }).click();
  const first = maker(page).getByRole("textbox", { name: "What step 1 says" });
  await expect(first).toBeFocused();
  await page.keyboard.type("The  first, of all; 100 % ");
  // While a story is edited, Play goes through the lab's stops.
  await expect(page.getByRole("button", { name: "Stop 1 of 6: words" })).toBeVisible();
  await page.getByRole("link", { name: /^Next lab/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Why divide by √dₖ");
  await expect(first).toHaveValue("The  first, of all; 100 % ");
  await maker(page).getByRole("button", { name: "Add what is shown" }).click();
  await expect(maker(page).getByRole("textbox", { name: "What step 2 says" })).toBeFocused();
  await page.keyboard.type("Heads");
  expect(await violations(page)).toEqual([]);
  // The shown step has another state now, and keeps it.
  await page.locator("ap-stage [role=gridcell]").first().click();
  await maker(page).getByRole("button", { name: "Use what is shown now" }).click();
  await expect(maker(page).getByRole("button", { name: "Shown", exact: true })).toBeDisabled();
  await expect(maker(page).getByRole("status")).toContainText("Step 2 shows something else now.");
  await maker(page).getByRole("button", { name: "Undo" }).click();
  await maker(page).getByRole("button", { name: "Use what is shown now" }).click();
  await maker(page).getByRole("button", { name: "Move step 2 earlier" }).click();
  await expect(maker(page).getByRole("textbox", { name: "What step 1 says" })).toHaveValue("Heads");
  await maker(page).getByRole("button", { name: "Move step 1 later" }).click();
  await maker(page).getByRole("button", { name: "Remove step 1" }).click();
  await expect(maker(page).getByRole("textbox")).toHaveCount(1);
  await maker(page).getByRole("button", { name: "Undo" }).click();
  await expect(first).toHaveValue("The  first, of all; 100 %");
  // The address always has the story.
  await expect.poll(() => field(page, "story")).not.toBeNull();
  await maker(page).getByRole("button", { name: "Share the story" }).click();
  const dialog = page.getByRole("dialog", { name: "Share exactly this" });
  const link = await dialog.getByRole("textbox", { name: "Link" }).innerText();
  await expect(page.locator("ap-embed")).toContainText("embed.html#v=1&c&ex=four-words");

  const reader = await context.newPage();
  await reader.goto(link);
  await expect(heading(reader)).toHaveText("scores[2, 0]");
  await expect(reader.locator("ap-notice")).toHaveCount(0);
  await storyOn(reader).getByRole("button", { name: "Next step" }).click();
  await expect(reader.getByRole("heading", { level: 1 })).toHaveText("Why divide by √dₖ");
  await storyOn(reader).getByRole("button", { name: "Edit the story" }).click();
  await expect(maker(reader).getByRole("textbox")).toHaveCount(2);
  await maker(reader).getByRole("button", { name: "Read the story" }).click();
  await expect(storyOn(reader).getByRole("status")).toHaveText("The first, of all; 100 %");
  await expect(reader.getByRole("heading", { level: 1 })).toBeFocused();
});

test("a state too large for a step of a story is refused, and the page says why", async ({ page }) => {
  const side = Array.from({ length: 24 }, (_one, place) => place);
  const matrix = (seed: number) =>
    side.map((row) => side.map((column) => Math.sin(seed + 24 * row + column)).join(",")).join(";");
  const large = `#lab=attention&tokens=a,b&dim=24&wq=${matrix(1)}&wk=${matrix(2)}&wv=${matrix(3)}`;
  await openPage(page, large);
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Start a story from this" }).click();
  await expect(page.locator("ap-notice")).toContainText("That does not fit into a link.");
  await expect(maker(page)).toHaveCount(0);
  await expect.poll(() => field(page, "story")).toBeNull();
  // Nor together with other steps.
  const story = linkOf(steps).split("&story=")[1]!;
  await openPage(page, `${large}&story=${story}`);
  await storyOn(page).getByRole("button", { name: "Edit the story" }).click();
  await expect(maker(page).getByRole("textbox")).toHaveCount(3);
  await expect(maker(page).getByRole("button", { name: "Add what is shown" })).toBeDisabled();
  await expect(maker(page).getByRole("status")).toContainText("A step has room for 16384");
  await expect(maker(page).getByRole("button", { name: "Use what is shown now" })).toHaveCount(0);
});

test("the story in EMBEDDING.md can be read to its end, in a frame", async ({ page }) => {
  const guide = readFileSync(new URL("../../web/EMBEDDING.md", import.meta.url), "utf8");
  const [, code = ""] = /## A story[\s\S]*?```html\n([\s\S]*?)```/.exec(guide) ?? [];
  const post = await startPost();
  post.body = code
    .replaceAll("https://playground.example/", hosts.page)
    .replace("<iframe", '<iframe name="lab"');
  await page.goto(post.address);
  const lab = page.frameLocator("iframe[name=lab]");
  const first = "Each word asks every word. This number is one answer: the score of word 3 for word 1.";
  await expect(storyOn(lab).getByRole("status")).toHaveText(first);
  for (let step = 2; step <= 5; step++) {
    await storyOn(lab).getByRole("button", { name: "Next step" }).click();
    await expect(storyOn(lab).getByText(`${step} / 5`)).toBeVisible();
    await expect(lab.locator("ap-notice")).toHaveCount(0);
  }
  await expect(lab.getByRole("gridcell").first()).toBeAttached();
  await expect(storyOn(lab).getByRole("button", { name: "Next step" })).toBeDisabled();
  await post.stop();
});

test("in a frame of another origin: the steps are shown, and its address stays as it was", async ({
  page,
}) => {
  const post = await startPost();
  const address = `${hosts.page}embed.html${linkOf(steps)}`;
  post.body = `<iframe name="lab" sandbox="allow-scripts" width="680" height="700" src="${address.replaceAll("&", "&amp;")}"></iframe>`;
  await page.goto(post.address);
  const lab = page.frameLocator("iframe[name=lab]");
  await expect(heading(lab)).toHaveText("scores[2, 0]");
  await expect(storyOn(lab).getByRole("button", { name: "Edit the story" })).toHaveCount(0);
  await storyOn(lab).getByRole("button", { name: "Next step" }).click();
  await lab.getByRole("button", { name: "Step", exact: true }).click();
  await expect(heading(lab)).toHaveText("weights[0, 0, 1, 0]");
  await expect(storyOn(lab).getByRole("status")).toHaveText("Two heads.");
  await lab.getByRole("button", { name: "Start again" }).click();
  await expect(heading(lab)).toHaveText("scores[2, 0]");
  await storyOn(lab).getByRole("button", { name: "Leave the story" }).click();
  await expect(storyOn(lab)).toHaveCount(0);
  expect(page.frame("lab")!.url()).toBe(address);
  await post.stop();
});
