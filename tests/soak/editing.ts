/** Edits cells as a reader does: points at a cell, types a number, presses Enter, and sees what changed. */
import type { Page } from "puppeteer-core";
import type { Stage } from "../../web/elements/stage/stage.js";
import type { Playground } from "../../web/page/playground.js";

/** The number of cells of a lab that are edited in turn. */
const cells = 24;

interface Lab extends Element {
  playground: Playground;
  updateComplete: Promise<unknown>;
}

/** Test data in the page. */
interface Soak {
  /** The cells to edit, and the time when Enter was last pressed. */
  cells(): HTMLElement[];
  pressed: number;
  lab(): Lab | null;
  stage(): Stage | null;
}

declare global {
  interface Window {
    soak: Soak;
  }
}

/** Runs once in a page: the functions that the other steps use. */
function prepare(most: number): void {
  const lab = () => document.querySelector("ap-app")?.shadowRoot?.querySelector<Lab>("ap-lab") ?? null;
  const stage = () => lab()?.shadowRoot?.querySelector<Stage>("ap-stage") ?? null;
  const drawn = () => [
    ...(stage()?.shadowRoot?.querySelectorAll<HTMLElement>(
      '[role=grid][aria-readonly="false"] [role=gridcell]',
    ) ?? []),
  ];
  window.soak = { lab, stage, pressed: 0, cells: () => drawn().slice(0, most) };
  const press = (event: KeyboardEvent): void => {
    if (event.key === "Enter") window.soak.pressed = performance.now();
  };
  addEventListener("keydown", press, { capture: true });
}

/** Opens the page. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.evaluate(prepare, cells);
}

/** Opens a lab through the address bar, without a reload, and waits for its numbers and the note. */
export async function openLab(page: Page, lab: string, fields: string): Promise<void> {
  await page.evaluate((link) => void (location.hash = link), `v=1&lab=${lab}${fields}&lang=en`);
  await page.waitForFunction(
    (wanted) => {
      const { playground } = window.soak.lab() ?? {};
      const shown = playground?.computedConfig?.view.lab === wanted && !playground.isStale;
      return shown && playground.explanation !== null && window.soak.cells().length > 0;
    },
    { polling: 20 },
    lab,
  );
}

/** Points at the first of the cells, so that the note always has the same length, and waits until nothing is being computed. */
export async function pointAtFirst(page: Page): Promise<void> {
  await page.evaluate(() => window.soak.cells()[0]?.focus());
  await page.waitForFunction(
    () => {
      const { playground } = window.soak.lab()!;
      const { cell, explanation, config, computedConfig } = playground;
      const told = explanation?.node === cell?.node && explanation?.index.join() === cell?.index.join();
      return told && computedConfig?.numbers === config.numbers;
    },
    { polling: 20 },
  );
}

/** Makes the `count`th edit. Resolves to the milliseconds until its numbers were drawn. Throws if the edit was not accepted. */
export async function edit(page: Page, count: number): Promise<number> {
  // The number always differs from the previous one, because otherwise it would be no edit.
  const value = ((count % 97) * 10 + 3) / 100;
  const found = await page.evaluate((at) => {
    const all = window.soak.cells();
    all[at % all.length]?.focus();
    return all.length;
  }, count);
  if (found === 0) throw new Error("no cell can be edited");
  await page.keyboard.press("F2");
  await page.keyboard.sendCharacter(String(value));
  await page.keyboard.press("Enter");
  const { took, last, trouble } = await page.evaluate(async () => {
    const lab = window.soak.lab()!;
    const { playground } = lab;
    await playground.computing;
    await lab.updateComplete;
    await window.soak.stage()!.updateComplete;
    const current = playground.computedConfig?.numbers === playground.config.numbers;
    return {
      took: performance.now() - window.soak.pressed,
      last: current ? playground.config.numbers.edits.at(-1)?.value : undefined,
      trouble: playground.trouble?.reason,
    };
  });
  if (last !== value)
    throw new Error(`edit ${count}: ${value} was typed, ${last} is shown${trouble ? `: ${trouble}` : ""}`);
  return took;
}
