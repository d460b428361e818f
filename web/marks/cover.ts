/** Hides a number that the reader is to guess in the labels of a scene, which print it without a cell of their own. */
import type { Cell } from "./board.js";
import { formatNote } from "./numbers.js";
import { placeOf } from "./plane.js";
import type { Scene, Snapshots } from "./scene.js";

/** The forms in which labels print a number: with one to four digits after the point, and as notes print it. Forms of a single digit also occur by chance. */
function formsOf(value: number): Set<string> {
  const forms = [1, 2, 3, 4].map((digits) => value.toFixed(digits).replace("-", "\u2212"));
  return new Set([...forms, formatNote(value)].filter((form) => form.replace(/[^\d∞]/g, "").length > 1));
}

/** The scene without labels that print the number of a covered cell. */
export function withoutCovered(scene: Scene, snapshots: Snapshots, covered: Cell | null): Scene {
  const snapshot = covered && snapshots.get(covered.node);
  if (!snapshot) return scene;
  return withoutNumber(scene, snapshot.data[placeOf(snapshot.shape, covered.index)] ?? NaN);
}

/** The scene with a question mark in place of each label's number that is `value`. */
export function withoutNumber(scene: Scene, value: number): Scene {
  const forms = formsOf(value);
  const hidden = (text: string): string =>
    text.replace(/(?<![\d.])[\u2212-]?\d+(?:\.\d+)?/gu, (number) =>
      forms.has(number.replace("-", "\u2212")) ? "?" : number,
    );
  return { ...scene, labels: scene.labels.map((label) => ({ ...label, text: hidden(label.text) })) };
}
