// Tasks from JavaScript: what the README states of them, what their examples mean, and refusals.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Task, TaskExample, TaskName, TaskOptions } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const readme = readFileSync(new URL("../../web/core/README.md", import.meta.url), "utf8");
const section = readme.slice(readme.indexOf("\n## Tasks"), readme.indexOf("\n## Files"));
/** The cells of a row of a table of the section. */
const cells = (row: string): string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
const rows = section.split("\n").filter((line) => line.startsWith("| "));
const stated = rows.map(cells).filter(([name, ...more]) => more.length === 8 && !/^(task|-+)$/.test(name!));

const read = (task: Task, ids: number[]): string[] =>
  ids.map((id) => (id === -100 ? "." : task.vocabulary[id]!));
const drawn = (task: Task, seed = 1): TaskExample[] => core.drawExamples(task, { count: 500, seed });
describe("the table of the tasks", () => {
  test("has a row for each, with its other language", () => {
    expect(stated.map(([name]) => name)).toEqual([
      "copy",
      "reverse",
      "sort",
      "parentheses",
      "modular-addition",
      "translation",
      "translation, language fr",
      "shapes",
      "text",
      "text, language zh",
      "masked-token",
    ]);
  });

  test.each(stated.map((row) => [row[0]!, row] as const))("says what %s is", (label, row) => {
    const [name, language] = label.split(", language ") as [TaskName, TaskOptions["language"]];
    const task = core.task(name, language ? { language } : {});
    const [, , answer, source, target, tokens, items, heldOut, models] = row;
    expect({
      answer: task.answer,
      source: String(task.sourceLength),
      target: String(task.targetLength),
      tokens: String(task.vocabulary.length),
      items: String(task.trainingItems ?? "uncounted"),
      heldOut: String(task.heldOut.length),
      models: task.models.join(", "),
    }).toEqual({ answer, source, target, tokens, items, heldOut, models });
  });

  test("the lengths of the default texts are stated", () => {
    const [english, chinese] = [core.task("text"), core.task("text", { language: "zh" })];
    // Windows of training, those across the edges of the held-out part, and those in it that overlap it make up all windows of the text.
    const characters = ({ heldOut, trainingItems }: Task): number[] => {
      const inside = heldOut.length * 32;
      return [trainingItems! + inside + 2 * 31, trainingItems! + inside + 31];
    };
    expect(characters(english)).toContain(4809);
    expect(characters(chinese)).toContain(1908);
    expect(section).toContain("English (4809 characters) and Chinese (1908)");
  });
});

