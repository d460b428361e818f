/** Dropping a file on the page, as a hand would: it is dragged over a place first, and let go there. */
import type { Locator, Page } from "@playwright/test";

export interface GivenFile {
  name: string;
  type?: string;
  bytes: Uint8Array | string;
}

/** Drags a file to a place in the window; `letGo` drops it there. */
export async function drag(
  page: Page,
  { name, type = "", bytes }: GivenFile,
  x: number,
  y: number,
  letGo = true,
): Promise<void> {
  await page.evaluate(
    ([letters, fileName, fileType, left, top, drops]) => {
      const data = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([data], fileName, { type: fileType }));
      let target: Element = document.documentElement;
      for (let inside: DocumentOrShadowRoot | null = document; inside; inside = target.shadowRoot) {
        const next = inside.elementFromPoint(left, top);
        if (!next || next === target) break;
        target = next;
      }
      const how = { bubbles: true, composed: true, cancelable: true, clientX: left, clientY: top };
      for (const kind of ["dragenter", "dragover", ...(drops ? ["drop"] : [])])
        target.dispatchEvent(new DragEvent(kind, { ...how, dataTransfer }));
    },
    [Buffer.from(bytes).toString("base64"), name, type, x, y, letGo] as const,
  );
}

/** Drops a file beside the title, where nothing takes it but the page. */
export const drop = (page: Page, file: GivenFile): Promise<void> => drag(page, file, 12, 100);

/** Drops a file on the middle of something. */
export async function dropOn(target: Locator, file: GivenFile): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error("what is dropped on is not seen");
  await drag(target.page(), file, box.x + box.width / 2, box.y + box.height / 2);
}
