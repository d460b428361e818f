/** Strings of the story editor. */
export const en = {
  "maker.title": "Your story",
  "maker.about":
    "Set up the lab as readers should see it, add it, and write what to look at. The address of the lab keeps the story.",
  "maker.step": "Step {number}: {title}",
  "maker.text": "What step {number} says",
  "maker.hint": "What should readers look at?",
  "maker.show": "Show it",
  "maker.shown": "Shown",
  "maker.update": "Use what is shown now",
  "maker.earlier": "Move step {number} earlier",
  "maker.later": "Move step {number} later",
  "maker.remove": "Remove step {number}",
  "maker.removed": "Step {number} was removed.",
  "maker.updated": "Step {number} shows something else now.",
  "maker.undo": "Undo",
  "maker.add": "Add what is shown",
  "maker.full": "A story has at most {count} steps.",
  "maker.too_long":
    "What is shown takes {length} characters of a link. A step has room for {most}: large matrices and pictures do not fit.",
  "maker.share": "Share the story",
  "maker.done": "Read the story",
} as const;
