const longest = 60;

/** At most 60 characters, the rest as an ellipsis; never half a character. */
export function shortened(text: string): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return `${text.slice(0, end)}…`;
}
