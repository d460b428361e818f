/** The lesson of the open lab: fetched when its numbers stand, its concepts ticked off, what was last said of it; with it, what its stage shows. */
import type { Config, LabId } from "../config/config.js";
import { firstExamples } from "../config/defaults.js";
import type { ConceptText, LessonText } from "../elements/lesson.js";
import { plainProse } from "../elements/prose.js";
import type { Language, Words } from "../i18n/words.js";
import {
  inLanguage,
  type Concept,
  type Lesson,
  type LessonPart,
  type Setting,
  type Try,
} from "../telling/lesson.js";
import { loadLesson } from "../labs/lessons.js";
import { list } from "../labs/list.js";
import { isRefused } from "../telling/typed-values.js";
import { exampleIn } from "./in-language.js";
import { asNow, labOf, withNumbers, withView } from "./open-lab.js";
import { Ticks, ownStore } from "./ticks.js";
import type { Witnessed } from "./witness.js";

/** A lesson asked only about its own lab. */
type OpenLesson = Lesson<LabId>;

/** What is said in the bar of Play: what a try shows, or what was found. */
type Line = { kind: "try"; part: LessonPart; place: number } | { kind: "tick"; concept: Concept<LabId> };

/** A line in the reader's language. */
export interface LineText {
  kind: Line["kind"];
  text: string;
}

