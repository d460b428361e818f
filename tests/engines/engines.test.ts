// What must work in every engine, tried in the one that ENGINE names: the page opens and computes, every published link
// produces its numbers, a sandboxed frame computes, and the console stays empty.
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { encode, longestLink } from "../../web/config/codec.js";
import type { Config } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { parameterCount } from "../../web/config/labs/block.js";
import { exampleById, matchesPrinted } from "../../web/examples/index.js";
import { frameOf } from "../../web/labs/list.js";
import { formatNote } from "../../web/marks/numbers.js";
import { readLinks, readNumbers } from "../links/corpus.js";
import type { Compared, LinkNumbers } from "../links/numbers.js";
import { given } from "./engine.js";
import { note, queryAll, textOf } from "./shadow-roots.js";
import { engine } from "./running.js";
import { startSite } from "./site.js";

afterAll(await startSite(given("ENGINE") === "webkit"));

afterEach(async () => {
  expect(await engine().complaints(), "the console stays empty").toEqual([]);
});

const site = given("HOST_PAGE");
const bare = given("HOST_BARE");
const lines = readNumbers();
const { printed } = exampleById("four-words")!;

/** Polls until there is an answer; the time limit only stops a test that hangs. */
const until = (expression: string, where?: "page" | "frame") =>
  expect.poll(() => engine().evaluate(expression, where), { timeout: 60_000, interval: 50 });

test("the first page opens, and its first example computes", async () => {
  await engine().open(`${site}#v=1&ex=four-words&cell=output,0,0&lang=en`);
  await until(textOf(note)).toContain("0.985");
  expect(await engine().evaluate(textOf(note))).toContain("output[0, 0]");
  // Each of the twelve numbers that the source prints is shown, with the digits of the note.
  expect(printed).toHaveLength(12);
  for (const { index, digits } of printed) {
    const cell = `[data-board="output"] [data-row="${index[0]}"][data-column="${index[1]}"]`;
    const name = `(${queryAll})(${JSON.stringify(cell)})[0]?.getAttribute("aria-label")`;
    await until(name).toMatch(new RegExp(`: ${formatNote(Number(digits))}$`));
  }
});

test("console messages and uncaught errors are recorded", async () => {
  await engine().open(`${site}#v=1`);
  await engine().evaluate('console.error("said"), setTimeout(() => { throw new Error("thrown"); })');
  let complaints = "";
  const listening = async () => (complaints += (await engine().complaints()).join("\n"));
  await expect.poll(listening, { timeout: 60_000, interval: 50 }).toContain("thrown");
  expect(complaints).toContain("said");
});

describe("a frame with sandbox=allow-scripts computes", () => {
  test.each([
    ["from a host that sends no headers", bare],
    ["from a host that sends types", site],
  ])("%s", async (_name, from) => {
    const frame = encodeURIComponent(`${from}embed.html#v=1&cell=output,0,0&lang=en`);
    await engine().open(`${bare}host.html?sandbox&frame=${frame}`);
    await until(textOf(note), "frame").toContain("0.985");
    expect(await engine().evaluate(textOf(note), "frame")).toContain("output[0, 0]");
    expect(await engine().evaluate("self.origin", "frame")).toBe("null");
    // The surrounding page received the height.
    await until("window.heights.at(-1) > 200").toBe(true);
    const complaints = await engine().evaluate("window.complaints ?? []", "frame");
    expect(complaints, "the console of the frame stays empty").toEqual([]);
  });
});

describe("the element computes in a page of another origin", () => {
  test.each([
    ["as an ES module, from a host with CORS headers", bare, `${site}attention-playground.js`, "&module"],
    ["as a classic script, from a host that sends none", site, `${bare}attention-playground.classic.js`, ""],
  ])("%s", async (_name, page, script, more) => {
    const element = encodeURIComponent("#v=1&cell=output,0,0&lang=en");
    const query = `element=${element}&script=${encodeURIComponent(script)}${more}`;
    await engine().open(`${new URL("/host.html", page).href}?${query}`);
    await until(textOf(note)).toContain("0.985");
    const output =
      'document.querySelector("attention-playground").tensors().then(({ output }) => ({ ...output, data: [...output.data] }))';
    const { shape, data } = (await engine().evaluate(output)) as { shape: number[]; data: number[] };
    // To all digits that the source prints.
    const wrong = printed.filter(
      ({ index, digits }) => !matchesPrinted(data[index[0]! * shape[1]! + index[1]!]!, digits),
    );
    expect(wrong).toEqual([]);
  });
});

