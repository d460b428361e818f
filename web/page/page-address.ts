/** The address of the full page for an element, derived from the address of the element's own script. */

/**
 * Whether an address that a host gives may be used in a link: http, https, or relative to the host's own
 * page.
 */
export function isPageAddress(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address).protocol);
  } catch {
    return true;
  }
}

/**
 * The page that a host asks for; `beside` when it asks for none, and "" when its value cannot be used in a
 * link.
 */
export function linkedPage(page: unknown, otherwise: string): string {
  if (page === null || page === undefined) return otherwise;
  return typeof page === "string" && isPageAddress(page) ? page : "";
}

/**
 * The page in the folder of the script; "" when there is none: the element is bundled into another script, or
 * is part of a copy of the npm package.
 */
export function pageOfScript(script: string): string {
  const path = script.replace(/[?#].*/s, "");
  if (!/\/attention-playground(\.classic)?\.js$/.test(path)) return "";
  if (/\/node_modules\/|\/attention-playground@[^/]+\//.test(path)) return "";
  return new URL("./", path).href;
}
