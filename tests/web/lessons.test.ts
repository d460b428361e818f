// Lessons: they are complete in both languages, their links change the settings they name, each concept is completed by its task, and completed concepts
// are stored.
import { describe, expect, test } from "vitest";
import type { Config, ConfigOf, LabId } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import { list } from "../../web/labs/list.js";
import { valueOf, type Act, type At, type Lesson } from "../../web/telling/lesson.js";
import { inLanguage, type Translations } from "../../web/telling/translations.js";
import { loadLesson } from "../../web/labs/lessons.js";
import type { Step } from "../../web/marks/wording.js";
import { isRefused } from "../../web/telling/typed-values.js";
import { plainProse } from "../../web/elements/prose.js";
import { exampleIn } from "../../web/page/in-language.js";
import { setUp } from "../../web/page/lesson-desk.js";
import { labOf } from "../../web/page/open-lab.js";
import { Ticks } from "../../web/page/ticks.js";
import { computed } from "./labs-sessions.js";

const languages: Language[] = ["en", "zh-CN"];
const words = wordsIn("en");

const labIds = Object.keys(list) as LabId[];
const lessons = new Map<LabId, Lesson<LabId>>();
for (const lab of labIds) {
  lessons.set(lab, await loadLesson(lab));
}

/** The state that an act is reported with, for a Config. */
function at(config: Config, was: Config = config): At<LabId> {
  return {
    config: config as ConfigOf<LabId>,
    was: was as ConfigOf<LabId>,
    snapshots: computed(config).snapshots,
  };
}

function stopsOfExample(config: Config): readonly Step[] {
  return labOf(config).steps(config, words, computed(config).snapshots);
}

function textsOf({ parts, concepts }: Lesson<LabId>): Translations[] {
  return [
    ...parts.flatMap(({ heading, paragraphs, table, tries = [], questions = [] }) => [
      heading,
      ...paragraphs,
      ...(table ? [table.caption] : []),
      ...tries.flatMap(({ sentence, look }) => [sentence, look]),
      ...questions.map(({ sentence }) => sentence),
    ]),
    ...concepts.flatMap(({ title, sentence, done }) => [title, sentence, done]),
  ];
}

