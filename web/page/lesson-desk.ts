/**
 * The lesson of the open lab: it is fetched after the lab's numbers. It also holds the ticks of its concepts,
 * the line in the transport bar, and the description of the stage.
 */
import type { Config, LabId } from "../config/config.js";
import { firstExamples } from "../config/defaults.js";
import type { ConceptText, LessonPlace, LessonText } from "../elements/lesson.js";
import { plainProse } from "../elements/prose.js";
import type { Words } from "../i18n/words.js";
import type { Act, Concept, Lesson, LessonPart } from "../telling/lesson.js";
import type { Question, Setting, SetUp } from "../telling/question.js";
import { inLanguage } from "../telling/translations.js";
import { loadLesson } from "../labs/lessons.js";
import { list } from "../labs/list.js";
import { isRefused } from "../telling/typed-values.js";
import { sameCell, type Cell } from "../marks/board.js";
import type { Snapshots } from "../marks/scene.js";
import { hasCell } from "./cells.js";
import { exampleIn } from "./in-language.js";
import { asNow, labOf, withNumbers, withView } from "./open-lab.js";
import { Memo } from "./memo.js";
import { Ticks, ownStore, questionsKey } from "./ticks.js";
import type { ReportedAct } from "./act-reporter.js";

/** A lesson without the type of its own lab. */
type OpenLesson = Lesson<LabId>;

/** The line in the transport bar: what to look at in an exercise, the question that is asked, or the concept that was ticked. */
type Line =
  { kind: "try" | "question"; part: LessonPart; place: number } | { kind: "tick"; concept: Concept<LabId> };

/** The id under which an answered question is stored. */
const questionId = (part: LessonPart, place: number): string => `${part.id},${place}`;

/** A line in the reader's language. */
export interface LineText {
  kind: Line["kind"];
  text: string;
}

export class LessonDesk {
  readonly ticks = new Ticks(ownStore());
  readonly #answered = new Ticks(ownStore(), questionsKey);
  readonly #onChange: () => void;
  #lab: LabId | null = null;
  #opening: Promise<void> = Promise.resolve();
  #lesson: OpenLesson | null = null;
  #shows: ((lab: LabId, words: Words) => string) | null = null;
  #line: Line | null = null;
  /** Whether the reader has read in the lesson since it was opened, or begun something in it. Only then concepts are ticked. */
  #isRead = false;
  /** The question that was asked last: its id, and its covered cell. */
  #asked: { id: string; cell: Cell } | null = null;
  /** The numbers for which a concept was ticked last. */
  #tickedBy: Config["numbers"] | null = null;
  readonly #text = new Memo<LessonText>();
  /** Whether the lesson could not be fetched. */
  hasFailed = false;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  listen(): void {
    addEventListener("storage", this.#onStorage);
  }

  close(): void {
    removeEventListener("storage", this.#onStorage);
  }

  readonly #onStorage = (): void => {
    this.ticks.reload();
    this.#answered.reload();
    this.#onChange();
  };

  /**
   * Fetches the lesson of a lab, unless that has been done or is under way; resolves when it has come or
   * failed.
   */
  open(lab: LabId, again = false): Promise<void> {
    if (lab !== this.#lab || again) this.#opening = this.#fetch(lab);
    return this.#opening;
  }

  async #fetch(lab: LabId): Promise<void> {
    this.#lab = lab;
    this.#lesson = null;
    this.#line = null;
    this.#asked = null;
    this.#isRead = false;
    this.hasFailed = false;
    try {
      const [lesson, { descriptionOf }] = await Promise.all([
        loadLesson(lab),
        import("./shows/words.js"),
        import("../elements/lesson.js"),
      ]);
      if (this.#lab !== lab) return;
      this.#shows = descriptionOf;
      this.#lesson = lesson;
    } catch {
      if (this.#lab !== lab) return;
      this.hasFailed = true;
    }
    this.#onChange();
  }

  /** A description of what a lab's stage shows; "" until it is fetched. */
  shows(lab: LabId, words: Words): string {
    return this.#shows?.(lab, words) ?? "";
  }

  /** The number of concepts of a lab that are done, and of all. */
  count(lab: LabId): { done: number; count: number } {
    const { concepts: count } = list[lab];
    return { done: Math.min(count, this.ticks.of(lab).length), count };
  }

  /** The lesson in the reader's language; the same object while it says the same. */
  text(lab: LabId, { language }: Words): LessonText | null {
    const lesson = this.#lab === lab ? this.#lesson : null;
    if (!lesson) return null;
    const ticks = this.ticks.of(lab);
    const answered = this.#answered.of(lab);
    return this.#text.of([lesson, ticks, answered, language], () => ({
      parts: lesson.parts.map((part) => ({
        id: part.id,
        heading: part.heading[language],
        paragraphs: part.paragraphs.map((said) => said[language]),
        table: part.table
          ? {
              caption: part.table.caption[language],
              head: part.table.head.map((said) => inLanguage(said, language)),
              rows: part.table.rows.map((row) => row.map((said) => inLanguage(said, language))),
            }
          : null,
        tries: (part.tries ?? []).map(({ sentence }) => sentence[language]),
        questions: (part.questions ?? []).map(({ sentence }, place) => ({
          sentence: sentence[language],
          isAnswered: answered.includes(questionId(part, place)),
        })),
      })),
      concepts: lesson.concepts.map(({ id, title, sentence, done }): ConceptText => ({
        id,
        title: title[language],
        sentence: sentence[language],
        done: done[language],
        ticked: ticks.includes(id),
      })),
    }));
  }

