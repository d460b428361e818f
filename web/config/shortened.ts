const longest = 60;

/** A text that came from outside as a message may show it: characters that cannot be seen, or turn the text around, as U+FFFD. */
export const visible = (text: string): string => text.replace(/\p{C}/gu, "\uFFFD");

/** The same, not long. */
export const printable = (text: string): string => shortened(visible(text.slice(0, 200)));

/** At most 60 characters, the rest as an ellipsis; never half a character. */
export function shortened(text: string): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return `${text.slice(0, end)}…`;
}
