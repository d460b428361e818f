/** What the reader asks the model: the samples of the settings as ids or pixels, with the right answers where they are known. */
import { isOfDigits, type TrainingNumbers } from "../../config/labs/training.js";
import type { Task } from "../../core/index.js";

/** One sample: the core's example, the tokens of its source, and the right answer, if it is known. */
export interface AskedSample {
  example: { source?: number[]; image?: Float64Array; start?: number[] };
  source: number[];
  /** Of a text: what it begins with. */
  start: number[];
  expected: number[] | null;
}

/** The parts of a sample that are tokens. */
function partsOf({ task }: TrainingNumbers, sample: string): string[] {
  if (task === "translation") return sample.split(/[\s_]+/).filter((word) => word !== "");
  if (task === "modular-addition") return sample.match(/\d+|./g) ?? [];
  if (task === "text") return [...sample.replaceAll("_", " ")];
  return [...sample];
}

const sameIds = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((id, at) => id === b[at]);

/** The right answer to a source. */
function expectedOf(numbers: TrainingNumbers, task: Task, source: readonly number[]): number[] | null {
  if (numbers.task === "copy") return [...source];
  if (numbers.task === "reverse") return [...source].reverse();
  if (numbers.task === "sort") return [...source].sort((a, b) => a - b);
  return task.heldOut.find((example) => sameIds(example.source, source))?.target ?? null;
}

/** Throws Error for a sample that the task cannot be asked. */
export function askedSamples(numbers: TrainingNumbers, task: Task): AskedSample[] {
  return numbers.samples.map((sample): AskedSample => {
    if (numbers.task === "shapes" || numbers.task === "masked-token") {
      const held = /^\d+$/.test(sample) ? task.heldOut[Number(sample)] : undefined;
      if (!held)
        throw new Error(`samples: got "${sample}", expected a number from 0 to ${task.heldOut.length - 1}`);
      return {
        example: held.image ? { image: held.image.data } : { source: held.source },
        source: held.source,
        start: [],
        expected: held.target,
      };
    }
    const ids = partsOf(numbers, sample).map((part) => {
      const id = task.vocabulary.indexOf(part);
      if (id < 0)
        throw new Error(
          `samples: got "${part}" in "${sample}", expected one of ${task.vocabulary.filter((token) => !token.startsWith("<")).join(" ")}`,
        );
      return id;
    });
    if (numbers.task === "text") return { example: { start: ids }, source: [], start: ids, expected: null };
    return { example: { source: ids }, source: ids, start: [], expected: expectedOf(numbers, task, ids) };
  });
}

/** Whether the answer to a source is one token, without an end. */
export const isLabel = ({ task }: Pick<TrainingNumbers, "task">): boolean =>
  task === "parentheses" || task === "modular-addition";

/** The place of the first answer among the rows of the logits of a sample. */
export function firstAnswer(numbers: TrainingNumbers, source: readonly number[]): number {
  const { model } = numbers;
  // [CLS] stands before the sentence.
  if (model === "bert") return 1;
  return model === "decoder" || (model === "encoder" && isLabel(numbers)) ? source.length : 0;
}

/** The place of the source that each row of a reversed or copied sequence has to look at, as 0 and 1, (rows, columns); null where a task names none. */
export function expectedPlaces(numbers: TrainingNumbers, rows: number, columns: number): number[] | null {
  const { task, length, model } = numbers;
  if ((task !== "reverse" && task !== "copy") || !isOfDigits(numbers) || model === "decoder") return null;
  return Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    return Number(column === (task === "reverse" ? length - 1 - row : row) && row < length);
  });
}

/** Texts as a node: the code points of each, with zeros after its end. */
export function codePoints(texts: readonly string[]): { shape: number[]; data: Int32Array } {
  const longest = Math.max(1, ...texts.map((text) => [...text].length));
  const data = new Int32Array(texts.length * longest);
  texts.forEach((text, row) =>
    [...text].forEach((sign, at) => (data[row * longest + at] = sign.codePointAt(0)!)),
  );
  return { shape: [texts.length, longest], data };
}
