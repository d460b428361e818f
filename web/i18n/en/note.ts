/** English: the arithmetic note. */
export const note = {
  "note.copy": "Copy the full values",
} as const;
