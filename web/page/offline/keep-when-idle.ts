/** Keeps the site for when there is no network, once the page has nothing else to do; what does it is fetched then. */
import type { VersionNotice } from "./keeping.js";

function whenIdle(work: () => void): void {
  // Safari has no word for it.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work, 1000);
}

/** `tell` gets what is to say of a newer version. Only what is built has a service worker; where it cannot be had the page works as it does. */
export function keepWhenIdle(tell: (notice: VersionNotice | null) => void): void {
  if (!import.meta.env.PROD) return;
  whenIdle(() => void import("./keeping.js").then(({ keepSite }) => keepSite(tell)).catch(() => undefined));
}