for (const [lab, lesson] of lessons) {
  describe(`the lesson of ${lab}`, () => {
    test("has every text in both languages, with all its marks closed", () => {
      for (const said of textsOf(lesson)) {
        for (const language of languages) {
          const text = said[language];
          expect(text.trim()).not.toBe("");
          expect([text, /[*`{}]|undefined/.test(plainProse(text))]).toEqual([text, false]);
          // The page's texts contain no praise and no haste.
          expect(text).not.toMatch(/[!！]|\bsimply\b|\blet['’]s\b/i);
        }
        expect(said["zh-CN"]).not.toBe(said.en);
        expect(said["zh-CN"]).toMatch(/\p{Script=Han}/u);
      }
    });

    test("has 3 to 6 concepts, as many as the list of labs says, with different ids", () => {
      const ids = lesson.concepts.map(({ id }) => id);
      expect(ids.length).toBe(list[lab].concepts);
      expect(ids.length).toBeGreaterThanOrEqual(3);
      expect(ids.length).toBeLessThanOrEqual(6);
      expect(new Set(ids).size).toBe(ids.length);
      const parts = lesson.parts.map(({ id }) => id);
      expect(new Set(parts).size).toBe(parts.length);
      for (const id of [...ids, ...parts]) expect(id).toMatch(/^[a-z0-9-]+$/);
    });

    test("has tables with a cell for every column and a name for every row", () => {
      for (const { table } of lesson.parts) {
        if (!table) continue;
        expect(table.head.length).toBeLessThanOrEqual(4);
        for (const row of table.rows) expect(row.length).toBe(table.head.length);
        for (const cell of [...table.head.slice(1), ...table.rows.flat()]) {
          for (const language of languages) {
            const text = inLanguage(cell, language);
            expect(text.trim()).not.toBe("");
            expect([text, /[*`{}]|undefined/.test(plainProse(text))]).toEqual([text, false]);
          }
        }
      }
    });

    test("has something to try in every part", () => {
      for (const { id, tries = [] } of lesson.parts) expect([id, tries.length > 0]).toEqual([id, true]);
    });

    for (const part of lesson.parts) {
      for (const [place, given] of (part.tries ?? []).entries()) {
        test.each(languages)(
          `its try ${part.id} ${place} leads to a cell that is there, in %s`,
          (language) => {
            const words = wordsIn(language);
            const { example } = given;
            const start = structuredClone(
              example === undefined ? (defaults(lab) as Config) : exampleIn(example, language)!,
            );
            let { numbers } = start;
            for (const { control, value: said } of given.changes ?? []) {
              const value = inLanguage(said, language);
              const answer = labOf(start).change(numbers, control, value, words);
              expect([control, value, isRefused(answer) ? answer.refused : ""]).toEqual([control, value, ""]);
              if (!isRefused(answer)) numbers = answer;
            }
            const config = setUp(given, start, words);
            expect(config.numbers).toEqual(numbers);
            const { snapshots } = computed(config);
            if (given.cell) {
              const shape = snapshots.get(given.cell.node)?.shape ?? [];
              expect([given.cell, shape.length]).toEqual([given.cell, given.cell.index.length]);
              given.cell.index.forEach((place_, axis) => expect(place_).toBeLessThan(shape[axis]!));
            }
          },
        );
      }
    }

    for (const { id, questions = [] } of lesson.parts) {
      for (const [place, question] of questions.entries()) {
        test.each(languages)(
          `its question ${id} ${place} asks for a number that is computed at its stop, in %s`,
          (language) => {
            const config = setUp(question, defaults(lab) as Config, wordsIn(language));
            const { snapshots } = computed(config);
            const { cell, stop } = question;
            expect(snapshots.get(cell.node)?.op ?? "missing").not.toMatch(/^(leaf|missing)$/);
            expect(valueOf(snapshots, cell.node, cell.index)).not.toBeNaN();
            const asked = labOf(config)
              .steps(config, wordsIn(language), snapshots)
              .find((one) => one.id === stop);
            expect([stop, asked?.nodes.includes(cell.node)]).toEqual([stop, true]);
          },
        );
      }
    }

    test("names stops that some example of the lab has", () => {
      const known = new Set(
        examples
          .filter(({ config }) => config.view.lab === lab)
          .flatMap(({ config }) => stopsOfExample(config as Config).map(({ id }) => id)),
      );
      const named = lesson.parts.flatMap(({ paragraphs }) => paragraphs.flatMap(({ stop }) => stop ?? []));
      expect(named.filter((stop) => !known.has(stop))).toEqual([]);
    });

    test("asks a question at every stop of the first example that computes something", () => {
      const first = defaults(lab) as Config;
      const { snapshots } = computed(first);
      const stops = stopsOfExample(first)
        .filter(({ nodes }) => nodes.some((node) => (snapshots.get(node)?.op ?? "leaf") !== "leaf"))
        .map(({ id }) => id);
      const asked = lesson.parts.flatMap(({ questions = [] }) => questions.map(({ stop }) => stop));
      expect(stops.filter((stop) => !asked.includes(stop))).toEqual([]);
    });

    test("completes no concept when the lab is only looked at", () => {
      const here = at(defaults(lab) as Config);
      const idle: Act[] = [
        { kind: "symbol", nodes: [] },
        { kind: "stop", id: "none" },
        { kind: "chain", nodes: [] },
        { kind: "change", control: "none", value: "" },
        { kind: "cell", node: "none", index: [0] },
      ];
      for (const { id, happens } of lesson.concepts)
        for (const act of idle) expect([id, act.kind, happens(act, here)]).toEqual([id, act.kind, false]);
    });
  });
}

/** The ids of a lab's concepts that an act completes. */
function doneBy(lab: LabId, act: Act, config: Config = defaults(lab) as Config, was?: Config): string[] {
  const here = at(config, was);
  return lessons
    .get(lab)!
    .concepts.filter(({ happens }) => happens(act, here))
    .map(({ id }) => id);
}

/** A Config of a lab after a control was set. */
function after(lab: LabId, ...changes: [control: string, value: string][]): Config {
  return setUp(
    {
      changes: changes.map(([control, value]) => ({ control, value })),
    },
    defaults(lab) as Config,
    words,
  );
}

