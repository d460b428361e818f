/** The page of a frame: one attention-playground as its address asks for. Reads the address once and never writes it. */
import "./i18n/both.js";
import { type Carried, startCarried } from "./carried.js";
import { AttentionPlayground } from "./page/attention-playground.js";

const carried = (globalThis as unknown as { carried: Carried }).carried;
AttentionPlayground.startClient = startCarried(() => carried);
const [address = "", hash = ""] = location.href.split(/#(.*)/s);
AttentionPlayground.pageAddress = new URL("./", address).href;
customElements.define("attention-playground", AttentionPlayground);

const element = new AttentionPlayground();
element.loading = "eager";
element.src = `#${hash}`;

let told = 0;

/** Tells the page around how high the frame wants to be: as its content, however high it is now. */
function tellHeight(): void {
  const height = Math.ceil(element.contentHeight);
  if (height === 0 || height === told) return;
  told = height;
  if (parent !== window) parent.postMessage({ type: "attention-playground:height", height }, "*");
}

const heights = new ResizeObserver(tellHeight);
let observed: readonly HTMLElement[] = [];

/** After whatever changed: the document's language and title, and what is to be observed. */
function settle(): void {
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
element.addController({ hostUpdated: () => void settle() });
document.body.prepend(element);
