/**
 * The page of a frame: one attention-playground that shows the state in its address. It never writes the
 * address. The entries of the two frames add their labs.
 */
import "../../i18n/both.js";
import { type BundledCore, startBundled } from "../element/bundled-core.js";
import { AttentionPlayground } from "../attention-playground.js";
import { steerByMessages } from "./steering.js";
import { wordPressReporter } from "./wordpress.js";

/** Puts the element into the document. */
export function showFrame(): void {
  const bundled = (globalThis as unknown as { bundledCore: BundledCore }).bundledCore;
  AttentionPlayground.startClient = startBundled(() => bundled);
  const [address = "", hash = ""] = location.href.split(/#(.*)/s);
  AttentionPlayground.pageAddress = new URL("./", address).href;
  customElements.define("attention-playground", AttentionPlayground);

  const element = new AttentionPlayground();
  element.loading = "eager";
  element.src = `#${hash}`;

  const tellWordPress = wordPressReporter(hash);
  let lastHeight = 0;

  /**
   * Asks the browser to resize the frame to its content, where a style of the page around allows that.
   * requestResize throws when the frame is not an iframe.
   */
  function requestResize(): void {
    try {
      (window as { requestResize?: () => void }).requestResize?.();
    } catch {
      return;
    }
  }

  /** Reports to the page around the height of the content, whatever the frame's present height. */
  function tellHeight(): void {
    const height = Math.ceil(element.contentHeight);
    if (height === 0 || height === lastHeight) return;
    lastHeight = height;
    if (parent === window) return;
    parent.postMessage({ type: "attention-playground:height", height }, "*");
    tellWordPress(height);
    requestResize();
  }

  // A script of the page around may begin to listen after the first height was reported; it then requests it
  // again.
  addEventListener("message", ({ source, data }: MessageEvent<{ type?: unknown } | null>) => {
    if (source !== parent || parent === window || data?.type !== "attention-playground:height") return;
    lastHeight = 0;
    tellHeight();
  });

  const heights = new ResizeObserver(tellHeight);
  let observed: readonly HTMLElement[] = [];

  /** After every change: updates the document's language and title, and observes the elements of the lab. */
  function onUpdate(): void {
    const shown = element.shownTitle;
    if (shown) {
      const root = document.documentElement;
      if (root.lang !== shown.language) root.lang = shown.language;
      if (document.title !== shown.title) document.title = shown.title;
    }
    const { content } = element;
    if (content.every((part, place) => part === observed[place])) return;
    observed = content;
    heights.disconnect();
    for (const part of content) heights.observe(part);
  }
  element.addController({ hostUpdated: () => void onUpdate() });
  steerByMessages(element);
  document.body.prepend(element);
}