describe("concepts of the attention lab", () => {
  test("the largest weight, and no other", () => {
    expect(doneBy("attention", { kind: "cell", node: "weights", index: [3, 2] })).toEqual(["largest-weight"]);
    expect(doneBy("attention", { kind: "cell", node: "weights", index: [0, 2] })).toEqual([]);
    expect(doneBy("attention", { kind: "cell", node: "scores", index: [3, 2] })).toEqual([]);
  });

  test("a chain from an output to the words, not from a score", () => {
    const nodes = ["output", "weights", "scaled", "scores", "Q", "X"];
    expect(doneBy("attention", { kind: "chain", nodes })).toEqual(["back-to-the-words"]);
    expect(doneBy("attention", { kind: "chain", nodes: nodes.slice(1) })).toEqual([]);
    expect(doneBy("attention", { kind: "chain", nodes: nodes.slice(0, 3) })).toEqual([]);
  });

  test("settings and edits", () => {
    const causal: Act = { kind: "change", control: "mask", value: "causal" };
    expect(doneBy("attention", causal, after("attention", ["mask", "causal"]))).toEqual(["causal"]);
    expect(doneBy("attention", causal)).toEqual([]);
    const off: Act = { kind: "change", control: "scale", value: "off" };
    expect(doneBy("attention", off, after("attention", ["scale", "off"]))).toEqual(["unscaled"]);
    expect(doneBy("attention", { kind: "edit", node: "X", index: [0, 0], value: 3 })).toEqual(["one-number"]);
    expect(doneBy("attention", { kind: "edit", node: "W_Q", index: [0, 0], value: 3 })).toEqual([]);
  });
});

describe("concepts of the multi-head lab", () => {
  const two = examples.find(({ id }) => id === "two-heads")!.config;
  const weights = computed(two as ConfigOf<LabId>).snapshots.get("weights")!;
  /** The key that gets the largest weight of a head's row. */
  const choice = (head: number, row: number): number => {
    const start = (head * 6 + row) * 6;
    const shares = [...weights.data.subarray(start, start + 6)];
    return shares.indexOf(Math.max(...shares));
  };

  test("a head that chooses another word than head 0, and only there", () => {
    const rows = [0, 1, 2, 3, 4, 5];
    const apart = rows.filter((row) => choice(0, row) !== choice(1, row));
    expect(apart.length).toBeGreaterThan(0);
    for (const row of rows) {
      for (const head of [0, 1]) {
        const act: Act = { kind: "cell", node: "weights", index: [0, head, row, choice(head, row)] };
        const done = head === 1 && apart.includes(row) ? ["another-head"] : [];
        expect([row, head, doneBy("multi-head", act, two)]).toEqual([row, head, done]);
      }
    }
    const other = [0, 1, apart[0]!, (choice(1, apart[0]!) + 1) % 6];
    expect(doneBy("multi-head", { kind: "cell", node: "weights", index: other }, two)).toEqual([]);
  });

  test("chains through the cut and through the output weights", () => {
    const chain = (...nodes: string[]): Act => ({ kind: "chain", nodes });
    expect(doneBy("multi-head", chain("scores", "Q_heads", "Q"))).toEqual(["no-arithmetic"]);
    expect(doneBy("multi-head", chain("scores", "Q_heads"))).toEqual([]);
    expect(doneBy("multi-head", chain("output", "concat", "heads"))).toEqual(["heads-meet"]);
    expect(doneBy("multi-head", chain("concat", "heads"))).toEqual([]);
  });

  test("settings", () => {
    const first = defaults("multi-head") as Config;
    const heads = after("multi-head", ["heads", "4"]);
    expect(doneBy("multi-head", { kind: "change", control: "heads", value: "4" }, heads, first)).toEqual([
      "other-count",
    ]);
    expect(doneBy("multi-head", { kind: "change", control: "heads", value: "8" }, first)).toEqual([]);
    const scaled = after("multi-head", ["draw", "scaled"]);
    const draw: Act = { kind: "change", control: "draw", value: "scaled" };
    expect(doneBy("multi-head", draw, scaled, first)).toEqual(["rows-share"]);
    expect(doneBy("multi-head", draw, scaled)).toEqual([]);
  });
});

