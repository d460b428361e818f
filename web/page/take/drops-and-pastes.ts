/**
 * Listens for files that are dragged over the page and numbers that are pasted on the stage, and fetches the
 * code that handles them.
 */
import type { Stage } from "../../elements/stage/stage.js";

/** The place where something is dropped. */
export interface Spot {
  stage: Stage | null;
  x: number;
  y: number;
  /** The type of the file, as far as the browser gives it before the drop: "image/png". */
  type: string;
}

/** The handlers of drops and pastes; fetched when first needed. */
export interface FileHandler {
  dragOver(spot: Spot): void;
  dragEnd(): void;
  drop(file: File, spot: Spot): void;
  paste(text: string, stage: Stage, cell: HTMLElement): void;
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

const spotOf = (event: DragEvent): Spot => ({
  stage: stageOf(event),
  x: event.clientX,
  y: event.clientY,
  type: event.dataTransfer?.items[0]?.type ?? "",
});

function stageOf(event: Event): Stage | null {
  const stage = event.composedPath().find((part) => part instanceof Element && part.localName === "ap-stage");
  return (stage as Stage | undefined) ?? null;
}

export class DropsAndPastes {
  readonly #withHandler: (use: (handler: FileHandler) => void) => void;
  /** The last place a file was dragged to; null when no file is over the page. */
  #spot: Spot | null = null;

  /** `withHandler` calls `use` with the handlers, once they are fetched. */
  constructor(withHandler: (use: (handler: FileHandler) => void) => void) {
    this.#withHandler = withHandler;
  }

  listen(): void {
    addEventListener("dragenter", this.#over);
    addEventListener("dragover", this.#over);
    addEventListener("dragleave", this.#leave);
    addEventListener("drop", this.#end, { capture: true });
    addEventListener("drop", this.#drop);
    addEventListener("paste", this.#paste);
  }

  close(): void {
    removeEventListener("dragenter", this.#over);
    removeEventListener("dragover", this.#over);
    removeEventListener("dragleave", this.#leave);
    removeEventListener("drop", this.#end, { capture: true });
    removeEventListener("drop", this.#drop);
    removeEventListener("paste", this.#paste);
  }

  readonly #over = (event: DragEvent): void => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    const spot = spotOf(event);
    const isSame = this.#spot?.x === spot.x && this.#spot.y === spot.y && this.#spot.stage === spot.stage;
    this.#spot = spot;
    if (isSame) return;
    this.#withHandler((handler) => {
      if (this.#spot) handler.dragOver(this.#spot);
    });
  };

  readonly #leave = (event: DragEvent): void => {
    // Moving from one part of the page to another also leaves the first of them.
    if (event.relatedTarget === null) this.#end(event);
  };

  readonly #end = (event: DragEvent): void => {
    if (!holdsFiles(event)) return;
    this.#spot = null;
    this.#withHandler((handler) => handler.dragEnd());
  };

  readonly #drop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (!file || event.defaultPrevented) return;
    event.preventDefault();
    const spot = spotOf(event);
    this.#withHandler((handler) => handler.drop(file, spot));
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const stage = stageOf(event);
    const cell = event.composedPath()[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!stage || event.defaultPrevented || text === "") return;
    if (!(cell instanceof HTMLElement) || cell.getAttribute("role") !== "gridcell") return;
    event.preventDefault();
    this.#withHandler((handler) => handler.paste(text, stage, cell));
  };
}
