/**
 * Lets the page around a frame steer it: by the hash of its address, and by messages from that page alone.
 * The frame never writes its address.
 */
import type { AttentionPlaygroundEventMap as EventMap } from "../../attention-playground.js";
import { linkBounds } from "../../config/bounds.js";
import type { AttentionPlayground } from "../attention-playground.js";

/**
 * A message of the page around: a link to open, or whether it wants to receive the reader's changes and
 * pointed cells.
 */
interface HostMessage {
  readonly type?: unknown;
  readonly link?: unknown;
  readonly watch?: unknown;
}

/** The part of an address after its #. */
const hashOf = (address: string): string => address.split(/#(.*)/s)[1] ?? "";

/** Shows a link. When that link was opened last it is opened again, and the reader's changes are lost. */
function open(element: AttentionPlayground, link: string): void {
  // A link longer than the limit is not read whole: what remains is still too long and is reported as such.
  const src = `#${link.slice(0, 2 * linkBounds.characters)}`;
  if (element.src === src) element.restore();
  else element.src = src;
}

export function steerByMessages(element: AttentionPlayground): void {
  // "popstate" is fired for every change of the hash, and also when a link with the same hash is followed
  // again.
  addEventListener("popstate", () => open(element, hashOf(location.href)));
  if (parent === window) return;
  /** The origin to which the reader's acts are posted; null until the page around asks for them. */
  let watcher: string | null = null;
  const post = (type: string, detail: object): void => {
    if (watcher !== null) parent.postMessage({ type: `attention-playground:${type}`, ...detail }, watcher);
  };
  element.addEventListener("change", (event) => {
    if (watcher !== null) post("change", { src: (event as EventMap["change"]).detail.src });
  });
  element.addEventListener("cell-focus", (event) =>
    post("cell-focus", (event as EventMap["cell-focus"]).detail),
  );
  addEventListener("message", ({ source, origin, data }: MessageEvent<unknown>) => {
    if (source !== parent || typeof data !== "object" || data === null) return;
    const { type, link, watch } = data as HostMessage;
    if (type === "attention-playground:open" && typeof link === "string")
      open(element, link.includes("#") ? hashOf(link) : link);
    if (type === "attention-playground:watch" && typeof watch === "boolean") {
      // A page with an opaque origin can only be addressed as "*".
      watcher = watch ? (origin === "null" ? "*" : origin) : null;
      post("change", { src: `#${element.state}` });
    }
  });
}
