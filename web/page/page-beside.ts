/** Where the full page is for an element, by the address of the element's own script. */

/** Whether an address that a host gives may be linked to: http, https, or relative to the host's own page. */
export function isPageAddress(address: string): boolean {
  try {
    return /^https?:$/.test(new URL(address).protocol);
  } catch {
    return true;
  }
}

/** The page that a host asks for, `beside` where it asks for none; "" where what it asks for cannot be linked to. */
export function pageAsked(asked: unknown, beside: string): string {
  if (asked === null || asked === undefined) return beside;
  return typeof asked === "string" && isPageAddress(asked) ? asked : "";
}

/** Beside the script on a site; "" where there is none: bundled into another page's script, or in a copy of the npm package. */
export function pageBeside(script: string): string {
  const path = script.replace(/[?#].*/s, "");
  if (!/\/attention-playground(\.classic)?\.js$/.test(path)) return "";
  if (/\/node_modules\/|\/attention-playground@[^/]+\//.test(path)) return "";
  return new URL("./", path).href;
}
