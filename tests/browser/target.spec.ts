/** The cell that the note explains is always on the stage: tried with every option of every choice, in every lab. */
import type { Locator, Page } from "@playwright/test";
import { numberIn } from "./cell-name.js";
import { expect, hosts, labIds, waitUntilIdle, still, targetFrame, test } from "./open.js";

/** A setting with options, by its name in the sentence or on the sheet. */
interface Choice {
  title: string;
  options: { chosen: boolean; disabled: boolean }[];
}

/** How a setting is opened: on a large screen by its word, on a phone by the sheet with all settings. */
interface Settings {
  titles(): Promise<string[]>;
  /** The fields of a setting. */
  fields(title: string): Promise<Locator>;
}

const wordsOf = (page: Page): Settings => ({
  titles: () =>
    page
      .locator("ap-sentence button.word")
      .evaluateAll((words) => words.map((word) => word.getAttribute("aria-label")!.split(": ")[0]!)),
  async fields(title) {
    await page.locator(`ap-sentence button.word[aria-label^="${title}: "]`).dispatchEvent("click");
    return page.locator(`ap-sentence [popover][aria-label="${title}"] ap-control :is(input, textarea)`);
  },
});

const sheetOf = (page: Page): Settings => ({
  titles: () => page.locator("ap-sentence dialog ap-control .title").allTextContents(),
  fields: (title) =>
    Promise.resolve(
      page
        .locator("ap-sentence dialog ap-control")
        .filter({ has: page.locator(".title").getByText(title, { exact: true }) })
        .locator(":is(input, textarea)"),
    ),
});

/** The settings whose control is a choice. */
async function choicesOf(settings: Settings, known: readonly string[] = []): Promise<Choice[]> {
  const choices: Choice[] = [];
  for (const title of await settings.titles()) {
    if (known.includes(title)) continue;
    const fields = await settings.fields(title);
    await fields.first().waitFor({ state: "attached" });
    const options = await fields.evaluateAll((all) =>
      (all as HTMLInputElement[]).map(({ type, checked, disabled }) => ({ type, chosen: checked, disabled })),
    );
    if (options.every(({ type }) => type === "radio")) choices.push({ title, options });
  }
  return choices;
}

const choose = async (settings: Settings, title: string, option: number): Promise<void> =>
  (await settings.fields(title)).nth(option).dispatchEvent("click");

/** Targets the first cell of the last matrix on the stage, which other settings are most likely to remove. */
async function targetLast(page: Page): Promise<void> {
  const stage = page.locator("ap-lab .stage ap-stage .paper");
  const last = await stage.evaluate((paper) => {
    const drawn = [...paper.querySelectorAll<HTMLElement>("canvas[data-tensor]")].map(
      (canvas) => canvas.dataset["tensor"],
    );
    const boards = [...paper.querySelectorAll<HTMLElement>("[role=grid]")].map(
      (grid) => grid.dataset["board"],
    );
    return boards.findLast((board) => drawn.includes(board));
  });
  await stage.locator(`[data-board="${last}"] [role=gridcell]`).first().focus();
}

/** The marks on the stage: the numbers of the framed cells, and a dot that is larger than the others. */
async function marked(page: Page): Promise<string[]> {
  const names = await page
    .locator(`${targetFrame}, ap-lab .stage ap-stage :is([role=gridcell], .dot)`)
    .evaluateAll((parts) => {
      const boxOf = new Map(parts.map((part) => [part, part.getBoundingClientRect()]));
      const cells = parts.filter((part) => part.matches("[role=gridcell]"));
      const framed = parts
        .filter((part) => part.matches(".frame"))
        .flatMap((frame) => {
          const { left, top, width, height } = boxOf.get(frame)!;
          const [x, y] = [left + width / 2, top + height / 2];
          return cells.filter((cell) => {
            const box = boxOf.get(cell)!;
            return box.left < x && x < box.right && box.top < y && y < box.bottom;
          });
        });
      const dots = parts.filter((part) => part.matches(".dot") && boxOf.get(part)!.width >= 7.9);
      const large = dots.filter(
        (dot) =>
          boxOf.get(dot)!.width > 10 ||
          dots.filter(({ parentNode }) => parentNode === dot.parentNode).length === 1,
      );
      return [...framed.map((cell) => cell.getAttribute("aria-label") ?? ""), ...large.map(() => "dot")];
    });
  return names.flatMap((name) => (name === "dot" ? name : (numberIn(name) ?? [])));
}

/** The choice of the training lab that trains to the end with the seed chosen: every option draws the same stage. */
const replayed = "All seeds";
/** Milliseconds that it may take. */
const longestRun = 60_000;

/** Waits until the number that the note explains is marked on the stage. */
async function expectOnStage(page: Page, message: string): Promise<void> {
  await waitUntilIdle(page, longestRun);
  const look = async (): Promise<boolean> => {
    const announcement = (await page.locator("ap-note [aria-live]").last().textContent()) ?? "";
    const numbers = announcement.split(/[\s,，。=]+/);
    return (await marked(page)).some((mark) => mark === "dot" || numbers.includes(mark));
  };
  await expect.poll(look, { message, intervals: [20, 50, 100, 250] }).toBe(true);
}

for (const [name, viewport, settingsOf] of [
  ["a desk", { width: 1280, height: 800 }, wordsOf],
  ["a phone", { width: 390, height: 844 }, sheetOf],
] as const) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport });
    for (const id of labIds) {
      test(`the target of ${id} stays on the stage`, async ({ page }) => {
        test.setTimeout(id === "training" ? 300_000 : 120_000);
        await page.goto(`${hosts.page}#v=1&lab=${id}&lang=en`);
        await still(page, id);
        const settings = settingsOf(page);
        /** Chooses every other option, and then the first one again; `begin` returns to the state in which the setting is offered. */
        const walk = async (
          { title, options }: Choice,
          begin: () => Promise<void>,
          visit: (place: number) => Promise<void>,
        ): Promise<void> => {
          const offered = [...options.keys()].filter((place) => !options[place]!.disabled);
          const places = title === replayed ? offered.slice(0, 1) : offered;
          const first = options.findIndex(({ chosen }) => chosen);
          for (const place of [...places.filter((place) => place !== first), first]) {
            await targetLast(page);
            // Some choices, such as own words in place of drawn ones, cannot be undone by the same setting; others,
            // such as biases, move from it to a setting of their own.
            const fields = (await settings.titles()).includes(title) ? await settings.fields(title) : null;
            await fields?.first().waitFor({ state: "attached" });
            // A choice of which no option was chosen cannot be undone either.
            if (fields && (await fields.count()) === options.length && place >= 0)
              await fields.nth(place).dispatchEvent("click");
            else await begin();
            await expectOnStage(page, `${title}: option ${place}`);
            if (place !== first) await visit(place);
          }
        };
        const begin = async (): Promise<void> => {
          await page.goto("about:blank");
          await page.goto(`${hosts.page}#v=1&lab=${id}&lang=en`);
          await still(page, id);
        };
        const titles = await settings.titles();
        for (const choice of await choicesOf(settings))
          await walk(choice, begin, async (place) => {
            // The settings below have the same effects on both.
            if (viewport.width < 768) return;
            const again = async (): Promise<void> => {
              await begin();
              await choose(settings, choice.title, place);
              await waitUntilIdle(page);
            };
            for (const other of await choicesOf(settings, titles))
              await walk(other, again, () => Promise.resolve());
          });
      });
    }
  });
}
