/** Drops a file on the page as a user does: it is dragged over a place first, and then released there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { test, type Locator, type Page } from "@playwright/test";

/** The browser derives the file's type from its name. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array | string;
}

/** Drags a file to a place in the window; with `letGo` it is dropped. The browser finds the element at that place. */
export async function drag(
  page: Page,
  { name, bytes }: GivenFile,
  x: number,
  y: number,
  letGo = true,
): Promise<void> {
  const path = test.info().outputPath("dragged", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", ...(letGo ? (["drop"] as const) : [])] as const)
    await session.send("Input.dispatchDragEvent", { type, x, y, data });
  await session.detach();
}

/** Drops a file beside the title, where only the page accepts it. */
export const drop = (page: Page, file: GivenFile): Promise<void> => drag(page, file, 12, 100);

/** Drops a file on the middle of an element. */
export async function dropOn(target: Locator, file: GivenFile): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error("the target of the drop is not visible");
  await drag(target.page(), file, box.x + box.width / 2, box.y + box.height / 2);
}
