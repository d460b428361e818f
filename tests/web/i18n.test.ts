// Strings of the page and of each lab: both languages have the same keys and the same slots, and no string is empty.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { app } from "../../web/i18n/en/app.js";
import { whole as en } from "../../web/i18n/en/whole.js";
import { ownStrings, wordsIn } from "../../web/i18n/words.js";
import { whole as zhCN } from "../../web/i18n/zh-CN/whole.js";

type Table = Readonly<Record<string, string>>;

const folder = resolve(import.meta.dirname, "../../web/labs");
/** Folders whose strings are among those of the page. */
const labsWithPageStrings = ["attention", "multi-head", "positions"];
const labs = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !labsWithPageStrings.includes(entry.name))
  .map(({ name }) => name);

/** The one table that a file of strings exports. */
async function tableOf(file: string): Promise<Table> {
  const tables = Object.values((await import(file)) as Record<string, Table>);
  expect(tables, file).toHaveLength(1);
  return tables[0]!;
}

const slotsOf = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot!).sort();

function expectAlike(english: Table, chinese: Table): void {
  expect(Object.keys(chinese).sort()).toEqual(Object.keys(english).sort());
  for (const [key, text] of Object.entries(english)) {
    const other = chinese[key]!;
    expect([key, new Set(slotsOf(other))]).toEqual([key, new Set(slotsOf(text))]);
    for (const said of [text, other]) expect([key, said.trim()]).not.toEqual([key, ""]);
  }
}

test("the page has the same strings in both languages", () => expectAlike(en, zhCN));

test("the code of frames, elements and the benchmark uses no string of the full page only", () => {
  const read = new Map<string, string>();
  const follow = (file: string): void => {
    if (read.has(file) || !existsSync(file)) return;
    const code = readFileSync(file, "utf8");
    read.set(file, code);
    for (const [, path] of code.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g))
      follow(resolve(dirname(file), `${path}.ts`));
  };
  for (const entry of ["frame", "element", "bench"]) follow(resolve(folder, `../entries/${entry}.ts`));
  expect(read.size).toBeGreaterThan(300);
  const used = [...read].flatMap(([file, code]) =>
    file.includes("/i18n/") ? [] : Object.keys(app).filter((key) => code.includes(`"${key}"`)),
  );
  expect(used).toEqual([]);
});

test("parts loaded on demand have the same strings in both languages", async () => {
  const page = resolve(folder, "../page");
  // A folder without strings of its own is loaded with the page and uses the page's.
  const rooms = readdirSync(page, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(page, name))
    .filter((room) => ["en.ts", "zh-CN.ts"].some((name) => existsSync(join(room, name))));
  expect(rooms.length).toBeGreaterThan(2);
  const places = [...rooms, resolve(folder, "../bench/page")];
  for (const place of places)
    expectAlike(await tableOf(join(place, "en.ts")), await tableOf(join(place, "zh-CN.ts")));
});

test("a lab has its strings in its folder, the same in both languages", async () => {
  for (const lab of labs) {
    const [english, chinese] = [join(folder, lab, "en.ts"), join(folder, lab, "zh-CN.ts")];
    expect([lab, existsSync(english), existsSync(chinese)]).toEqual([lab, true, true]);
    expectAlike(await tableOf(english), await tableOf(chinese));
  }
});

describe("a lab's own strings", () => {
  const tables = {
    en: { cells: "{n} cells in {tensor}", plain: "Nothing {here} to fill" },
    "zh-CN": { cells: "{tensor}里有 {n} 个数", plain: "没有可填的{here}" },
  };

  test("are looked up in the reader's language, with their slots filled", () => {
    expect(ownStrings(wordsIn("en"), tables)("cells", { n: 3, tensor: "Q" })).toBe("3 cells in Q");
    expect(ownStrings(wordsIn("zh-CN"), tables)("cells", { n: 3, tensor: "Q" })).toBe("Q 里有 3 个数");
    expect(ownStrings(wordsIn("en"), tables)("plain")).toBe("Nothing {here} to fill");
  });

  test("have the keys that English has, by their types", () => {
    // @ts-expect-error a key that no table has
    expect(() => ownStrings(wordsIn("en"), tables)("missing")).toThrow();
    // @ts-expect-error a key that only Chinese lacks
    expect(ownStrings(wordsIn("zh-CN"), { en: tables.en, "zh-CN": { cells: "{n}{tensor}" } })("cells")).toBe(
      "{n}{tensor}",
    );
  });
});
