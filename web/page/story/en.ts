/** Strings of making a story. */
export const en = {
  "maker.title": "Your story",
  "maker.about":
    "Set the lab as it is to be seen, add it, say what to look at. The address of this page keeps the story.",
  "maker.step": "Step {number}: {title}",
  "maker.text": "What step {number} says",
  "maker.hint": "What is to be seen here?",
  "maker.show": "Show it",
  "maker.shown": "Shown",
  "maker.update": "Keep what is shown now",
  "maker.earlier": "Move step {number} forward",
  "maker.later": "Move step {number} back",
  "maker.remove": "Remove step {number}",
  "maker.removed": "Step {number} was removed.",
  "maker.restore": "Put it back",
  "maker.add": "Add what is shown",
  "maker.full": "A story has at most {count} steps.",
  "maker.too_long":
    "What is shown takes {length} characters of a link. A step has room for {most}: large matrices and pictures do not fit.",
  "maker.share": "Share the story",
  "maker.done": "Read it",
} as const;