describe("a task", () => {
  test("is plain data, and the same again", () => {
    const task = core.task("copy");
    expect(structuredClone(task)).toEqual(task);
    expect(core.task("copy")).toEqual(task);
    expect(core.task("copy", { seed: 1 }).heldOut).not.toEqual(task.heldOut);
    expect(task).toMatchObject({ name: "copy", options: { seed: 0 } });
    expect(task.unigramLoss).toBeUndefined();
    expect(task.imageShape).toBeUndefined();
  });

  test("draws the same examples from the same seed", () => {
    const task = core.task("sort", { longest: 6, symbols: 26, seed: 4 });
    expect(drawn(task)).toEqual(drawn(task));
    expect(drawn(task)).not.toEqual(drawn(task, 2));
    expect(core.drawExamples(task, { count: 0, seed: 1 })).toEqual([]);
    for (const { source, target } of drawn(task)) {
      expect(source.length).toBeGreaterThanOrEqual(4);
      expect(source.length).toBeLessThanOrEqual(6);
      expect(read(task, target)).toEqual(read(task, source).sort());
    }
  });

  test.each(["copy", "reverse", "sort", "parentheses", "modular-addition", "translation"] as const)(
    "%s draws no source that is held out",
    (name) => {
      const task = core.task(name, { seed: 3 });
      const heldOut = new Set(task.heldOut.map(({ source }) => source.join()));
      expect(heldOut.size).toBe(task.heldOut.length);
      expect(drawn(task).filter(({ source }) => heldOut.has(source.join()))).toEqual([]);
    },
  );

  test("modular addition and translation mean what they say", () => {
    const addition = core.task("modular-addition", { prime: 31 });
    for (const { source, target } of [...drawn(addition), ...addition.heldOut]) {
      const [a, plus, b] = read(addition, source);
      expect(plus).toBe("+");
      expect(Number(read(addition, target)[0])).toBe((Number(a) + Number(b)) % 31);
    }
    const translation = core.task("translation");
    const english = new Map(
      core
        .drawExamples(translation, { count: 20000, seed: 1 })
        .map(({ source, target }) => [
          read(translation, source).join(""),
          read(translation, target).join(" "),
        ]),
    );
    expect(english.get("我爱你")).toBe("I love you");
    expect(english.get("我昨天看见的猫")).toBeUndefined();
    const asked = translation.heldOut.find(
      ({ source }) => read(translation, source).join("") === "我昨天看见的猫",
    );
    expect(read(translation, asked!.target).join(" ")).toBe("the cat I saw yesterday");
  });

  test("shapes are images", () => {
    const task = core.task("shapes");
    expect(task.imageShape).toEqual([1, 16, 16]);
    for (const { source, image, target } of [...drawn(task), ...task.heldOut]) {
      expect(source).toEqual([]);
      expect(target).toHaveLength(1);
      expect(image!.shape).toEqual([1, 16, 16]);
      expect(image!.data).toBeInstanceOf(Float64Array);
      expect(image!.data).toHaveLength(256);
    }
  });

  test("a text of your own is read by code points", () => {
    const text = "我爱你😀你我爱😀abcdefghij";
    const task = core.task("text", { text, window: 4, seed: 1 });
    expect(task.vocabulary).toEqual(["<pad>", "<begin>", "<end>", ..."abcdefghij", "你", "我", "爱", "😀"]);
    for (const { target } of drawn(task)) expect(text).toContain(read(task, target).join(""));
    expect(task.unigramLoss).toBeGreaterThan(0);
  });

  test("a word is masked or replaced by another, and the sentence can be read", () => {
    const task = core.task("masked-token");
    for (const { source, target } of drawn(task)) {
      expect(target).toHaveLength(source.length);
      expect(Math.min(...source)).toBeGreaterThanOrEqual(task.vocabulary.indexOf("<mask>"));
      expect(target.some((id) => id !== -100)).toBe(true);
    }
  });
});

