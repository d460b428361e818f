/** The band of sentences above the stage: the original words, the words that BERT reads, and its predictions at the hidden places. */
import { bertVocabulary, segmentAt, sequenceOf, type BertNumbers } from "../../config/labs/bert.js";
import { cutName, textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Label, Scene, Snapshots } from "../../marks/scene.js";
import type { Strings } from "./strings.js";

/** The height of a row of words. */
const ROW = 20;
/** The width of the tick beside a correct word. */
const TICK = 14;
/** The distance from one line of words, of three rows, to the next. */
const LINE = 3 * ROW + 34;

/** BERT's most probable word at a hidden place. */
export interface Guess {
  place: number;
  word: string;
  isRight: boolean;
  probability: number;
}

export function topGuesses(numbers: BertNumbers, snapshots: Snapshots): Guess[] {
  const vocabulary = bertVocabulary(numbers);
  const probabilities = snapshots.get("probabilities");
  const targets = snapshots.get("targets");
  const width = vocabulary.length;
  return [...(snapshots.get("hidden_places")?.data ?? [])].map((place, at) => {
    const row = [...(probabilities?.data.slice(at * width, (at + 1) * width) ?? [])];
    const probability = Math.max(...row);
    const id = row.indexOf(probability);
    return { place, word: vocabulary[id] ?? "", isRight: id === targets?.data[at], probability };
  });
}

/** Draws the band and returns its height. The predictions appear at the stop `last`. */
export function drawBand(
  scene: Scene,
  width: number,
  numbers: BertNumbers,
  snapshots: Snapshots,
  last: number,
  strings: Strings,
): number {
  const vocabulary = bertVocabulary(numbers);
  const originalWords = sequenceOf(numbers);
  const inputWords = [...(snapshots.get("ids")?.data ?? [])].map((id) => vocabulary[id] ?? "");
  const guessAt = new Map(topGuesses(numbers, snapshots).map((guess) => [guess.place, guess]));
  // The x of the first word, the gap between two words, and the gap between a row's name and its words.
  const [left, gap, air] = width < 500 ? [46, 8, 8] : [70, 16, 14];
  let x = left;
  let y = 22;
  let start = x;
  /** The row of predictions appears at the last stop, the other rows at the first. */
  const stepOf = (row: number): number => (row === 2 ? last : 0);
  const addLabel = (
    text: string,
    kind: Label["kind"],
    at: number,
    row: number,
    role?: Label["role"],
  ): void => {
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
  const addRowNames = (): void =>
    (["said", "reads", "says"] as const).forEach((row, at) =>
      scene.labels.push({
        x: left - air,
        y: y + at * ROW,
        text: strings(`band.${row}`),
        kind: "axis",
        anchor: "end",
        step: stepOf(at),
      }),
    );
  /** Draws the bracket under the words of one sentence on one line. */
  const addBracket = (segment: 0 | 1, end: number): void => {
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
      text: strings(segment === 0 ? "segment.a" : "segment.b"),
      kind: "axis",
      anchor: "middle",
    });
  };
  addRowNames();
  originalWords.forEach((word, place) => {
    const guess = guessAt.get(place);
    const answer = guess ? `${cutName(guess.word)} ${formatNote(guess.probability)}` : "";
    const wordWidth = Math.max(
      textWidth(cutName(word), 12.5),
      textWidth(cutName(inputWords[place] ?? ""), 12.5),
      textWidth(answer, 12.5) + (guess?.isRight ? 2 * TICK : 0),
    );
    const segment = segmentAt(numbers, place);
    const startsSentence = place > 0 && segmentAt(numbers, place - 1) !== segment;
    if (x + wordWidth > width - 8 && x > left) {
      addBracket(segmentAt(numbers, place - 1), x - gap);
      x = left;
      start = x;
      y += LINE;
      addRowNames();
    } else if (startsSentence) {
      addBracket(segmentAt(numbers, place - 1), x - gap);
      start = x;
    }
    const middle = x + wordWidth / 2;
    addLabel(cutName(word), "axis", middle, 0);
    addLabel(
      cutName(inputWords[place] ?? ""),
      guess ? "heading" : "shape",
      middle,
      1,
      guess ? "output" : undefined,
    );
    if (guess?.isRight)
      scene.labels.push({
        x: middle - (wordWidth - TICK) / 2,
        y: y + 2 * ROW,
        text: answer,
        kind: "match",
        step: stepOf(2),
      });
    else if (guess) addLabel(answer, "heading", middle, 2);
    x += wordWidth + gap;
  });
  addBracket(segmentAt(numbers, originalWords.length - 1), x - gap);
  return y + LINE - ROW + 6;
}
