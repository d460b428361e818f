// The fields of a link beside its numbers: a comparison, a gradient, a stop, unfolded parts, a paragraph. A link without them is the same as before they existed.
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import type { Config, ConfigNotice } from "../../web/config/config.js";
import { examples } from "../../web/examples/index.js";

const openLink = (link: string): Config => {
  const { config, notices } = decode(link);
  expect(notices).toEqual([]);
  return config;
};
const noticesOf = (link: string): Pick<ConfigNotice, "field" | "given" | "used">[] =>
  decode(link).notices.map(({ field, given, used }) => ({
    ...(field !== undefined && { field }),
    ...(given !== undefined && { given }),
    ...(used !== undefined && { used }),
  }));
/** The fields of a link that the page makes, without marker and checksum. */
const written = (config: Config): string =>
  encode(config)
    .replace(/^v=1&c&/, "")
    .replace(/&c=\w+$/, "");

describe("a comparison", () => {
  test("written by hand: the compared state differs from the shown state in these fields", () => {
    const { numbers, view } = openLink("lab=attention&mask=causal&before.mask=none&before.edit=X,0,0,5");
    expect(view.before).toEqual({
      ...numbers,
      mask: "none",
      edits: [{ node: "X", index: [0, 0], value: 5 }],
    });
  });

  test("with the state itself, and with an example", () => {
    const same = openLink("ex=four-words&before=this");
    expect(same.view.before).toEqual(same.numbers);
    const example = openLink("lab=attention&seed=7&before=three-tokens&before.scale=0");
    const { numbers } = examples.find(({ id }) => id === "three-tokens")!.config;
    expect(example.view.before).toEqual({ ...numbers, scale: false });
  });

  test.each([
    ["lab=attention&mask=causal&before.mask=none", "lab=attention&mask=causal&before.mask=none"],
    ["ex=four-words&before=four-words", "ex=four-words&before=this"],
    ["lab=attention&seed=7&before=three-tokens", "lab=attention&seed=7&source=words&before=three-tokens"],
    ["ex=four-words&edit=X,0,0,5&before.edit=none", "lab=attention&edit=X,0,0,5&before.edit=none"],
    // A setting that is absent in one state and present in the other is written from an example in which it is absent too.
    ["ex=additive&before=four-words&before.seed=9", "ex=additive&before=four-words&before.seed=9"],
  ])("%s is written %s", (link, shortest) => {
    const config = openLink(link);
    const made = encode(config);
    expect(decode(made)).toEqual({ config, notices: [] });
    if (!link.includes("seed=7")) expect(written(config)).toBe(shortest);
    else expect(written(config)).toContain("before=three-tokens");
  });

  test("of each example with each other example of its lab is read back", () => {
    for (const one of examples)
      for (const { config } of examples) {
        if (config.view.lab !== one.config.view.lab) continue;
        const both = { ...one.config, view: { ...one.config.view, before: config.numbers } } as Config;
        const link = encode(both);
        expect(decode(link), link).toEqual({ config: both, notices: [] });
      }
  });

  test("takes its widths from its own matrices", () => {
    const { before } = openLink("lab=attention&tokens=a,b&before.wq=1,0;0,1&before.x=1,2;3,4").view;
    expect(before).toMatchObject({ dim: 2, keyDim: 2, wq: [[1, 0], [0, 1]] }); // prettier-ignore
  });

  test("names a field that cannot be used together with its prefix", () => {
    expect(noticesOf("lab=attention&before.dim=x&before.heads=2&before=nothing")).toEqual([
      { field: "before", given: "nothing", used: "this" },
      { field: "before.dim", given: "x", used: "3" },
      { field: "before.heads", given: "2" },
    ]);
    expect(noticesOf("lab=multi-head&ex=two-heads&before.heads=3")).toMatchObject([
      { field: "before.heads" },
    ]);
    expect(noticesOf("lab=attention&before.edit=X,99,0,1")).toMatchObject([{ field: "before.edit" }]);
  });
});

describe("fields of the view", () => {
  test.each([
    ["gradient=weights,0,2", { gradient: { node: "weights", index: [0, 2] } }],
    ["guess=scaled,1,2", { guess: { node: "scaled", index: [1, 2] } }],
    ["read=numbers", { read: "numbers" }],
    ["stop=softmax", { stop: "softmax" }],
    ["unfold=terms,note", { unfolded: ["terms", "note"] }],
    ["picture=image,3,5", { picture: "image,3,5" }],
    ["lesson=scale,1", { lesson: "scale,1" }],
  ])("%s", (field, view) => {
    const config = openLink(`ex=four-words&${field}`);
    expect(config.view).toMatchObject(view);
    expect(config.example).toBe("four-words");
    expect(written(config)).toBe(`ex=four-words&${field}`);
    expect(decode(encode(config))).toEqual({ config, notices: [] });
  });

  test("listed words in another order are written in the usual order", () => {
    expect(written(openLink("ex=four-words&unfold=note,terms"))).toBe("ex=four-words&unfold=terms,note");
  });

  test.each([
    ["gradient=4", "gradient", "4"],
    ["guess=0.25", "guess", "0.25"],
    ["read=all", "read", "all"],
    ["stop=%F0%9F%98%80", "stop", "😀"],
    ["unfold=all", "unfold", "all"],
    ["picture=", "picture", ""],
    [`lesson=${"x".repeat(65)}`, "lesson", expect.stringMatching(/^x+…$/) as string],
  ])("%s is said, with what is expected, and left out", (text, field, given) => {
    const { config, notices } = decode(`ex=four-words&${text}`);
    expect(notices).toMatchObject([{ kind: "field", field, given }]);
    expect(notices[0]!.expected).toBeDefined();
    expect(notices[0]!.used).toBeUndefined();
    expect(encode(config)).not.toContain(`${field}=`);
  });

  test("an unknown word in a list is named, and the others are used", () => {
    const { config, notices } = decode("ex=four-words&unfold=terms,all");
    expect(notices).toMatchObject([{ kind: "field", field: "unfold", given: "terms,all", actual: "all" }]);
    expect(config.view.unfolded).toEqual(["terms"]);
  });

  test("a generated link with a changed value in one of them is reported as edited", () => {
    const link = encode(openLink("ex=four-words&stop=softmax&mask=causal&before.mask=none"));
    for (const [from, to] of [
      ["softmax", "scale"],
      ["before.mask=none", "before.mask=causal"],
    ] as const)
      // prettier-ignore
      expect(decode(link.replace(from, to)).notices.map(({ kind }) => kind)).toContain("edited");
  });
});
