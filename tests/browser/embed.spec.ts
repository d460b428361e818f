/**
 * The frame in a page of another origin: sandboxed, from a host that sends no headers, with its own policy.
 */
import { expect, hosts, labIds, test } from "./open.js";

const blog = (frame: string, more = "") => `${hosts.bare}host.html?frame=${encodeURIComponent(frame)}${more}`;

for (const host of ["page", "bare"] as const) {
  test(`computes in sandbox="allow-scripts", ${host} host`, async ({ page, watched }) => {
    const address = hosts[host];
    // The blog is on the other host, and requests an icon of its own.
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    await page.goto(blog(`${address}embed.html#v=1&cell=output,0,0`, "&sandbox"));
    const frame = page.frameLocator("iframe");
    await expect(frame.locator("ap-note")).toContainText("output[0, 0]");
    await expect(frame.locator("ap-note")).toContainText("0.985");
    const inside = page.frames()[1]!;
    expect(await inside.evaluate(() => origin)).toBe("null");
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { heights: number[] }).heights.at(-1) ?? 0))
      .toBeGreaterThan(200);
    const height = await inside.evaluate(() => document.documentElement.scrollHeight);
    expect(await page.evaluate(() => (window as unknown as { heights: number[] }).heights.at(-1))).toBe(
      height,
    );
    const own = watched.requests.filter(
      (asked) => !asked.startsWith("blob:") && !asked.includes("host.html") && !asked.includes("favicon"),
    );
    expect(own).toEqual([`${address}embed.html`]);
  });
}