describe("concepts of the positions lab", () => {
  const example = (id: string): Config => examples.find((one) => one.id === id)!.config;
  const cellOf = (node: string, ...index: number[]): Act => ({ kind: "cell", node, index });

  test("words that change places, only without an encoding", () => {
    const second: Act = { kind: "change", control: "second", value: "2" };
    expect(doneBy("positions", second, example("two-orders"))).toEqual(["rows-change-places"]);
    expect(doneBy("positions", second, example("six-encodings"))).toEqual([]);
  });

  test("a word smaller than its encoding, and an order that matters", () => {
    const six = example("six-encodings");
    expect(doneBy("positions", cellOf("absolute.weights", 2, 4), six)).toEqual(["drowned"]);
    expect(doneBy("positions", cellOf("absolute.weights", 0, 3), six)).toEqual([]);
    expect(doneBy("positions", cellOf("learned.weights", 2, 4), six)).toEqual([]);
    for (const scheme of ["absolute", "learned", "sinusoidal", "rotary", "alibi"])
      expect(doneBy("positions", cellOf(`${scheme}.difference`, 1, 1), six)).toEqual(["order-counts"]);
    expect(doneBy("positions", cellOf("none.difference", 1, 1), six)).toEqual([]);
  });

  test("five places apart, but not 4 and 9 themselves", () => {
    const at = (...index: number[]): string[] => doneBy("positions", cellOf("similarity", ...index));
    expect([at(10, 5), at(0, 5), at(4, 9), at(9, 4), at(4, 8)]).toEqual([
      ["same-distance"],
      ["same-distance"],
      [],
      [],
      [],
    ]);
  });

  test("a shift", () => {
    const offset: Act = { kind: "change", control: "offset", value: "2" };
    const shift = after("positions", ["dim", "8"], ["encoding", "shift"], ["offset", "2"]);
    expect(doneBy("positions", offset, shift)).toEqual(["another-step"]);
    expect(doneBy("positions", offset)).toEqual([]);
  });
});

describe("concepts of the vit lab", () => {
  test("settings: an own image, smaller patches, a class token", () => {
    const first = defaults("vit") as Config;
    expect(doneBy("vit", { kind: "change", control: "image", value: "own" })).toEqual(["own-image"]);
    expect(doneBy("vit", { kind: "change", control: "image", value: "face" })).toEqual([]);
    const patch = (value: string): string[] =>
      doneBy("vit", { kind: "change", control: "patch", value }, after("vit", ["patch", value]), first);
    expect([patch("4"), patch("16")]).toEqual([["smaller-patches"], []]);
    const cls = after("vit", ["compare", "projection"], ["cls", "on"]);
    expect(doneBy("vit", { kind: "change", control: "cls", value: "on" }, cls, first)).toEqual([
      "class-token",
    ]);
    expect(doneBy("vit", { kind: "change", control: "seed", value: "1" }, cls)).toEqual([]);
    const raw = after("vit", ["cls", "on"]);
    expect(doneBy("vit", { kind: "change", control: "cls", value: "on" }, raw, first)).toEqual([]);
  });

  test("a chain from a patch to the image, and an edited weight", () => {
    const chain = (...nodes: string[]): Act => ({ kind: "chain", nodes });
    expect(doneBy("vit", chain("bands", "patches", "normalised", "unit", "image"))).toEqual([
      "back-to-a-pixel",
    ]);
    expect(doneBy("vit", chain("normalised", "unit", "image"))).toEqual([]);
    expect(doneBy("vit", chain("patches", "normalised", "unit"))).toEqual([]);
    expect(doneBy("vit", { kind: "edit", node: "W_E", index: [0, 0], value: 9 })).toEqual(["one-weight"]);
    expect(doneBy("vit", { kind: "edit", node: "image", index: [0, 0, 0], value: 9 })).toEqual([]);
  });
});

