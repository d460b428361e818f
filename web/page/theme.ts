/** The theme, light or dark: that of the system, unless the reader or the link chose one. */
import type { View } from "../config/config.js";

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

export type Theme = "light" | "dark";

export const systemTheme = (): Theme => (darkQuery.matches ? "dark" : "light");

/** Print is light, from before it is drawn until after it is printed. */
const printQuery = matchMedia("print");
let isPrinting = false;
addEventListener("beforeprint", () => (isPrinting = true));
addEventListener("afterprint", () => (isPrinting = false));

/** The chosen theme; null when none was chosen and the system's holds. */
export const chosenTheme = (theme: View["theme"]): Theme | null =>
  isPrinting || printQuery.matches ? "light" : theme;

/** Sets a chosen theme on the document; returns the theme in force. */
export function applyTheme(theme: View["theme"]): Theme {
  const chosen = chosenTheme(theme);
  const { dataset } = document.documentElement;
  if (!chosen) delete dataset["theme"];
  else if (dataset["theme"] !== chosen) dataset["theme"] = chosen;
  return chosen ?? systemTheme();
}

/** The choice that leads to the other theme: null when the system's is that one. */
export function otherTheme(now: Theme): View["theme"] {
  const next = now === "dark" ? "light" : "dark";
  return next === systemTheme() ? null : next;
}

/**
 * Calls `onChange` when the system's theme changes or the page is printed; `now` says whether the page is
 * drawn at once. Returns a function that stops it.
 */
export function onSystemTheme(onChange: (now: boolean) => void): () => void {
  const onQuery = (): void => onChange(false);
  const onPrint = (): void => onChange(isPrinting);
  for (const query of [darkQuery, printQuery]) query.addEventListener("change", onQuery);
  for (const type of ["beforeprint", "afterprint"]) addEventListener(type, onPrint);
  return () => {
    for (const query of [darkQuery, printQuery]) query.removeEventListener("change", onQuery);
    for (const type of ["beforeprint", "afterprint"]) removeEventListener(type, onPrint);
  };
}
