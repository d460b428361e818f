/** Light and dark: the system's, unless the reader or the link chose. */
import type { View } from "../config/config.js";

const system = matchMedia("(prefers-color-scheme: dark)");

export type Theme = "light" | "dark";

export const systemTheme = (): Theme => (system.matches ? "dark" : "light");

/** Paper is light. */
const printed = matchMedia("print");

/** What was chosen; null: nothing, the system's holds. */
export const chosenTheme = (asked: View["theme"]): Theme | null => (printed.matches ? "light" : asked);

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

/** Calls back when the system changes or the page is printed; answers how to stop. */
export function onSystemTheme(changed: () => void): () => void {
  for (const query of [system, printed]) query.addEventListener("change", changed);
  return () => {
    for (const query of [system, printed]) query.removeEventListener("change", changed);
  };
}
