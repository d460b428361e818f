/** Stores the site for use without a network once the page is idle; the code that does so is fetched then. */
import type { VersionNotice } from "./keep-site.js";

function whenIdle(work: () => void): void {
  // Safari has no requestIdleCallback.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work, 1000);
}

/**
 * `showNotice` receives the notice of a newer version. Only a production build has a service worker; without one
 * the page works unchanged.
 */
export function keepSiteWhenIdle(showNotice: (notice: VersionNotice | null) => void): void {
  if (!import.meta.env.PROD) return;
  whenIdle(
    () => void import("./keep-site.js").then(({ keepSite }) => keepSite(showNotice)).catch(() => undefined),
  );
}
