/** A scene made anew that keeps every part of the last one that came out equal, so that what did not change is not drawn again. */

type Entries = Record<string, unknown>;

function isEntries(thing: unknown): thing is Entries {
  return typeof thing === "object" && thing !== null && !Array.isArray(thing);
}

/** `after`, with every equal part taken from `before`; `before` itself when all is equal. */
export function shared<T>(before: unknown, after: T): T {
  if (Object.is(before, after)) return before as T;
  if (Array.isArray(before) && Array.isArray(after)) {
    const parts = after.map((part: unknown, at) => shared(before[at], part));
    const same = parts.length === before.length && parts.every((part, at) => Object.is(part, before[at]));
    return (same ? before : parts) as T;
  }
  if (!isEntries(before) || !isEntries(after)) return after;
  const keys = Object.keys(after);
  const parts: Entries = {};
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    const part = shared(before[key], after[key]);
    parts[key] = part;
    if (!(key in before) || !Object.is(part, before[key])) same = false;
  }
  return (same ? before : parts) as T;
}
