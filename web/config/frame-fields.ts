/** What a frame or an element is asked to show beside the state of a link: fields of its own, which no checksum counts. See README.md. */
import { unescaped, withoutEntities } from "./forms.js";
import { withoutSecret } from "./secret.js";

/** Parts that can be left out around the numbers. */
export const embedParts = ["settings", "play", "sum", "formula"] as const;
export type EmbedPart = (typeof embedParts)[number];

/** Names for lists of parts. */
const named: Readonly<Record<string, readonly EmbedPart[]>> = {
  none: [],
  minimal: ["play", "sum"],
  full: embedParts,
};
const usual: readonly EmbedPart[] = ["settings", "play", "sum"];

/** `ui`: a name for a list of parts, or such a list; null or empty: the usual ones. What it does not know it leaves out. */
export function partsOf(ui: string | null): ReadonlySet<EmbedPart> {
  if (ui === null || ui === "") return new Set(usual);
  const listed = ui.split(",").map((part) => part.trim().toLowerCase());
  return new Set(listed.flatMap((part) => named[part] ?? embedParts.filter((known) => known === part)));
}

/** The shortest text that asks for these parts; empty for the usual ones. */
export function uiOf(parts: ReadonlySet<EmbedPart>): string {
  const list = embedParts.filter((part) => parts.has(part)).join(",");
  if (list === usual.join(",")) return "";
  return Object.keys(named).find((name) => named[name]?.join(",") === list) ?? list;
}

/** `focus`: the tensors that are shown, by name; null or empty: all. */
export const tensorsOf = (focus: string | null): readonly string[] =>
  (focus ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** A frame's hash in parts: its own fields, and the link. */
export interface FrameFields {
  ui: string | null;
  focus: string | null;
  /** Without them. */
  link: string;
}

export function frameFields(hash: string): FrameFields {
  const own: Record<"ui" | "focus", string | null> = { ui: null, focus: null };
  const rest = withoutEntities(withoutSecret(hash))
    .split("&")
    .filter((field) => {
      const [name = "", value = ""] = field.split(/=(.*)/s);
      const key = name.toLowerCase();
      if (key === "ui" || key === "focus") own[key] = unescaped(value);
      // The theme of the system is what an absent field means.
      return key !== "ui" && key !== "focus" && field !== "theme=auto";
    });
  return { ...own, link: rest.join("&") };
}