  /**
   * The anchors of the lesson that a link may name: each part, and each of its paragraphs. Null until it is
   * fetched.
   */
  anchors(lab: LabId): string[] | null {
    if (this.#lab !== lab || !this.#lesson) return null;
    return this.#lesson.parts.flatMap(({ id, paragraphs }) => [
      id,
      ...paragraphs.map((_, at) => `${id},${at}`),
    ]);
  }

  line({ language }: Words): LineText | null {
    const line = this.#line;
    if (!line) return null;
    const text =
      line.kind === "tick"
        ? line.concept.done
        : line.kind === "try"
          ? line.part.tries?.[line.place]?.look
          : line.part.questions?.[line.place]?.sentence;
    return text ? { kind: line.kind, text: plainProse(text[language]) } : null;
  }

  /** The place in the lesson that the line leads back to. */
  get place(): LessonPlace {
    const line = this.#line;
    if (!line || line.kind === "tick") return "concepts";
    return { kind: line.kind, part: line.part.id, place: line.place };
  }

  /** The reader has come to the lesson. */
  onRead(): void {
    this.#isRead = true;
  }

  /** The stop that a paragraph of the lesson speaks of; undefined when there is none. */
  stopOf(part: string, paragraph: number): string | undefined {
    return this.#lesson?.parts.find(({ id }) => id === part)?.paragraphs[paragraph]?.stop;
  }

  /**
   * Ticks the concepts that an act of the reader fulfils while the lesson is read, and shows the line of the last of them; marks a question as
   * answered.
   */
  onAct({ act, at }: ReportedAct): void {
    const lab = at.config.view.lab;
    if (this.#lab !== lab || !this.#lesson || !this.#isRead) return;
    if (act.kind === "guess") return this.#onGuess(lab, act);
    // The line was about numbers that have been replaced.
    const ends = ["change", "edit", "stop", "play-end"].includes(act.kind);
    // When several cells were set at once, a tick for one of them keeps its line.
    const together = act.kind === "edit" && at.config.numbers === this.#tickedBy;
    if (ends && !together) this.#line = null;
    // The question was about other numbers.
    if (act.kind === "change" || act.kind === "edit") this.#asked = null;
    const ticks = this.ticks.of(lab);
    const done = this.#lesson.concepts.filter(({ id, happens }) => !ticks.includes(id) && happens(act, at));
    for (const concept of done) {
      this.ticks.add(lab, concept.id);
      this.#line = { kind: "tick", concept };
      this.#tickedBy = at.config.numbers;
    }
    if (ends || done.length) this.#onChange();
  }

  #onGuess(lab: LabId, guess: Extract<Act, { kind: "guess" }>): void {
    const asked = this.#asked;
    if (!asked || !guess.isRight || !sameCell(asked.cell, guess)) return;
    this.#answered.add(lab, asked.id);
    this.#onChange();
  }

  /** Removes the line. */
  clearLine(): void {
    this.#line = null;
  }

  /** The reader dismissed the notice that ticks cannot be stored. */
  dismissStoreNotice(): void {
    this.ticks.isFull = false;
    this.#onChange();
  }

  restart(): void {
    if (this.#lab) {
      this.ticks.restart(this.#lab);
      this.#answered.restart(this.#lab);
    }
    this.#line = null;
    this.#onChange();
  }

  /**
   * The Config that an exercise sets up from the present one; also shows its line. Null when there is no such
   * exercise.
   */
  try(id: string, place: number, now: Config, words: Words): { config: Config; play: boolean } | null {
    const part = this.#lesson?.parts.find((one) => one.id === id);
    const exercise = part?.tries?.[place];
    if (!part || !exercise) return null;
    this.#line = { kind: "try", part, place };
    this.#isRead = true;
    return { config: setUp(exercise, now, words), play: exercise.play === true };
  }

  /** The Config that a question is asked at; also shows its line. Null when there is no such question. */
  ask(id: string, place: number, now: Config, snapshots: Snapshots, words: Words): Config | null {
    const part = this.#lesson?.parts.find((one) => one.id === id);
    const question = part?.questions?.[place];
    if (!part || !question) return null;
    this.#line = { kind: "question", part, place };
    this.#asked = { id: questionId(part, place), cell: question.cell };
    this.#isRead = true;
    return asked(question, now, snapshots, words);
  }
}

/**
 * A Config at which a question is asked: at its stop, with its cell covered. `snapshots` are the numbers of `now`; where they lack the
 * cell, the question starts from the lab's first example.
 */
export function asked(question: Question, now: Config, snapshots: Snapshots, words: Words): Config {
  const { cell, stop } = question;
  const isThere = question.example !== undefined || question.changes || hasCell(snapshots, cell);
  const config = setUp(
    isThere ? question : { ...question, example: firstExamples[now.view.lab] },
    now,
    words,
  );
  return withView(config, { stop, guess: cell, before: undefined, gradient: undefined });
}

/**
 * A Config with an exercise's settings: from its example, else from the present numbers, else from the lab's
 * first example.
 */
export function setUp({ example, changes = [], cell, view }: SetUp, now: Config, words: Words): Config {
  const from = (id: string): Config => exampleIn(id, words.language) ?? now;
  const start = example === undefined ? now : from(example);
  const config =
    withChanges(start, changes, words) ??
    withChanges(from(firstExamples[now.view.lab]), changes, words) ??
    now;
  return withView(asNow(config, now), {
    ...view,
    pinned: false,
    lesson: undefined,
    ...(cell ? { cell } : {}),
  });
}

/** The Config after some changes; null when one of them is refused. */
function withChanges(config: Config, changes: readonly Setting[], words: Words): Config | null {
  let { numbers } = config;
  for (const { control, value } of changes) {
    const text = inLanguage(value, words.language);
    const answer = labOf(config).change(numbers, control, text, words);
    if (isRefused(answer)) return null;
    numbers = answer;
  }
  return numbers === config.numbers ? config : withNumbers(config, numbers);
}
