// A story in a link: a text and a link for each of its steps, and the step that the reader has reached.
import { describe, expect, test } from "vitest";
import { bounds } from "../../web/config/bounds.js";
import { decode, encode } from "../../web/config/codec.js";
import type { Config, StoryStep } from "../../web/config/config.js";
import { validateConfig } from "../../web/config/validate.js";
import { exampleById } from "../../web/examples/index.js";

const configWithStory = (story: StoryStep[] | undefined, reached?: number): Config => {
  const { config } = exampleById("four-words")!;
  return { ...config, view: { ...config.view, story, reached } } as Config;
};
const steps: StoryStep[] = [
  { words: "A score, of 100 %; no weight yet", link: "ex=four-words&cell=scores,2,0" },
  { words: "", link: "ex=four-words&stop=softmax" },
  { words: "权重的和是 1；每行都是。", link: "lab=attention&tokens=a%252Cb,c" },
];

describe("a story", () => {
  test("is read back, packed or not", () => {
    for (const story of [steps, steps.slice(0, 1), [...steps, ...steps, ...steps, ...steps]]) {
      const config = configWithStory(story, story.length - 1);
      const link = encode(config);
      expect(decode(link)).toEqual({ config, notices: [] });
      expect(link.includes("story=z1%3A") || link.includes("story=z1:")).toBe(story.length > 1);
    }
  });

  test("does not change a link without a story", () => {
    expect(encode(configWithStory(undefined))).toBe(encode(exampleById("four-words")!.config));
  });

  test("may be written by hand", () => {
    const { config, notices } = decode(
      "ex=four-words&story=One%20step,ex%3Dtwo-heads;another%252C%20last,lab%3Dvit%26size%3D32&reached=1",
    );
    expect(notices).toEqual([]);
    expect(config.view.story).toEqual([
      { words: "One step", link: "ex=two-heads" },
      { words: "another, last", link: "lab=vit&size=32" },
    ]);
    expect(config.view.reached).toBe(1);
  });

  test("may contain a text that begins like a packed value", () => {
    const config = configWithStory([{ words: "z1:AAAA", link: "ex=face" }]);
    expect(decode(encode(config))).toEqual({ config, notices: [] });
  });

  test("names the steps that cannot be read, and keeps the others", () => {
    const { config, notices } = decode("ex=four-words&story=One,ex%3Dface;two;three,;four,ex%3Dface,x");
    expect(config.view.story).toEqual([{ words: "One", link: "ex=face" }]);
    expect(notices).toMatchObject([{ kind: "field", field: "story", actual: "two;three,;four,ex=face,x" }]);
    expect(notices[0]!.expected).toMatchObject({ kind: "story", steps: 24 });
  });

  test("begins at its first step if one of its steps could not be read", () => {
    const { config, notices } = decode("ex=four-words&story=One,ex%3Dface;two;three,ex%3Dface&reached=2");
    expect(config.view.story).toHaveLength(2);
    expect(config.view.reached).toBeUndefined();
    expect(notices).toMatchObject([{ kind: "field", field: "story", actual: "two" }]);
  });

  test.each([
    "story=",
    "story=one",
    "story=none",
    `story=${"a,b;".repeat(24)}a,b`,
    `story=${"x".repeat(601)},ex%3Dface`,
    `story=x,${"y".repeat(16_385)}`,
  ])("%s is said and left out", (field) => {
    const { config, notices } = decode(`ex=four-words&${field}`);
    expect(config.view.story).toBeUndefined();
    expect(notices).toMatchObject([{ kind: "field", field: "story" }]);
  });

  test.each([
    ["reached=1", "beside"],
    ["story=One,ex%3Dface&reached=1", "whole"],
    ["story=One,ex%3Dface&reached=-1", "whole"],
  ])("%s has no such step", (fields, kind) => {
    const { config, notices } = decode(`ex=four-words&${fields}`);
    expect(config.view.reached ?? 0).toBe(0);
    expect(notices).toMatchObject([{ kind: "field", field: "reached", expected: { kind } }]);
  });

  test("has spaces in place of line breaks and half characters", () => {
    const { config } = decode("ex=four-words&story=One%0Atwo%E2%80%A8three%00,ex%3Dface");
    expect(config.view.story).toEqual([{ words: "One two three", link: "ex=face" }]);
  });

  test("is validated in a file, and faults are named", () => {
    expect(validateConfig(configWithStory(steps, 2))).toEqual(configWithStory(steps, 2));
    expect(() => validateConfig(configWithStory(steps, 3))).toThrow(
      "view.reached: expected a whole number from 0 to 2, got 3",
    );
    expect(() => validateConfig(configWithStory([]))).toThrow("view.story: expected 1 to 24 steps");
    const long = [{ words: "x".repeat(bounds.storyWords.max + 1), link: "ex=face" }];
    expect(() => validateConfig(configWithStory(long))).toThrow("view.story");
    expect(() => validateConfig(configWithStory([{ words: "a\nb", link: "ex=face" }]))).toThrow("view.story");
  });
});