describe("concepts of the encoder and decoder lab", () => {
  const lab = "encoder-decoder";

  test("the word that the decoder writes, and a later word", () => {
    expect(doneBy(lab, { kind: "cell", node: "next", index: [2, 20] })).toEqual(["greedy"]);
    expect(doneBy(lab, { kind: "cell", node: "next", index: [2, 21] })).toEqual([]);
    const masked = (row: number, column: number) =>
      doneBy(lab, { kind: "cell", node: "decoder.self_attn.weights", index: [1, row, column] });
    expect([masked(1, 2), masked(2, 2), masked(2, 1)]).toEqual([["later"], [], []]);
  });

  test("settings: a translated sentence of the reader, and untrained weights", () => {
    const typed = (text: string, trained: string) =>
      doneBy(
        lab,
        { kind: "change", control: "words", value: text },
        after(lab, ["words", text], ["trained", trained]),
      );
    expect(typed("a white dog sings", "2500")).toEqual(["own-sentence"]);
    expect(typed("a dog sings", "2500")).toEqual([]);
    expect(typed("a white dog sings", "0")).toEqual([]);
    expect(doneBy(lab, { kind: "change", control: "trained", value: "0" })).toEqual(["untrained"]);
  });

  test("a chain from the cached keys to the step that computed them", () => {
    const step = "cached.step_2.decoder.layers.0.self_attn.V";
    expect(doneBy(lab, { kind: "chain", nodes: ["kept_values", step] })).toEqual(["kept"]);
    expect(doneBy(lab, { kind: "chain", nodes: ["decoder.self_attn.V", step] })).toEqual([]);
    expect(doneBy(lab, { kind: "chain", nodes: ["kept_values"] })).toEqual([]);
  });
});

describe("concepts of the words lab", () => {
  const given = examples.find(({ id }) => id === "king-and-queen")!.config;
  const learned = examples.find(({ id }) => id === "small-kingdom")!.config;
  const change = (control: string): Act => ({ kind: "change", control, value: "" });

  test("a distance between two words, and the answer of the analogy", () => {
    const distance = (i: number, j: number) =>
      doneBy("words", { kind: "cell", node: "apart.distance", index: [i, j] });
    expect([distance(0, 2), distance(1, 1)]).toEqual([["root-two"], []]);
    const answer = (j: number) => doneBy("words", { kind: "cell", node: "closeness", index: [0, j] }, given);
    expect([0, 1, 2, 3, 4, 5].map(answer)).toEqual([[], ["riddle"], [], [], [], []]);
  });

  test("two sentences with the same bag of words", () => {
    const other = (text: string) => doneBy("words", change("other"), after("words", ["other", text]));
    expect(other("bites dog man")).toEqual(["order-lost"]);
    expect(other("dog bites man")).toEqual([]);
    expect(other("dog bites cat")).toEqual([]);
  });

  test("the first step, and an own text", () => {
    expect(doneBy("words", change("text"), learned)).toEqual(["own-text"]);
    expect(doneBy("words", change("step"), learned)).toEqual([]);
    const start = { ...learned, numbers: { ...learned.numbers, step: 0 } } as Config;
    expect(doneBy("words", change("step"), start)).toEqual(["before-the-first"]);
  });
});

describe("concepts of the optimizers lab", () => {
  const set = (control: string, value: string): Act => ({ kind: "change", control, value });

  test("the last step of the run", () => {
    const last = after("optimizers", ["step", "99"]);
    expect(doneBy("optimizers", set("step", "99"), last)).toEqual(["last-step"]);
    expect(doneBy("optimizers", set("step", "98"), after("optimizers", ["step", "98"]))).toEqual([]);
    expect(doneBy("optimizers", set("compare", "on"), last)).toEqual([]);
  });

  test("a chain from the new parameters to a residual", () => {
    const nodes = ["next", "step", "gradient", "pull", "twice", "residual"];
    expect(doneBy("optimizers", { kind: "chain", nodes })).toEqual(["back-to-the-residual"]);
    expect(doneBy("optimizers", { kind: "chain", nodes: nodes.slice(0, 4) })).toEqual([]);
  });

  test("a learning rate that is too large, and one that is not", () => {
    expect(doneBy("optimizers", set("rate", "0.2"), after("optimizers", ["rate", "0.2"]))).toEqual([
      "too-far",
    ]);
    expect(doneBy("optimizers", set("rate", "0.1"), after("optimizers", ["rate", "0.1"]))).toEqual([]);
  });

  test("Momentum without momentum", () => {
    const none = after("optimizers", ["optimizer", "momentum"], ["momentum", "0"]);
    expect(doneBy("optimizers", set("momentum", "0"), none)).toEqual(["no-memory"]);
    expect(
      doneBy("optimizers", set("optimizer", "momentum"), after("optimizers", ["optimizer", "momentum"])),
    ).toEqual([]);
  });

  test("the largest learning rate of a schedule", () => {
    const schedule = after("optimizers", ["topic", "schedule"]);
    expect(doneBy("optimizers", { kind: "cell", node: "lr", index: [3, 0] }, schedule)).toEqual(["peak"]);
    expect(doneBy("optimizers", { kind: "cell", node: "lr", index: [2, 0] }, schedule)).toEqual([]);
  });
});

