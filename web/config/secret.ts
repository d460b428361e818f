/** The secret that WordPress appends to the address of a frame that it embeds by oEmbed. It is not part of the link. */

/** The secret is letters and digits. The frame's address may have had no hash of its own before it. */
const appended = /(?:^|#)\?secret=([0-9A-Za-z]{1,64})$/;

/** The secret that WordPress appended to a hash, or null. */
export const wordPressSecretOf = (hash: string): string | null => appended.exec(hash)?.[1] ?? null;

export const withoutSecret = (hash: string): string => hash.replace(appended, "");
