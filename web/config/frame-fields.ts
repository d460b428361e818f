/** The fields of a frame or an element that are not part of the state of a link: no checksum covers them. See README.md. */
import { unescapePercent, withoutEntities } from "./forms.js";
import { withoutSecret } from "./secret.js";

/** The parts of a frame that can be left out. */
export const embedParts = ["settings", "play", "sum", "formula"] as const;
export type EmbedPart = (typeof embedParts)[number];

/** Names for lists of parts. */
const named: Readonly<Record<string, readonly EmbedPart[]>> = {
  none: [],
  minimal: ["play", "sum"],
  full: embedParts,
};
const usual: readonly EmbedPart[] = ["settings", "play", "sum"];

/** The parts that the field `ui` names: a list of parts, or the name of a list. Null or empty means the usual parts; unknown names are left out. */
export function partsOf(ui: string | null): ReadonlySet<EmbedPart> {
  if (ui === null || ui === "") return new Set(usual);
  const listed = ui.split(",").map((part) => part.trim().toLowerCase());
  return new Set(listed.flatMap((part) => named[part] ?? embedParts.filter((known) => known === part)));
}

/** The shortest value of `ui` for these parts; empty for the usual ones. */
export function uiOf(parts: ReadonlySet<EmbedPart>): string {
  const list = embedParts.filter((part) => parts.has(part)).join(",");
  if (list === usual.join(",")) return "";
  return Object.keys(named).find((name) => named[name]?.join(",") === list) ?? list;
}

/** The names of the tensors that the field `focus` shows; null or empty means all. */
export const tensorsOf = (focus: string | null): readonly string[] =>
  (focus ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** The hash of a frame: its own fields, and the link. */
export interface FrameFields {
  ui: string | null;
  focus: string | null;
  /** The link without the fields of the frame. */
  link: string;
}

export function frameFields(hash: string): FrameFields {
  const own: Record<"ui" | "focus", string | null> = { ui: null, focus: null };
  const rest = withoutEntities(withoutSecret(hash))
    .split("&")
    .filter((field) => {
      const [name = "", value = ""] = field.split(/=(.*)/s);
      const key = name.toLowerCase();
      if (key === "ui" || key === "focus") own[key] = unescapePercent(value);
      // An absent theme means the theme of the system.
      return key !== "ui" && key !== "focus" && field !== "theme=auto";
    });
  return { ...own, link: rest.join("&") };
}
