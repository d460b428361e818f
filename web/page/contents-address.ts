/** The address of the contents: "#contents", with language and theme where they were chosen. */
import type { View } from "../config/config.js";

type Choices = Pick<View, "lang" | "theme">;

export function contentsHash({ lang, theme }: Choices): string {
  return ["contents", ...(lang ? [`lang=${lang}`] : []), ...(theme ? [`theme=${theme}`] : [])].join("&");
}

/** Null when the hash is of a lab. */
export function readContentsHash(hash: string): Choices | null {
  const [place, ...fields] = hash.split("&");
  if (place !== "contents") return null;
  const lang = fields.includes("lang=en") ? "en" : fields.includes("lang=zh-CN") ? "zh-CN" : null;
  const theme = fields.includes("theme=light") ? "light" : fields.includes("theme=dark") ? "dark" : null;
  return { lang, theme };
}