describe("concepts of the complexity lab", () => {
  const lab = "complexity";

  test("lengths at which attention costs less than the recurrent layer", () => {
    const length = (n: string) =>
      doneBy(lab, { kind: "change", control: "length", value: n }, after(lab, ["length", n]));
    expect(length("32")).toEqual(["cheaper"]);
    expect(length("200")).toEqual([]);
    const heads: Act = { kind: "change", control: "heads", value: "1" };
    expect(doneBy(lab, heads, after(lab, ["length", "32"], ["heads", "1"]))).toEqual([]);
  });

  test("cells, projections, times", () => {
    const at = (node: string, row: number) => doneBy(lab, { kind: "cell", node, index: [row, 0] });
    expect([at("ratio", 2), at("ratio", 1), at("path", 1), at("path", 3)]).toEqual([
      ["in-front"],
      [],
      ["far"],
      [],
    ]);
    const set = (control: string, value: string) => doneBy(lab, { kind: "change", control, value });
    expect([set("projected", "on"), set("projected", "off")]).toEqual([["projected"], []]);
    expect([set("measured", "2"), set("measured", "0")]).toEqual([["timed"], []]);
  });
});

describe("a link of a lesson", () => {
  test("keeps the reader's own words where it can, and their language and theme always", () => {
    const ownWords = after("attention", ["words", "a b c d e f"]);
    const now = {
      ...ownWords,
      view: { ...ownWords.view, lang: "zh-CN", theme: "dark", pinned: true },
    } as Config;
    const next = setUp({ changes: [{ control: "mask", value: "causal" }] }, now, words);
    expect(next.numbers).toMatchObject({ tokens: ["a", "b", "c", "d", "e", "f"], mask: "causal" });
    expect(next.view).toMatchObject({ lang: "zh-CN", theme: "dark", pinned: false });
    const four = setUp({ example: "four-words" }, now, words);
    expect([four.example, four.view.theme]).toEqual(["four-words", "dark"]);
  });

  test("starts from the lab's first example where the present settings refuse it", () => {
    const three = after("attention", ["words", "a b c"]);
    const change = { control: "paint", value: "3,0,0" };
    expect(isRefused(labOf(three).change(three.numbers, change.control, change.value, words))).toBe(true);
    const next = setUp({ changes: [change] }, three, words);
    expect(next.numbers).toMatchObject({ mask: "painted", tokens: ["word_1", "word_2", "word_3", "word_4"] });
  });
});

describe("completed concepts", () => {
  class StorageStub {
    held: string | null = null;
    getItem = (): string | null => this.held;
    setItem = (_key: string, value: string): void => void (this.held = value);
  }

  test("are stored once each and removed by lab", () => {
    const storage = new StorageStub();
    const ticks = new Ticks(storage);
    ticks.add("attention", "causal");
    ticks.add("attention", "causal");
    ticks.add("vit", "patch");
    expect(new Ticks(storage).of("attention")).toEqual(["causal"]);
    new Ticks(storage).restart("attention");
    ticks.reload();
    expect([ticks.of("attention"), ticks.of("vit")]).toEqual([[], ["patch"]]);
  });

  test("of two tabs are both stored", () => {
    const storage = new StorageStub();
    const [one, other] = [new Ticks(storage), new Ticks(storage)];
    one.add("attention", "a");
    other.add("attention", "b");
    expect(new Ticks(storage).of("attention")).toEqual(["a", "b"]);
  });

  test("last until the page closes where storage is blocked, and stored values of another form are ignored", () => {
    const forbids = {
      getItem: (): string => {
        throw new Error("no");
      },
      setItem: (): void => {
        throw new Error("full");
      },
    };
    for (const store of [null, forbids]) {
      const ticks = new Ticks(store);
      ticks.add("attention", "causal");
      expect(ticks.of("attention")).toEqual(["causal"]);
    }
    for (const held of ["", "3", "null", "[1]", '{"attention":"x"}', '{"attention":[1,null]}']) {
      const storage = new StorageStub();
      storage.held = held;
      expect(new Ticks(storage).of("attention")).toEqual([]);
    }
    expect(new Ticks(null).of("constructor")).toEqual([]);
  });
});
