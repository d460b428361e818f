const longest = 60;

/** A text from outside, for use in a message: characters that are invisible or change the direction of text become U+FFFD. */
export const visible = (text: string): string => text.replace(/\p{C}/gu, "\uFFFD");

/** The same, shortened. */
export const printable = (text: string): string => shortened(visible(text.slice(0, 200)));

/** At most 60 characters of a text, with an ellipsis if it is longer. Surrogate pairs are not split. */
export function shortened(text: string): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return `${text.slice(0, end)}…`;
}
