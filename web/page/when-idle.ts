/** What can wait until the page has nothing else to do. */
export function whenIdle(work: () => void): void {
  // Safari has no word for it.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(work);
  else setTimeout(work, 1000);
}