describe("a frame contains each lab", () => {
  test.each(["multi-head", "encoder-decoder", "optimizers", "words", "training"] as const)(
    "%s",
    async (lab) => {
      await engine().open(
        `${bare}host.html?sandbox&frame=${encodeURIComponent(`${bare}${frameOf(lab)}#v=1&lab=${lab}`)}`,
      );
      await until(textOf(note), "frame").toBeTruthy();
      expect(await engine().evaluate("window.complaints ?? []", "frame")).toEqual([]);
    },
  );
});

describe("a link of each lab, opened through the address bar, shows its numbers", () => {
  const links = readLinks().filter(({ link, notices }) => link !== "" && notices.length === 0);
  const labOf = ({ config }: { config: unknown }): string => (config as { view: { lab: string } }).view.lab;
  const byLab = new Map([...links].reverse().map((line) => [labOf(line), line.link]));

  test.each([...byLab])("%s: #%s", async (lab, link) => {
    const line = lines.find((one) => one.link === link)!;
    await engine().open(`${site}links.html?${lab}#${link}`);
    const shown = `window.linksPage?.shown(${JSON.stringify(line)}) ?? null`;
    await until(shown).not.toBeNull();
    const { complaints, tensors } = (await engine().evaluate(shown)) as Compared;
    expect(complaints).toEqual([]);
    expect(tensors).toBeGreaterThan(0);
  });
});

test("the longest link of a trained model is read whole", async () => {
  const base = defaults("block");
  const { tokens } = base.numbers;
  const sizes = { layers: 2, dim: 64, heads: 4, hidden: 320 };
  const numbers = { ...base.numbers, ...sizes, vocabulary: [...new Set(tokens)] };
  const parameters = [Array.from({ length: parameterCount(numbers) }, (_, at) => Math.fround(Math.sin(at)))];
  const state = {
    ...base,
    example: null,
    numbers: { ...numbers, parameters },
    view: { ...base.view, lang: "en" },
  };
  const link = encode(state as Config);
  expect(link.length).toBeGreaterThan(0.9 * longestLink);
  await engine().open(`${site}#${link}`);
  await until(textOf('[data-control="parameters"]')).toContain("trained parameters");
  await until(textOf(note)).toBeTruthy();
  expect(await engine().evaluate("location.hash.length")).toBe(link.length + 1);
  expect(await engine().evaluate(`(${queryAll})("ap-notice").length`)).toBe(0);
});

describe("every link produces its numbers", () => {
  const computed = new Map<string, Compared>();

  // One page computes all links, one after the other.
  beforeEach(async () => {
    if (await engine().evaluate("window.linksPage !== undefined")) return;
    await engine().open(`${site}links.html`);
    await until("window.linksPage !== undefined").toBe(true);
  });

  test("the test knows which build this engine can run", async () => {
    const relaxed = await engine().evaluate("window.linksPage.relaxed()");
    console.log(`${engine().name} ${engine().version}: ${relaxed ? "relaxed" : "plain"} SIMD`);
    expect(typeof relaxed).toBe("boolean");
  });

  test.each(lines.map((line) => [line.link || "(empty)", line] as const))("%s", async (_link, line) => {
    const compared = await engine().evaluate(`window.linksPage.compute(${JSON.stringify(line)})`);
    computed.set(line.link, compared as Compared);
    expect((compared as Compared).complaints).toEqual([]);
  });

  test("changed numbers are noticed", async () => {
    const { link, tensors } = lines.find((line) => "tensors" in line) as LinkNumbers & { tensors: object };
    const [name, tensor] = Object.entries(tensors).at(-1)! as [string, { data: number[] }];
    const changed = { ...tensor, data: [tensor.data[0]! * (1 + 1e-8), ...tensor.data.slice(1)] };
    const line = { link, tensors: { ...tensors, [name]: changed } };
    const { complaints } = (await engine().evaluate(
      `window.linksPage.compute(${JSON.stringify(line)})`,
    )) as Compared;
    expect(complaints).toEqual([expect.stringContaining(name)]);
  });

  test("every link was computed", () => {
    const all = [...computed.values()];
    const tensors = all.reduce((sum, one) => sum + one.tensors, 0);
    const deviation = Math.max(...all.map((one) => one.deviation));
    console.log(
      `${engine().name} ${engine().version}: ${computed.size} links, ${tensors} tensors; the largest deviation is ` +
        `${deviation} of its tensor's largest number`,
    );
    expect(computed.size).toBe(lines.length);
    expect(deviation).toBeLessThan(1e-9);
  });
});