describe("refusals", () => {
  const refused = (work: () => unknown, message: string): void => expect(work).toThrow(new Error(message));
  const names =
    '"copy" or "reverse" or "sort" or "parentheses" or "modular-addition" or "translation" or "shapes" or "text" or "masked-token"';

  test("name the operation, the option, and what is expected", () => {
    const cases: [unknown, unknown, string][] = [
      ["addition", {}, `task: name is "addition", expected ${names}`],
      [undefined, {}, `task: name is undefined, expected ${names}`],
      [
        "copy",
        [],
        "task: options is [], expected an object { seed, shortest, longest, symbols, prime, text, language, window }",
      ],
      [
        "copy",
        { length: 3 },
        'task: unknown option "length", expected seed, shortest, longest, symbols, prime, text, language, window',
      ],
      ["copy", { seed: -1 }, "task: seed is -1, expected an integer from 0 to 4294967295"],
      ["copy", { seed: 0.5 }, "task: seed is 0.5, expected an integer from 0 to 4294967295"],
      ["copy", { longest: NaN }, "task: longest is NaN, expected an integer from 0 to 4294967295"],
      ["copy", { longest: "8" }, 'task: longest is "8", expected an integer from 0 to 4294967295'],
      ["copy", { shortest: 0 }, "task: shortest is 0, expected a number from 1 to 64"],
      ["copy", { longest: 2 ** 32 - 1 }, "task: longest is 4294967295, expected a number from 4 to 64"],
      [
        "copy",
        { prime: 53 },
        "task: prime is given, expected only options of copy: seed, shortest, longest, symbols",
      ],
      ["modular-addition", { prime: 51 }, "task: prime is 51, expected a prime number"],
      ["parentheses", { longest: 19 }, "task: longest is 19, expected an even number"],
      ["text", { text: "" }, "task: text is empty, expected a text to learn"],
      ["text", { text: 5 }, "task: text is 5, expected a string"],
      ["text", { text: "\ud800" }, 'task: text is "\\ud800", expected a string of whole characters'],
      [
        "text",
        { text: "short" },
        "task: text is 5 characters long, expected at least 128, which is four windows of 32",
      ],
      [
        "text",
        { text: "a".repeat(500) },
        "task: text is a repetition, expected a text whose windows of 32 differ",
      ],
      ["text", { language: 5 }, "task: language is 5, expected a string"],
      ["text", { language: "fr" }, 'task: language is "fr", expected en or zh'],
      ["translation", { language: "zh" }, 'task: language is "zh", expected en or fr'],
      [
        "text",
        { text: "a", language: "zh" },
        "task: language is given, expected none with a text of your own",
      ],
    ];
    for (const [name, options, message] of cases)
      refused(() => core.task(name as TaskName, options as TaskOptions), message);
    // The core works on.
    expect(core.task("copy").heldOut).toHaveLength(256);
  });

  test("of draws too", () => {
    const task = core.task("copy");
    const draw =
      (given: unknown, of: unknown = task) =>
      () =>
        core.drawExamples(of as Task, given as { count: number; seed: number });
    refused(
      draw({ count: 65537, seed: 1 }),
      "drawExamples: count is 65537, expected an integer from 0 to 65536",
    );
    refused(draw({ count: 1 }), "drawExamples: seed is undefined, expected an integer from 0 to 4294967295");
    refused(draw({ count: 1, seed: 1 }, null), "drawExamples: task is null, expected a task of core.task()");
    refused(draw({ count: 1, seed: 1 }, { name: "none" }), `drawExamples: name is "none", expected ${names}`);
    refused(draw({ count: 1, seed: 1, of: 2 }), 'drawExamples: unknown option "of", expected count, seed');
  });

  test("of options at random, each an Error or a task that keeps what it states", () => {
    const random = core.randomState(1);
    const pick = <Value>(values: readonly Value[]): Value =>
      values[random.randint(0, values.length, 1).data[0]!]!;
    const numbers = [undefined, 0, 1, 2, 6, 7, 8, 16, 18, 20, 26, 53, 64, 100, 512, 2 ** 31, 2 ** 32 - 1];
    const texts = [
      undefined,
      undefined,
      "",
      "a",
      "aé我😀".repeat(9),
      "\0".repeat(300),
      "to be or not to be that is the question ".repeat(4),
    ];
    let made = 0;
    for (let attempt = 0; attempt < 400; attempt++) {
      const options: Record<string, unknown> = {};
      for (const option of ["seed", "shortest", "longest", "symbols", "prime", "window"])
        if (pick([true, false, false])) options[option] = pick(numbers);
      if (pick([true, false, false])) options.text = pick(texts);
      let task: Task;
      try {
        task = core.task(pick(stated.map(([name]) => name!.split(",")[0]!)) as TaskName, options);
      } catch (error) {
        expect((error as Error).message).toMatch(/^task: \w+ is .+, expected .+/);
        continue;
      }
      made++;
      for (const { source, target } of [
        ...core.drawExamples(task, { count: 20, seed: 1 }),
        ...task.heldOut,
      ]) {
        expect(source.length).toBeLessThanOrEqual(task.sourceLength);
        expect(target.length).toBeLessThanOrEqual(task.targetLength);
        for (const id of [...source, ...target])
          if (id !== -100 && !task.vocabulary[id]) throw new Error(`${task.name}: ${id} is no id`);
      }
    }
    random.delete();
    expect(made).toBeGreaterThan(40);
  });
});
