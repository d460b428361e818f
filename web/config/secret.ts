/** What WordPress appends to the address of a frame that it takes from oEmbed: no part of the link. */

/** Letters and digits, as WordPress makes them; a frame may have had no hash of its own before it. */
const appended = /(?:^|#)\?secret=([0-9A-Za-z]{1,64})$/;

/** The secret at the end of a hash; null where it has none. */
export const secretOf = (hash: string): string | null => appended.exec(hash)?.[1] ?? null;

export const withoutSecret = (hash: string): string => hash.replace(appended, "");