export class LessonDesk {
  readonly ticks = new Ticks(ownStore());
  readonly #changed: () => void;
  #lab: LabId | null = null;
  #opening: Promise<void> = Promise.resolve();
  #lesson: OpenLesson | null = null;
  #shows: ((lab: LabId, words: Words) => string) | null = null;
  #line: Line | null = null;
  /** The numbers that ticked last. */
  #tickedBy: Config["numbers"] | null = null;
  #text: { lesson: OpenLesson; ticks: readonly string[]; language: Language; text: LessonText } | null = null;
  /** The lesson could not be fetched. */
  failed = false;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  listen(): void {
    addEventListener("storage", this.#stored);
  }

  close(): void {
    removeEventListener("storage", this.#stored);
  }

  readonly #stored = (): void => {
    this.ticks.renew();
    this.#changed();
  };

  /** Fetches the lesson of a lab, unless it is there or on its way; resolves when it is there, or failed. */
  open(lab: LabId, again = false): Promise<void> {
    if (lab !== this.#lab || again) this.#opening = this.#fetch(lab);
    return this.#opening;
  }

  async #fetch(lab: LabId): Promise<void> {
    this.#lab = lab;
    this.#lesson = null;
    this.#line = null;
    this.failed = false;
    try {
      const [lesson, { shows }] = await Promise.all([
        loadLesson(lab),
        import("./shows/words.js"),
        import("../elements/lesson.js"),
      ]);
      if (this.#lab !== lab) return;
      this.#shows = shows;
      this.#lesson = lesson;
    } catch {
      if (this.#lab !== lab) return;
      this.failed = true;
    }
    this.#changed();
  }

  /** What the stage of a lab shows, in words; "" before they are there. */
  shows(lab: LabId, words: Words): string {
    return this.#shows?.(lab, words) ?? "";
  }

  /** How many concepts of a lab are done, of how many. */
  count(lab: LabId): { done: number; count: number } {
    const { concepts: count } = list[lab];
    return { done: Math.min(count, this.ticks.of(lab).length), count };
  }

  /** The lesson in the reader's language; the same object while it says the same. */
  text(lab: LabId, { language }: Words): LessonText | null {
    const lesson = this.#lab === lab ? this.#lesson : null;
    if (!lesson) return null;
    const ticks = this.ticks.of(lab);
    const before = this.#text;
    if (before?.lesson === lesson && before.ticks === ticks && before.language === language)
      return before.text;
    const text = {
      parts: lesson.parts.map(({ id, heading, paragraphs, table, tries = [] }) => ({
        id,
        heading: heading[language],
        paragraphs: paragraphs.map((said) => said[language]),
        table: table
          ? {
              caption: table.caption[language],
              head: table.head.map((said) => inLanguage(said, language)),
              rows: table.rows.map((row) => row.map((said) => inLanguage(said, language))),
            }
          : null,
        tries: tries.map(({ sentence }) => sentence[language]),
      })),
      concepts: lesson.concepts.map(({ id, title, sentence, done }): ConceptText => ({
        id,
        title: title[language],
        sentence: sentence[language],
        done: done[language],
        ticked: ticks.includes(id),
      })),
    };
    this.#text = { lesson, ticks, language, text };
    return text;
  }

  /** What a link may lead to in the lesson: each part, and each of its paragraphs. Null before it is there. */
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
    const said = line.kind === "tick" ? line.concept.done : line.part.tries?.[line.place]?.look;
    return said ? { kind: line.kind, text: plainProse(said[language]) } : null;
  }

  /** Where in the lesson the line leads back to. */
  get place(): { part: string; place: number } | "concepts" {
    const line = this.#line;
    return line?.kind === "try" ? { part: line.part.id, place: line.place } : "concepts";
  }

  /** The reader did something: ticks what it does, and says so. */
  witnessed({ act, at }: Witnessed): void {
    const lab = at.config.view.lab;
    if (this.#lab !== lab || !this.#lesson) return;
    // What was said is of numbers that are no longer there.
    const ends = ["change", "edit", "stop", "play-end"].includes(act.kind);
    // Of numbers that were set at once, one may have ticked.
    const together = act.kind === "edit" && at.config.numbers === this.#tickedBy;
    if (ends && !together) this.#line = null;
    const ticks = this.ticks.of(lab);
    const done = this.#lesson.concepts.filter(({ id, happens }) => !ticks.includes(id) && happens(act, at));
    for (const concept of done) {
      this.ticks.add(lab, concept.id);
      this.#line = { kind: "tick", concept };
      this.#tickedBy = at.config.numbers;
    }
    if (ends || done.length) this.#changed();
  }

  /** Nothing more to be said. */
  silence(): void {
    this.#line = null;
  }

  /** The reader knows that ticks are not kept. */
  understood(): void {
    this.ticks.full = false;
    this.#changed();
  }

  restart(): void {
    if (this.#lab) this.ticks.restart(this.#lab);
    this.#line = null;
    this.#changed();
  }

  /** The Config that a try sets up from the present one; says what to look at. Null when there is no such try. */
  try(id: string, place: number, now: Config, words: Words): { config: Config; play: boolean } | null {
    const part = this.#lesson?.parts.find((one) => one.id === id);
    const given = part?.tries?.[place];
    if (!part || !given) return null;
    this.#line = { kind: "try", part, place };
    return { config: setUp(given, now, words), play: given.play === true };
  }
}

/** A Config with a try's settings: from its example, else from the present numbers, else from the lab's first example. */
export function setUp({ example, changes = [], cell, view }: Try, now: Config, words: Words): Config {
  const from = (id: string): Config => exampleIn(id, words.language) ?? now;
  const start = example === undefined ? now : from(example);
  const config =
    changed(start, changes, words) ?? changed(from(firstExamples[now.view.lab]), changes, words) ?? now;
  return withView(asNow(config, now), {
    ...view,
    pinned: false,
    lesson: undefined,
    ...(cell ? { cell } : {}),
  });
}

/** The Config after some changes; null when one is refused. */
function changed(config: Config, changes: readonly Setting[], words: Words): Config | null {
  const lab = labOf(config);
  let { numbers } = config;
  for (const { control, value } of changes) {
    const said = inLanguage(value, words.language);
    const answer = lab.change(numbers, control, said, words);
    if (isRefused(answer)) return null;
    numbers = answer;
  }
  return numbers === config.numbers ? config : withNumbers(config, numbers);
}
