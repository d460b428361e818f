/** A frame that the page around it steers: by the hash of its address, and by messages of that page alone. It never writes its address. */
import type { AttentionPlaygroundEventMap as EventMap } from "../../attention-playground.js";
import { linkBounds } from "../../config/bounds.js";
import type { AttentionPlayground } from "../attention-playground.js";

/** What the page around may post: a link to open, or whether it wants to be told what its reader points at and computes. */
interface Asked {
  readonly type?: unknown;
  readonly link?: unknown;
  readonly watch?: unknown;
}

/** What stands after the # of an address. */
const hashOf = (address: string): string => address.split(/#(.*)/s)[1] ?? "";

/** Shows a link, again where it is the one that was opened last: the reader's changes go. */
function open(element: AttentionPlayground, link: string): void {
  // More than is ever read need not be copied: what is left is too long still, and said to be.
  const src = `#${link.slice(0, 2 * linkBounds.characters)}`;
  if (element.src === src) element.restore();
  else element.src = src;
}

export function steer(element: AttentionPlayground): void {
  // It comes with every change of the hash, and also where a link with the same hash is followed again.
  addEventListener("popstate", () => open(element, hashOf(location.href)));
  if (parent === window) return;
  /** Where to tell what the reader does; null: nobody asked. */
  let watcher: string | null = null;
  const tell = (type: string, told: object): void => {
    if (watcher !== null) parent.postMessage({ type: `attention-playground:${type}`, ...told }, watcher);
  };
  element.addEventListener("change", (event) => {
    if (watcher !== null) tell("change", { src: (event as EventMap["change"]).detail.src });
  });
  element.addEventListener("cell-focus", (event) =>
    tell("cell-focus", (event as EventMap["cell-focus"]).detail),
  );
  addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || typeof data !== "object" || data === null) return;
    const { type, link, watch } = data as Asked;
    if (type === "attention-playground:open" && typeof link === "string")
      open(element, link.includes("#") ? hashOf(link) : link);
    if (type === "attention-playground:watch" && typeof watch === "boolean") {
      // A page without an origin of its own can only be told as anyone is.
      watcher = watch ? (origin === "null" ? "*" : origin) : null;
      tell("change", { src: `#${element.state}` });
    }
  });
}
