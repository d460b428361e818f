/** The cell that the note explains stands on the stage, whatever the settings show: every option of every choice, in every lab. */
import type { Control } from "../../web/marks/wording.js";
import type { Cell } from "../../web/marks/board.js";
import type { ApSentence } from "../../web/elements/sentence.js";
import type { Stage } from "../../web/elements/stage.js";
import type { Playground } from "../../web/page/playground.js";
import type { Locator } from "@playwright/test";
import { expect, hosts, labIds, still, test } from "./open.js";

interface Shown {
  cell: string;
  /** What the note explains: the same cell, once the core has answered. */
  explained: string;
  onStage: boolean;
  /** The numbers are those of the settings. */
  current: boolean;
  refused: string;
}

type LabElement = HTMLElement & { playground: Playground };

const shownIn = (lab: Locator): Promise<Shown> =>
  lab.evaluate((element) => {
    const { playground, shadowRoot } = element as LabElement;
    const stage = shadowRoot!.querySelector<Stage>(".stage ap-stage")!;
    const { cell, config, explanation, shown, standsBack, refusal } = playground;
    const text = (one: Cell | null): string => (one ? `${one.node}[${one.index.join()}]` : "");
    const dots = stage.scene?.curves.flatMap(({ cells }) => cells ?? []) ?? [];
    return {
      cell: text(cell),
      explained: text(explanation),
      onStage:
        cell !== null &&
        (stage.boards.some((board) => board.run(cell.node, cell.index, cell.index)) ||
          dots.some((dot) => text(dot) === text(cell))),
      current: shown?.numbers === config.numbers && !standsBack,
      refused: refusal?.message ?? "",
    };
  });

const choicesOf = (lab: Locator): Promise<Control[]> =>
  lab.evaluate((element) => {
    const { controls } = element.shadowRoot!.querySelector<ApSentence>("ap-sentence")!;
    return controls.filter(({ kind }) => kind === "choice");
  });

/** Sets a control as the sentence does. */
const set = (lab: Locator, control: string, value: string): Promise<boolean> =>
  lab
    .locator("ap-sentence")
    .evaluate((sentence, detail) => sentence.dispatchEvent(new CustomEvent("control-change", { detail })), {
      control,
      value,
    });

/** Targets the first cell of the last matrix on the stage, which other settings are likeliest to take away. */
const targetLast = (lab: Locator): Promise<void> =>
  lab.evaluate((element) => {
    const stage = element.shadowRoot!.querySelector<Stage>(".stage ap-stage")!;
    const board = stage.boards.filter(({ tensor }) => tensor !== null).at(-1);
    if (board) (element as LabElement).playground.target(board.cellAt(0, 0));
  });

async function settled(lab: Locator, message: string): Promise<void> {
  await expect
    .poll(() => shownIn(lab), { message, intervals: [20, 50, 100, 250] })
    .toMatchObject({ onStage: true, current: true });
  const { cell } = await shownIn(lab);
  await expect.poll(async () => (await shownIn(lab)).explained, { message }).toBe(cell);
}

for (const [name, viewport] of [
  ["a desk", { width: 1280, height: 800 }],
  ["a phone", { width: 390, height: 844 }],
] as const) {
  test.describe(`on ${name}`, () => {
    test.use({ viewport });
    for (const id of labIds) {
      test(`the target of ${id} stays on the stage`, async ({ page }) => {
        test.setTimeout(120_000);
        await page.goto(`${hosts.page}#v=1&lab=${id}&lang=en`);
        await still(page, id);
        const lab = page.locator("ap-lab");
        const walk = async (
          { id: control, value: first, options = [] }: Control,
          where: string,
        ): Promise<void> => {
          for (const { value, disabled } of [
            ...options.filter(({ value }) => value !== first),
            { value: first, disabled: undefined },
          ]) {
            if (disabled) continue;
            await targetLast(lab);
            await set(lab, control, value);
            await settled(lab, `${where}${control}=${value}`);
          }
        };
        const known = await choicesOf(lab);
        for (const choice of known) {
          await walk(choice, "");
          // What the settings lead to further down is the same on both.
          if (viewport.width < 768) continue;
          for (const { value, disabled } of choice.options ?? []) {
            if (disabled || value === choice.value) continue;
            await set(lab, choice.id, value);
            await settled(lab, `${choice.id}=${value}`);
            const more = (await choicesOf(lab)).filter(
              ({ id: other }) => !known.some((one) => one.id === other),
            );
            for (const other of more) await walk(other, `${choice.id}=${value} `);
          }
          await set(lab, choice.id, choice.value);
          await settled(lab, `${choice.id}=${choice.value}`);
        }
      });
    }
  });
}
