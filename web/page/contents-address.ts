/** The address of the contents: "#contents", with language and theme where the reader chose them. */
import type { View } from "../config/config.js";

type Choices = Pick<View, "lang" | "theme">;

export function contentsHash({ lang, theme }: Choices): string {
  return ["contents", ...(lang ? [`lang=${lang}`] : []), ...(theme ? [`theme=${theme}`] : [])].join("&");
}

/** Null when the hash is that of a lab. "zh" is accepted too, as in every link. */
export function readContentsHash(hash: string): Choices | null {
  const [place, ...fields] = hash.split("&");
  if (place !== "contents") return null;
  const hasField = (field: string) => fields.includes(field);
  const lang = hasField("lang=en") ? "en" : hasField("lang=zh-CN") || hasField("lang=zh") ? "zh-CN" : null;
  const theme = hasField("theme=light") ? "light" : hasField("theme=dark") ? "dark" : null;
  return { lang, theme };
}
