/** Whether the page around an element is light or dark, which the colour of its text tells, and when that changes. */
import type { LitElement, ReactiveController } from "lit";
import type { Theme } from "../theme.js";

/** A colour of CSS, in any notation, as its red, green and blue up to 255. */
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
  readonly #changed = (): void => this.#host.requestUpdate();
  /** Pages tell their theme by attributes of these two. */
  readonly #attributes = new MutationObserver(this.#changed);
  #isWatching = false;

  constructor(host: LitElement) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#attributes.disconnect();
    document.removeEventListener("transitionend", this.#changed);
    this.#isWatching = false;
  }

  /** Light text stands on dark paper. Once it was asked for, its changes update the element. */
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
    // Colours that change slowly are those of the theme when they have changed.
    document.addEventListener("transitionend", this.#changed);
  }
}
