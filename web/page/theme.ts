/** Light and dark: the system's, unless the reader or the link chose. */
import type { View } from "../config/config.js";

const system = matchMedia("(prefers-color-scheme: dark)");

export type Theme = "light" | "dark";

export const systemTheme = (): Theme => (system.matches ? "dark" : "light");

/** Paper is light, from before it is drawn until after it is printed. */
const printed = matchMedia("print");
let printing = false;
addEventListener("beforeprint", () => (printing = true));
addEventListener("afterprint", () => (printing = false));

/** What was chosen; null: nothing, the system's holds. */
export const chosenTheme = (asked: View["theme"]): Theme | null =>
  printing || printed.matches ? "light" : asked;

/** Marks the document with a chosen theme; answers the one in force. */
export function applyTheme(asked: View["theme"]): Theme {
  const chosen = chosenTheme(asked);
  const { dataset } = document.documentElement;
  if (!chosen) delete dataset["theme"];
  else if (dataset["theme"] !== chosen) dataset["theme"] = chosen;
  return chosen ?? systemTheme();
}

/** The other theme, as a choice: none where the system already says so. */
export function otherTheme(now: Theme): View["theme"] {
  const next = now === "dark" ? "light" : "dark";
  return next === systemTheme() ? null : next;
}

/** Calls back when the system changes or the page is printed, `now` where it is drawn at once; answers how to stop. */
export function onSystemTheme(changed: (now: boolean) => void): () => void {
  const turned = (): void => changed(false);
  const print = (): void => changed(printing);
  for (const query of [system, printed]) query.addEventListener("change", turned);
  for (const type of ["beforeprint", "afterprint"]) addEventListener(type, print);
  return () => {
    for (const query of [system, printed]) query.removeEventListener("change", turned);
    for (const type of ["beforeprint", "afterprint"]) removeEventListener(type, print);
  };
}