test("the frame never rewrites its address, and shows the requested parts", async ({ page }) => {
  await page.clock.install();
  await page.goto(`${hosts.page}embed.html#ui=formula&v=1&seed=5&lang=zh-CN&theme=dark`);
  await expect(page.locator("ap-formula")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.locator(".root")).toHaveAttribute("data-theme", "dark");
  await expect(page.locator("ap-sentence")).toHaveCount(0);
  await expect(page.locator("ap-note")).toHaveCount(0);
  await expect(page.locator("ap-transport")).toHaveCount(0);
  const target = page.locator("ap-stage .frame.ink").first();
  const before = await target.boundingBox();
  await page.locator("ap-stage [role=gridcell]").nth(3).hover();
  await expect.poll(() => target.boundingBox()).not.toEqual(before);
  await page.clock.fastForward(60_000);
  expect(page.url()).toBe(`${hosts.page}embed.html#ui=formula&v=1&seed=5&lang=zh-CN&theme=dark`);
  const link = page.getByRole("link", { name: /Attention Playground/ });
  await expect(link).toHaveAttribute("href", /\/some\/where\/#v=1.*seed=5/);
});

test("settings work inside the frame; nothing overflows at 320", async ({ page }) => {
  await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  await page.goto(blog(`${hosts.bare}embed.html#v=1&mask=none`, "&sandbox&width=320"));
  const frame = page.frameLocator("iframe");
  await frame.getByRole("button", { name: /^Mask/ }).click();
  await frame.getByRole("radio", { name: /causal/ }).click();
  await expect(frame.getByRole("button", { name: /^Mask/ })).toContainText("causal");
  expect(await page.frames()[1]!.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    320,
  );
});

test("of the lab that trains, which has a frame of its own, this frame has the link to the page", async ({
  page,
}) => {
  await page.goto(`${hosts.bare}embed.html#v=1&lab=training&lang=en`);
  await expect(page.getByRole("link", { name: "Train it here, from Attention Playground" })).toHaveAttribute(
    "href",
    /#v=1&.*ex=learn-to-reverse/,
  );
});

for (const lab of labIds.filter((id) => id !== "training"))
  test(`the one file has the lab ${lab}, with an explained cell`, async ({ page, watched }) => {
    await page.goto(`${hosts.bare}embed.html#v=1&lab=${lab}&lang=en`);
    await expect(page.locator("ap-note h2")).toBeVisible();
    await expect(page.locator(".notices ap-notice")).toHaveCount(0);
    expect(
      watched.requests.filter((asked) => !asked.startsWith("blob:") && !asked.endsWith("favicon.ico")),
    ).toEqual([`${hosts.bare}embed.html#v=1&lab=${lab}&lang=en`.replace(/#.*/, "")]);
  });

test("ui= names the parts around the numbers", async ({ page }) => {
  const parts = {
    settings: "ap-sentence",
    play: "ap-transport",
    sum: "ap-note h2",
    formula: "ap-formula math",
  };
  for (const [ui, shown] of [
    ["none", []],
    ["minimal", ["play", "sum"]],
    ["full", ["settings", "play", "sum", "formula"]],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(`${hosts.page}embed.html#ui=${ui}&v=1`);
    await expect(page.locator("ap-stage [role=gridcell]").first()).toBeAttached();
    for (const [part, selector] of Object.entries(parts))
      await expect(page.locator(selector), `${ui}: ${part}`).toHaveCount(
        shown.some((one) => one === part) ? 1 : 0,
      );
  }
});

test("a cell that does not exist is named in a frame too, with some tensors alone or all", async ({
  page,
}) => {
  for (const [focus, used] of [
    ["", "weights,3,3"],
    ["focus=weights&", "weights,3,3"],
    ["focus=output&", "output,0,0"],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(`${hosts.page}embed.html#${focus}v=1&lang=en&cell=weights,9,9`);
    await expect(page.locator("ap-notice")).toContainText(
      `cell=weights,9,9 cannot be used: expected a cell of weights (4, 4). Using cell=${used}.`,
    );
    const [tensor, ...index] = used.split(",");
    await expect(page.locator("ap-note h2")).toHaveText(new RegExp(`^${tensor}\\[${index.join(", ")}\\]`));
  }
});

test("focus= shows the tensors it names and no others; their numbers are explained as usual", async ({
  page,
}) => {
  await page.goto(`${hosts.page}embed.html#focus=weights,output&v=1&lang=en&cell=output,0,0`);
  await expect(page.locator("ap-note")).toContainText("0.985");
  await expect(page.getByRole("grid")).toHaveCount(2);
  await expect(page.getByRole("grid", { name: /^weights/ })).toBeVisible();
  await expect(page.getByRole("grid", { name: /^output/ })).toBeVisible();
  // The note links to a tensor that is not shown.
  await page.locator("ap-note").getByRole("button", { name: /V\[/ }).first().click();
  await expect(page.locator("ap-note h2")).toHaveText(/^V\[/);
  await page.goto("about:blank");
  await page.goto(`${hosts.page}embed.html#focus=wieghts&v=1&lang=en`);
  await expect(page.locator("ap-notice")).toContainText(
    "focus=wieghts cannot be used: expected one of X, Q, K, V, scores, scaled, weights, output, ",
  );
});

test("focus= shows tensors that are drawn only at their own cells, and tensors of several pictures together", async ({
  page,
}) => {
  for (const [hash, ...names] of [
    ["focus=W_Q&lab=multi-head", "query projection"],
    ["focus=W_Q,concat&lab=multi-head", "query projection", "joined"],
    ["focus=weights,output&lab=vit", "weights", "output"],
    ["focus=output&lab=encoder-decoder", "output"],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(`${hosts.page}embed.html#${hash}&v=1&lang=en`);
    await expect(page.getByRole("grid")).toHaveCount(names.length);
    for (const [place, name] of names.entries())
      await expect(page.getByRole("grid").nth(place)).toHaveAccessibleName(new RegExp(`^${name}, `));
    await expect(page.locator("ap-note h2")).toBeVisible();
    await expect(page.locator(".notices ap-notice")).toHaveCount(0);
  }
});

test("focus= with a tensor that is computed and never drawn shows a notice that names those that are drawn", async ({
  page,
}) => {
  await page.goto(`${hosts.page}embed.html#focus=Q_pairs&ex=additive&lang=en`);
  const notice = page.locator("ap-notice");
  await expect(notice).toContainText("focus=Q_pairs cannot be used: expected one of X, ");
  await expect(notice).toContainText("It was left out.");
  await expect.poll(() => page.getByRole("grid").count()).toBeGreaterThan(2);
  await page.goto("about:blank");
  await page.goto(`${hosts.page}embed.html#focus=weights,Q_pairs&ex=additive&lang=zh`);
  await expect(notice).toContainText("focus=weights,Q_pairs 无法使用。");
  await expect(notice).toContainText("实际：Q_pairs。改用 focus=weights。");
  await expect(page.getByRole("grid")).toHaveCount(1);
});
