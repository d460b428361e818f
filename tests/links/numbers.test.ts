// The numbers that every link must produce forever: computed here by the workers' sessions, with both builds and every part.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { decode } from "../../web/config/codec.js";
import type { Config } from "../../web/config/config.js";
import { partOf } from "../../web/labs/list.js";
import { attentionPart, labsPart, wholeCore } from "./computing.js";
import { readNumbers } from "./corpus.js";
import { compare, storedTensors } from "./numbers.js";

const lines = readNumbers();
const whole = { simd: await wholeCore("simd"), relaxed: await wholeCore("relaxed") };
const framePart = await labsPart();
const part = { simd: await attentionPart("simd"), relaxed: await attentionPart("relaxed") };

describe.each(["simd", "relaxed"] as const)("%s build", (build) => {
  test.each(lines.map((line) => [line.link || "(empty)", line] as const))("%s", (_name, line) => {
    const { config } = decode(line.link);
    // A run is trained in float32, which the two builds round differently; the page has one of them.
    if (build === "relaxed" && config.view.lab === "training") return;
    const computes = [whole[build]];
    if (partOf(config) === "attention") computes.push(part[build]);
    // The core of frames and elements does not train; the frame that trains has the whole core.
    if (build === "simd" && config.view.lab !== "training") computes.push(framePart);
    for (const compute of computes) {
      const { snapshots, error } = compute(config);
      if ("refused" in line) expect(error).toBe(line.refused);
      else {
        expect(error).toBeUndefined();
        const { complaints, deviation, tensors } = compare(line.tensors, snapshots);
        expect(complaints).toEqual([]);
        expect(tensors).toBeGreaterThan(0);
        expect(deviation).toBeLessThan(1e-9);
      }
    }
  });
});

test("the README gives the names of tensors of each lab's first example, with the right number of axes", () => {
  const text = readFileSync(new URL("../../web/config/README.md", import.meta.url), "utf8");
  const section = /### Names of tensors\n[^#]*/.exec(text)![0];
  const rows = [...section.matchAll(/^\| `([a-z-]+)` +\| (.*?) *\|$/gm)];
  expect(rows).toHaveLength(13);
  for (const [, lab, described] of rows) {
    const { snapshots } = whole.simd(decode(`lab=${lab}`).config);
    const shapes = new Map(snapshots.map(({ name, shape }) => [name, shape]));
    for (const group of described!.split("; ")) {
      const [places, names] = group.split(": ") as [string, string];
      for (const [, name] of names.matchAll(/`([^`]+)`/g))
        expect(shapes.get(name!)?.length, `${lab}: ${name}`).toBe(places.split(", ").length);
    }
  }
});

describe("the comparison", () => {
  const { config } = decode("ex=fifty-positions");
  const { snapshots } = whole.simd(config);
  const tensors = storedTensors(snapshots, false);
  /** The same numbers with one of them changed. */
  const changed = (name: string, at: number, value: (now: number) => number) =>
    snapshots.map((snapshot) => {
      if (snapshot.name !== name) return snapshot;
      const data = snapshot.data.slice();
      data[at] = value(data[at]!);
      return { ...snapshot, data };
    });
  const complaints = (computed: typeof snapshots) => compare(tensors, computed).complaints;

  test("finds no difference between equal numbers", () => {
    expect(compare(tensors, snapshots)).toEqual({
      tensors: snapshots.length,
      deviation: 0,
      complaints: [],
    });
  });

  test("notices a change of any cell, also of one that is not stored", () => {
    const { data } = snapshots.find(({ name }) => name === "PE")!;
    for (const at of [0, 1, 777, 12_345, data.length - 1])
      expect(complaints(changed("PE", at, (now) => now + 1e-3)), String(at)).not.toEqual([]);
    expect(complaints(changed("PE", 777, () => NaN))).not.toEqual([]);
    expect(complaints(changed("PE", 777, () => -Infinity))).not.toEqual([]);
  });

  test("allows different last digits, and no more", () => {
    // This is one of the stored cells: a sum over all cells would not show so small a change.
    const at = Math.floor(0.618034 * 50 * 512);
    expect(tensors["PE"]).toMatchObject({
      data: { 2: snapshots.find(({ name }) => name === "PE")!.data[at] },
    });
    expect(complaints(changed("PE", at, (now) => now * (1 + 1e-10)))).toEqual([]);
    expect(complaints(changed("PE", at, (now) => now * (1 + 1e-8)))).not.toEqual([]);
    expect(
      compare(
        tensors,
        changed("PE", at, (now) => now * (1 + 1e-10)),
      ).deviation,
    ).toBeGreaterThan(1e-12);
  });

  test("notices two exchanged numbers, another shape, and a missing node", () => {
    const [first, second] = [300, 17_000];
    const { data } = snapshots.find(({ name }) => name === "PE")!;
    expect(data[first]).not.toBeCloseTo(data[second]!, 3);
    const turned = snapshots.map((snapshot) => {
      if (snapshot.name !== "PE") return snapshot;
      const other = data.slice();
      [other[first], other[second]] = [data[second]!, data[first]!];
      return { ...snapshot, data: other };
    });
    expect(complaints(turned)).not.toEqual([]);
    expect(complaints(snapshots.map((one) => ({ ...one, shape: [...one.shape].reverse() })))[0]).toContain(
      "has the shape",
    );
    expect(complaints(snapshots.filter(({ name }) => name !== "PE"))).toEqual(["PE is not computed"]);
  });

  test("a seed, a step and an edit each change the stored numbers", () => {
    const numbersOf = (link: string): string => {
      const { config } = decode(link);
      const { snapshots, error } = whole.simd(config as Config);
      expect(error).toBeUndefined();
      return JSON.stringify(storedTensors(snapshots, false));
    };
    for (const [link, other] of [
      ["ex=cat-on-the-mat&seed=8", "ex=cat-on-the-mat&seed=9"],
      ["ex=small-kingdom&steps=5&step=5", "ex=small-kingdom&steps=6&step=6"],
      ["lab=bert&trained=5", "lab=bert&trained=10"],
      ["ex=four-words&edit=W_Q,0,0,2.5", "ex=four-words&edit=W_Q,0,0,2.5000001"],
    ] as const)
      expect(numbersOf(link), link).not.toBe(numbersOf(other));
  });

  test("numbers that a clock measures are not stored", () => {
    const { config } = decode("lab=complexity&length=16&dim=16&measured=1");
    const { snapshots } = whole.simd(config);
    const tensors = storedTensors(snapshots, true);
    const measured = Object.keys(tensors).filter((name) => "measured" in tensors[name]!);
    expect(measured).toEqual(["rate"]);
    expect(compare(tensors, whole.simd(config).snapshots).complaints).toEqual([]);
  });
});
