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
  const says = (field: string) => fields.includes(field);
  const lang = says("lang=en") ? "en" : says("lang=zh-CN") || says("lang=zh") ? "zh-CN" : null;
  const theme = says("theme=light") ? "light" : says("theme=dark") ? "dark" : null;
  return { lang, theme };
}
