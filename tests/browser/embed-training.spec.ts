/** The frame that trains: it begins before the first step, and trains only while its reader has pressed Play. */
import type { Frame, Page } from "@playwright/test";
import { formatNote } from "../../web/marks/numbers.js";
import type { AttentionPlayground } from "../../web/page/attention-playground.js";
import { expect, hosts, openPage, test, waitUntilIdle } from "./open.js";
import { button, hide, slider, stepOf, unhide } from "./run.js";

const stage = (frame: Frame) => frame.locator("ap-lab .stage");

/** Opens a frame of a link, in a page of another host, and waits until it computes nothing. */
async function openFrame(page: Page, hash: string, more = ""): Promise<Frame> {
  // The page around requests an icon of its own.
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const address = encodeURIComponent(`${hosts.page}embed-training.html#${hash}`);
  await page.goto(`${hosts.bare}host.html?frame=${address}&sandbox${more}`);
  const frame = page.frames()[1]!;
  await expect(stage(frame)).toHaveAttribute("aria-busy", "false");
  return frame;
}

/** The losses of the run and of the one beside it, with all their digits. */
const lossesIn = (frame: Frame): Promise<number[][]> =>
  frame.locator("attention-playground").evaluate(async (element: AttentionPlayground) => {
    const tensors = await element.tensors();
    return ["run_0.losses", "run_1.losses"].map((name) => [...tensors[name]!.data]);
  });

test("a sandboxed frame trains after Play and not before, to the losses of the page, and asks no host for anything", async ({
  page,
  watched,
}) => {
  const link = "v=1&lab=training&seed=3&steps=12&step=8&lang=en";
  const frame = await openFrame(page, link);
  expect(await frame.evaluate(() => origin)).toBe("null");
  expect(await stepOf(frame)).toBe(0);
  await expect(frame.getByText("Press Play.", { exact: false })).toBeVisible();
  await expect(frame.locator(".notices ap-notice")).toHaveCount(0);
  // A frame has only the essential settings: nothing of its picture opens another.
  await expect(frame.locator("[data-opener]")).toHaveCount(0);
  await button(frame, "Play").click();
  await expect.poll(() => stepOf(frame), { timeout: 30_000 }).toBe(12);
  await expect(button(frame, "Play")).toBeVisible();
  await expect(stage(frame)).toHaveAttribute("aria-busy", "false");
  await expect(frame.getByText("Press Play.", { exact: false })).toHaveCount(0);
  const losses = await lossesIn(frame);
  expect(losses.map((of) => new Set(of).size)).toEqual([12, 12]);
  // Back to a kept moment.
  await slider(frame).fill("0");
  await expect(stage(frame)).toHaveAttribute("aria-busy", "false");
  expect(await stepOf(frame)).toBe(0);
  expect(watched.requests.filter((asked) => !/^blob:|host\.html|favicon/.test(asked))).toEqual([
    `${hosts.page}embed-training.html`,
  ]);

  await openPage(page, `#${link.replace("step=8", "step=12")}`);
  await waitUntilIdle(page);
  for (const [run, name] of ["this run", "no positions"].entries())
    await expect(
      page.getByText(`${formatNote(losses[run]!.at(-1)!)} ${name}`, { exact: true }),
    ).toBeVisible();
});

test("a run pauses when the page around is hidden, and goes on when Play is pressed", async ({ page }) => {
  const frame = await openFrame(page, "v=1&lab=training&lang=en");
  await button(frame, "Play").click();
  await expect.poll(() => stepOf(frame), { timeout: 30_000 }).toBeGreaterThan(0);
  await hide(frame);
  await expect(button(frame, "Play")).toBeVisible();
  await expect(stage(frame)).toHaveAttribute("aria-busy", "false");
  const paused = await stepOf(frame);
  expect(paused).toBeLessThan(400);
  await unhide(frame);
  await button(frame, "Play").click();
  await expect.poll(() => stepOf(frame), { timeout: 30_000 }).toBeGreaterThan(paused);
});

test("on a phone, in Chinese and dark, everything fits", async ({ page }) => {
  const frame = await openFrame(page, "v=1&lab=training&lang=zh-CN&theme=dark", "&width=320");
  await expect(frame.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(frame.locator(".root")).toHaveAttribute("data-theme", "dark");
  await expect(button(frame, "播放")).toBeVisible();
  await expect(frame.getByText("点“播放”。", { exact: true })).toBeVisible();
  const [bar, foot] = await Promise.all(
    [slider(frame), frame.locator("ap-lab .foot")].map((part) => part.boundingBox()),
  );
  expect(bar!.x + bar!.width).toBeLessThan(foot!.x + foot!.width);
  expect(await frame.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await frame.locator("ap-lab .foot").evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
});

test("a frame leaves out the remark that only leads to another lab", async ({ page }) => {
  const frame = await openFrame(page, "v=1&ex=learn-french&lang=en");
  await expect(frame.getByText("Your own samples, answered at this step").first()).toBeVisible();
  await expect(frame.getByText("The model of this step can be opened.")).toHaveCount(0);
});

test("an empty link opens the first run, and a link of another lab leaves a link to the page", async ({
  page,
}) => {
  await page.goto(`${hosts.bare}embed-training.html`);
  await expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();
  await page.goto("about:blank");
  await page.goto(`${hosts.bare}embed-training.html#v=1&lab=attention&lang=en`);
  await expect(
    page.getByRole("link", { name: "Attention, step by step, from Attention Playground" }),
  ).toHaveAttribute("href", /#v=1/);
  await expect(page.locator("ap-lab")).toHaveCount(0);
});

test("Share writes the code of this frame, and offers no element", async ({ page }) => {
  await openPage(page, "#lab=training&lang=en");
  await waitUntilIdle(page);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.locator("ap-embed");
  await expect(dialog.getByRole("textbox", { name: "Code" })).toContainText("/embed-training.html#v=1");
  await expect(dialog.getByRole("radio", { name: "frame", exact: true })).toBeChecked();
  await expect(dialog.getByRole("radio", { name: "element", exact: true })).toHaveCount(0);
  await expect(dialog.getByRole("radio", { name: "picture", exact: true })).toBeVisible();
  await expect(dialog).toContainText("trains when its reader presses Play");
});
