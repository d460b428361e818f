/** The sentences as BERT sees them: what was said, what it reads, and what it says at the hidden places. */
import { bertVocabulary, segmentAt, sequenceOf, type BertNumbers } from "../../config/labs/bert.js";
import { cutName, textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Label, Scene, Snapshots } from "../../marks/scene.js";
import type { Say } from "./strings.js";

const ROW = 20;
/** What the tick of a right word takes. */
const TICK = 14;
/** From one line of words to the next. */
const LINE = 3 * ROW + 34;

/** What BERT says at each hidden place: the likeliest word. */
export interface Guess {
  place: number;
  word: string;
  right: boolean;
  probability: number;
}

export function guesses(numbers: BertNumbers, snapshots: Snapshots): Guess[] {
  const vocabulary = bertVocabulary(numbers);
  const probabilities = snapshots.get("probabilities");
  const targets = snapshots.get("targets");
  const width = vocabulary.length;
  return [...(snapshots.get("hidden_places")?.data ?? [])].map((place, at) => {
    const row = [...(probabilities?.data.slice(at * width, (at + 1) * width) ?? [])];
    const probability = Math.max(...row);
    const id = row.indexOf(probability);
    return { place, word: vocabulary[id] ?? "", right: id === targets?.data[at], probability };
  });
}

export function drawBand(
  scene: Scene,
  width: number,
  numbers: BertNumbers,
  snapshots: Snapshots,
  last: number,
  say: Say,
): number {
  const vocabulary = bertVocabulary(numbers);
  const said = sequenceOf(numbers);
  const read = [...(snapshots.get("ids")?.data ?? [])].map((id) => vocabulary[id] ?? "");
  const found = new Map(guesses(numbers, snapshots).map((guess) => [guess.place, guess]));
  // Where the words begin, what is between two of them, and between them and the name of their row.
  const [left, gap, air] = width < 500 ? [46, 8, 8] : [70, 16, 14];
  let x = left;
  let y = 22;
  let start = x;
  /** Words are found at the last stop; the others are there from the start. */
  const stepOf = (row: number): number => (row === 2 ? last : 0);
  const label = (text: string, kind: Label["kind"], at: number, row: number, role?: Label["role"]): void => {
    scene.labels.push({
      x: at,
      y: y + row * ROW,
      text,
      kind,
      anchor: "middle",
      step: stepOf(row),
      ...(role ? { role } : {}),
    });
  };
  const names = (): void =>
    (["said", "reads", "says"] as const).forEach((row, at) =>
      scene.labels.push({
        x: left - air,
        y: y + at * ROW,
        text: say(`band.${row}`),
        kind: "axis",
        anchor: "end",
        step: stepOf(at),
      }),
    );
  /** The bracket under the words of one sentence on one line. */
  const sentence = (segment: 0 | 1, end: number): void => {
    const low = y + 2 * ROW + 10;
    scene.curves.push({
      id: `band-${segment}-${y}`,
      points: [
        [start, low - 4],
        [start, low],
        [end, low],
        [end, low - 4],
      ],
      role: segment === 0 ? "query" : "key",
      kind: "bracket",
      step: 0,
    });
    scene.labels.push({
      x: (start + end) / 2,
      y: low + 14,
      text: say(segment === 0 ? "segment.a" : "segment.b"),
      kind: "axis",
      anchor: "middle",
    });
  };
  names();
  said.forEach((word, place) => {
    const guess = found.get(place);
    const answer = guess ? `${cutName(guess.word)} ${formatNote(guess.probability)}` : "";
    const wide = Math.max(
      textWidth(cutName(word), 12.5),
      textWidth(cutName(read[place] ?? ""), 12.5),
      textWidth(answer, 12.5) + (guess?.right ? 2 * TICK : 0),
    );
    const segment = segmentAt(numbers, place);
    const changed = place > 0 && segmentAt(numbers, place - 1) !== segment;
    if (x + wide > width - 8 && x > left) {
      sentence(segmentAt(numbers, place - 1), x - gap);
      x = left;
      start = x;
      y += LINE;
      names();
    } else if (changed) {
      sentence(segmentAt(numbers, place - 1), x - gap);
      start = x;
    }
    const middle = x + wide / 2;
    label(cutName(word), "axis", middle, 0);
    label(cutName(read[place] ?? ""), guess ? "heading" : "shape", middle, 1, guess ? "output" : undefined);
    if (guess?.right)
      scene.labels.push({
        x: middle - (wide - TICK) / 2,
        y: y + 2 * ROW,
        text: answer,
        kind: "match",
        step: stepOf(2),
      });
    else if (guess) label(answer, "heading", middle, 2);
    x += wide + gap;
  });
  sentence(segmentAt(numbers, said.length - 1), x - gap);
  return y + LINE - ROW + 6;
}
