/**
 * Whether the page around an element is light or dark, judged by the colour of its text, and when that
 * changes.
 */
import type { LitElement, ReactiveController } from "lit";
import type { Theme } from "../theme.js";

/** The red, green and blue of a CSS colour in any notation, each from 0 to 255. */
function channels(colour: string): Uint8ClampedArray {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
}

export class PageTheme implements ReactiveController {
  readonly #host: LitElement;
  readonly #onChange = (): void => this.#host.requestUpdate();
  /** Pages set their theme by attributes of the root element or the body. */
  readonly #attributes = new MutationObserver(this.#onChange);
  #isWatching = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#attributes.disconnect();
    document.removeEventListener("transitionend", this.#onChange);
    this.#isWatching = false;
  }

  /** Dark when the text is light. The first call starts to watch for changes, which update the element. */
  get now(): Theme {
    this.#watch();
    const [red = 0, green = 0, blue = 0] = channels(getComputedStyle(this.#host).color);
    return 0.299 * red + 0.587 * green + 0.114 * blue > 127 ? "dark" : "light";
  }

  #watch(): void {
    if (this.#isWatching || !this.#host.isConnected) return;
    this.#isWatching = true;
    for (const part of [document.documentElement, document.body])
      this.#attributes.observe(part, { attributes: true });
    // A colour with a transition has its final value when the transition ends.
    document.addEventListener("transitionend", this.#onChange);
  }
}
