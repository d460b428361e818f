// Links: a Config that is written is read back exactly, damage is reported, and no input is trusted.
import { crc32 as zlibCrc32, deflateRawSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { deflateSync } from "fflate";
import { describe, expect, test, vi } from "vitest";
import { bounds, linkBounds, mostWork } from "../../web/config/bounds.js";
import { type Decoded, decode, decodeSent, encode, exampleOf, longestLink } from "../../web/config/codec.js";
import type { Config, ConfigOf, LabId, NumbersOf } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { parameterCount } from "../../web/config/labs/block.js";
import { withEdit } from "../../web/config/edits.js";
import { labIds } from "../../web/config/labs.js";
import { numberFields } from "../../web/config/state.js";
import { viewFields } from "../../web/config/view.js";
import { Allowance, crc32, fromBase64, noWork, toBase64 } from "../../web/config/packing.js";
import { shortened } from "../../web/config/shortened.js";
import { validateConfig } from "../../web/config/validate.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn, type Language } from "../../web/i18n/words.js";
import { noticeWords } from "../../web/page/notice-words.js";
import { storedNotice } from "../links/corpus.js";
import { anyConfig } from "./config-random.js";

// These tests make thousands of runs, on two cores that other tests use as well.
vi.setConfig({ testTimeout: 120_000 });

const changed = <L extends LabId>(lab: L, change: Partial<NumbersOf[L]>): Config => {
  const config = defaults(lab);
  return { ...config, example: null, numbers: { ...config.numbers, ...change } } as Config;
};
const numbersOf = <L extends LabId>(_lab: L, link: string): NumbersOf[L] =>
  decode(link).config.numbers as NumbersOf[L];
const notices = (link: string) => decode(link).notices.map(storedNotice);
const z1 = (text: string) => `z1:${toBase64(deflateSync(new TextEncoder().encode(text), { level: 9 }))}`;

/** A reproducible stream of numbers from 0 to 1, for data whose packed length is measured. */
function stream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state ^ (state >>> 15)) >>> 0) / 2 ** 32 + (state & 0xfffff) / 2 ** 53;
  };
}

describe("round trip", () => {
  test("any Config is read back exactly", () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        validateConfig(config);
        const link = encode(config);
        fc.pre(link.length <= longestLink);
        expect(decode(link)).toEqual({ config, notices: [] });
        expect(decode(`#${link}`)).toEqual({ config, notices: [] });
      }),
      { numRuns: 1000 },
    );
  });

  test("every example is read back: as itself, without its name, and with a view", () => {
    for (const { config } of examples) {
      const looked = {
        ...config,
        view: {
          ...config.view,
          cell: { node: "weights", index: [0, 2] },
          pinned: true,
          lang: "zh-CN",
          theme: "dark",
          scales: "own",
        },
      } as Config;
      for (const one of [config, { ...config, example: null }, looked] as Config[])
        expect(decode(encode(one))).toEqual({ config: one, notices: [] });
    }
  });

  test("numbers that equal an example's again get the example's name", () => {
    for (const { id, config } of examples)
      expect(exampleOf(config.view.lab, structuredClone(config.numbers))).toBe(id);
    const { numbers } = defaults("attention");
    const edited = withEdit(numbers, { node: "X", index: [0, 0], value: 5 });
    expect(exampleOf("attention", edited)).toBeNull();
    expect(exampleOf("attention", { ...edited, edits: [] })).toBe("four-words");
  });

  test("a link that was read is written as the same text", () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const link = encode(config);
        expect(encode(decode(link).config)).toBe(link);
      }),
      { numRuns: 300 },
    );
  });

  test("an edited Config does not keep the name of its example", () => {
    const example = defaultsOf("three-tokens");
    const stale = {
      ...example,
      numbers: withEdit(example.numbers, { node: "X", index: [0, 0], value: 5 }),
    } as Config;
    expect(decode(encode(stale))).toEqual({ config: { ...stale, example: null }, notices: [] });
  });

  test("false, 0 and -0 are kept", () => {
    const config = changed("attention", {
      scale: false,
      seed: 0,
      edits: [{ node: "X", index: [0, 0], value: -0 }],
    });
    expect(decode(encode(config)).config).toEqual(config);
    expect(
      Object.is((decode(encode(config)).config.numbers as NumbersOf["attention"]).edits[0]!.value, -0),
    ).toBe(true);
  });

  test("a link is still read after it was escaped once more, put into a sentence, or reordered", () => {
    const config = changed("attention", {
      tokens: ["a,b", "100%", "猫", "C++"],
      source: "words",
      x: null,
      draw: "scaled",
    });
    const link = encode(config);
    expect(decode(encodeURIComponent(link))).toEqual({ config, notices: [] });
    expect(decode(link.replaceAll("%", "%25"))).toEqual({ config, notices: [] });
    expect(decode(link.replaceAll(",", "%2C"))).toEqual({ config, notices: [] });
    expect(decode(decodeURI(link))).toEqual({ config, notices: [] });
    for (const end of [".", ")", ",", "。", "*", '"', "_"])
      expect(decode(link + end)).toEqual({ config, notices: [] });
    const [v, c, ...rest] = link.split("&");
    expect(decode([v, c, ...rest.slice(0, -1).reverse(), rest.at(-1)].join("&"))).toEqual({
      config,
      notices: [],
    });
  });
});

describe("the exact text, version 1", () => {
  // These links are published: if one of these texts must change, older links need a migration first.
  test("examples", () => {
    expect(examples.map(({ config }) => encode(config))).toMatchInlineSnapshot(`
      [
        "v=1&c&ex=four-words&c=1wt9rz7",
        "v=1&c&ex=three-tokens&c=1xnbwtj",
        "v=1&c&ex=cat-on-the-mat&c=1plvbit",
        "v=1&c&ex=additive&c=0ogyn2r",
        "v=1&c&ex=two-by-two&c=0wqzc25",
        "v=1&c&ex=blind-row&c=1wb18ui",
        "v=1&c&ex=one-mask-two-readings&before=four-words&before.mask=causal&before.fill=put&c=1ghxxix",
        "v=1&c&ex=score-of-800&c=0t6dcml",
        "v=1&c&ex=ten-by-twenty-run-1&c=188bxo6",
        "v=1&c&ex=ten-by-twenty-run-2&c=0t8hqsg",
        "v=1&c&ex=ten-by-twenty-run-3&c=13ai9gt",
        "v=1&c&ex=one-word-two-looks&c=1y7qox3",
        "v=1&c&ex=two-heads&c=1m8tud4",
        "v=1&c&ex=two-heads-4-8-16&c=134sful",
        "v=1&c&ex=heads-without-w-o&c=06out5n",
        "v=1&c&ex=padded-samples&c=0afhz72",
        "v=1&c&ex=fifty-positions&c=0ghqtvf",
        "v=1&c&ex=pe-0-and-4&c=0irllfw",
        "v=1&c&ex=two-orders&c=10j6qpk",
        "v=1&c&ex=six-encodings&c=0szj7io",
        "v=1&c&ex=harbour&c=0nnfv4d",
        "v=1&c&ex=face&c=0knw6yq",
        "v=1&c&ex=letter&c=07dpkka",
        "v=1&c&ex=harbour-encoder&c=0vv6mbt",
        "v=1&c&ex=harbour-resized&c=1967bdj",
        "v=1&c&ex=old-black-cat&c=12hvcwa",
        "v=1&c&ex=cat-follows-dog&c=0egvpci",
        "v=1&c&ex=untrained-translator&c=0h8gcck",
        "v=1&c&ex=line-of-document-004&c=0qfbym3",
        "v=1&c&ex=mini-batches-of-2&c=1cgyipc",
        "v=1&c&ex=five-on-a-bowl&c=14tahw8",
        "v=1&c&ex=rosenbrock-valley&c=1k4x0pg",
        "v=1&c&ex=rare-feature&c=0f0cckg",
        "v=1&c&ex=noam-4000&c=0ubpbow",
        "v=1&c&ex=one-block&c=1k8zr1g",
        "v=1&c&ex=pre-norm&c=0f2b573",
        "v=1&c&ex=six-layers&c=04wo6xn",
        "v=1&c&ex=heights&c=0gp3jio",
        "v=1&c&ex=curves&c=0j3o14a",
        "v=1&c&ex=label-smoothing&c=0e52yxw",
        "v=1&c&ex=sure-and-wrong&c=0fev78z",
        "v=1&c&ex=kl-and-cross-entropy&c=16glxjl",
        "v=1&c&ex=twelve-dropouts&c=1vdpuk6",
        "v=1&c&ex=why-self-attention&c=0tw6rv8",
        "v=1&c&ex=short-and-wide&c=177exaq",
        "v=1&c&ex=long-and-narrow&c=0r2yg3p",
        "v=1&c&ex=seven-widths&c=1gcsb78",
        "v=1&c&ex=saturated-rows&c=17ogprs",
        "v=1&c&ex=spread-restored&c=0hv6ojx",
        "v=1&c&ex=masked-mat&c=0d2kbn2",
        "v=1&c&ex=both-sides&c=0zn37le",
        "v=1&c&ex=masked-untrained&c=0x58v07",
        "v=1&c&ex=masked-drawn&c=13xsanj",
        "v=1&c&ex=dog-bites-man&c=0a4myfe",
        "v=1&c&ex=ids-133-23-58&c=1s3jfby",
        "v=1&c&ex=king-and-queen&c=0kmcz5d",
        "v=1&c&ex=kingdom-on-a-map&c=025bdnx",
        "v=1&c&ex=small-kingdom&c=1289l6h",
        "v=1&c&ex=small-kingdom-zh&c=0mfmoh8",
        "v=1&c&ex=learn-to-reverse&c=0hkstu6",
        "v=1&c&ex=learn-french&c=1mmsf37",
        "v=1&c&ex=learn-hidden-words&c=0fvvlz2",
      ]
    `);
  });

  test("a sentence with Chinese and emoji", () => {
    const config = changed("attention", {
      tokens: ["我", "爱", "猫", "👩‍👩‍👧", "a,b"],
      source: "words",
      x: null,
      draw: "scaled",
      dim: 4,
      keyDim: 4,
      valueDim: 4,
      seed: 7,
    });
    expect(encode(config)).toMatchInlineSnapshot(
      `"v=1&c&lab=attention&tokens=%E6%88%91,%E7%88%B1,%E7%8C%AB,%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7,a%252Cb&dim=4&seed=7&c=0ks56rw"`,
    );
  });

  test("a painted mask, edits and a view", () => {
    const painted = changed("attention", {
      mask: "painted",
      paint: [
        [true, false, true, true],
        [true, true, true, true],
        [false, false, false, false],
        [true, true, true, true],
      ],
    });
    const edited = {
      ...painted,
      numbers: withEdit(withEdit(painted.numbers, { node: "W_Q", index: [0, 1], value: 2.5 }), {
        node: "X",
        index: [3, 0],
        value: -1e-7,
      }),
    } as Config;
    const configWithView = {
      ...edited,
      view: {
        ...edited.view,
        cell: { node: "weights", index: [0, 2] },
        pinned: true,
        scales: "own",
        lang: "zh-CN",
        theme: "dark",
      },
    } as Config;
    expect(encode(configWithView)).toMatchInlineSnapshot(
      `"v=1&c&lab=attention&paint=1011;1111;0000;1111&edit=W_Q,0,1,2.5;X,3,0,-1e-7&cell=weights,0,2&pin=1&scales=own&lang=zh-CN&theme=dark&c=1pc83cd"`,
    );
  });

  test("an edited example", () => {
    const example = defaultsOf("three-tokens");
    expect(
      encode({
        ...example,
        example: null,
        numbers: withEdit(example.numbers, { node: "W_Q", index: [0, 1], value: 0.15 }),
      } as Config),
    ).toMatchInlineSnapshot(`"v=1&c&ex=three-tokens&edit=W_Q,0,1,0.15&c=1wqxjsg"`);
  });

  test("packed numbers", () => {
    const next = stream(1);
    const rows = (height: number, width: number, make: () => number) =>
      Array.from({ length: height }, () => Array.from({ length: width }, make));
    const wq = rows(16, 4, () => Math.round(next() * 100) / 100);
    const config = changed("attention", {
      tokens: ["a"],
      source: "words",
      x: null,
      draw: "scaled",
      dim: 16,
      keyDim: 4,
      valueDim: 4,
      wq,
    });
    expect(encode(config)).toMatchInlineSnapshot(
      `"v=1&c&lab=attention&tokens=a&dim=16&dk=4&dv=4&wq=z1:JZDbDcQwCAQbOlk8bAO6_vsKgz-MyMAuq8iy_ZPl0eX0i78soRkSgy_MurusGtNtzU51l8Molc3yonWWE603M7TaT7BzpMpGwA5rjtSQBu7FVGHjVLPCsXOabVxqbjMIbVZoi4G-8M0uK8pgTwd7kScGzkKWQmF85jAiO87vP1AUlsTdlLlx9QM&c=0welkhg"`,
    );
    const wk = rows(16, 4, next);
    expect(
      encode({ ...config, numbers: { ...config.numbers, wq: null, wk } } as Config),
    ).toMatchInlineSnapshot(
      `"v=1&c&lab=attention&tokens=a&dim=16&dk=4&dv=4&wk=b64:EAAEAKzO5QCLauk_G_rO-OTd7T-AL9pCaNuGP6Agn_Hac58_oJYsA63r7z9_WWZe-LjpP6QxAnx8JN0_EsQFm4oM2T_UA8WHin7lPyOdymJu4-4_JuAv99J55z-a8kTSoEDfP5CUUaYHmto_HKQH4tGwwj-6kq_sy93sP9GCSZQf5-c__N0iB3Nc5D8rocIlcYDiP45EC-9KP-E_UCkAqjDAqj_g5YZN6fjaP49pJzzJBuI_okkFpZVI7j8yeVgoJIfVPyT9YxhO3ug_ZkxGleqM0T_2NQvwXCftP920BqbqHu4_MGGWa_um2z8u9omHCaHbPxS7U15antY_IOzFdZd4lT9MAcFNCjLlPztMbGim9-c_vKgCh21I3D9KYJf80_rfP0CjoqRh5uo_PnuZQQsT0j8A5NzRqDtaP1L2TDmyedY_dIomA_sm5T8YmhEnGrK0P4x_Bkjq3NI_tFGgPj2Eyz-gqwHUC1DPPyfRxFGruug_WhzCk2MM4D_xPyCeILDjP5w4xe6DfuI_S_tMgqF17z9cMNVem6reP2oD0nFmDtM_kCfP2duV7z-vVSe8xATnP0IHCcIIFeQ_cjsVw57W3D_Eq-EEEz7jP5giRsL4SL4_lv3kr6MO7j_9l088xmHqPwBOXhPu64M_3KyJCQTJyD8qTwUYiv7hPyCQFkH2IpI_&c=1ywzmgi"`,
    );
  });

  test("packed pixels", () => {
    const pixels = Uint8Array.from({ length: 16 * 16 * 3 }, (_, at) => Math.floor(at / 48) % 16);
    expect(encode(changed("vit", { image: { pixels }, size: 16 }))).toMatchInlineSnapshot(
      `"v=1&c&lab=vit&image=z1:Y2NAA4wjjD8KRjYAAA&c=09jdbkf"`,
    );
  });
});

function defaultsOf(id: string): Config {
  return structuredClone(examples.find((example) => example.id === id)!.config);
}

describe("lengths", () => {
  test("an example's link has fewer than 200 characters, typically fewer than 40", () => {
    // A link that compares two states contains both.
    for (const { config } of examples)
      expect(encode(config).length).toBeLessThan("before" in config.view ? 200 : 40);
  });

  const square = (make: () => number) =>
    encode(
      changed("attention", {
        tokens: ["a"],
        source: "words",
        x: null,
        draw: "scaled",
        dim: 16,
        keyDim: 16,
        valueDim: 16,
        wq: Array.from({ length: 16 }, () => Array.from({ length: 16 }, make)),
      }),
    );

  test("16 × 16 typed values of up to 4 decimals take fewer than 1,500 characters", () => {
    const next = stream(7);
    expect(square(() => Math.round((next() * 4 - 2) * 1e4) / 1e4).length).toBeLessThan(1500);
  });

  test("16 × 16 full doubles take fewer than 3,000 characters and lose nothing", () => {
    const next = stream(8);
    const link = square(() => next() * 4 - 2);
    expect(link.length).toBeLessThan(3000);
    expect(encode(decode(link).config)).toBe(link);
  });

  test("a matrix with more columns than are read as text is packed, however short its text would be", () => {
    const sizes = { dim: 8, hidden: 64, vocabulary: [...new Set(defaults("block").numbers.tokens)] };
    const count = parameterCount({ ...defaults("block").numbers, ...sizes });
    expect(count).toBeGreaterThan(bounds.dim.max);
    const parameters = [new Array<number>(count).fill(0.5)];
    const { config, notices } = decode(encode(changed("block", { ...sizes, parameters })));
    expect(notices).toEqual([]);
    expect(config.numbers).toMatchObject({ parameters });
  });

  test("64 × 64 pixels of a noisy photograph take fewer than 8,000 characters", () => {
    const next = stream(9);
    const pixels = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => {
      const [x, y, channel] = [Math.floor(at / 3) % 64, Math.floor(at / 192), at % 3];
      // Smooth shapes, an edge, and noise of about one level, as from a camera.
      const shape =
        7 +
        4 * Math.sin(x / 9 + channel) +
        3 * Math.cos(y / 7) +
        ((x - 30) ** 2 + (y - 40) ** 2 < 200 ? 3 : 0);
      return Math.min(15, Math.max(0, Math.round(shape + (next() + next() + next() - 1.5) * 1.6)));
    });
    expect(encode(changed("vit", { image: { pixels } })).length).toBeLessThan(8000);
  });

  test("64 × 64 pixels of pure noise fit in a link", () => {
    const next = stream(10);
    const config = changed("vit", {
      image: { pixels: Uint8Array.from({ length: 64 * 64 * 3 }, () => Math.floor(next() * 16)) },
    });
    expect(encode(config).length).toBeLessThan(8300);
    expect(decode(encode(config))).toEqual({ config, notices: [] });
  });

  test("a link over the limit is refused with its length and the limit", () => {
    const link = `v=1&tokens=${"a".repeat(longestLink)}`;
    expect(notices(link)).toEqual([
      { kind: "too-large", given: String(link.length), used: String(longestLink) },
    ]);
    expect(decode(link).config).toEqual(defaults("attention"));
  });
});

describe("links written by hand", () => {
  test("the link in the README", () => {
    const { config, notices } = decode("#v=1&lab=multi-head&tokens=the,cat,sat&heads=2&seed=42");
    expect(notices).toEqual([]);
    expect(config).toMatchObject({
      example: null,
      numbers: {
        tokens: ["the", "cat", "sat"],
        source: "words",
        heads: 2,
        keyDim: 64,
        valueDim: 64,
        seed: 42,
        draw: "scaled",
        batch: 1,
        length: 3,
      },
    });
  });

  test("an empty link opens the first example", () => {
    for (const link of ["", "#", "  "])
      expect(decode(link)).toEqual({ config: defaults("attention"), notices: [] });
    expect(decode("v=1")).toEqual({ config: defaults("attention"), notices: [] });
    for (const lab of ["attention", "multi-head", "positions", "vit", "losses"] as const)
      expect(decode(`lab=${lab}`)).toEqual({ config: defaults(lab), notices: [] });
  });

  test("ex= starts from a frozen example; a changed example loses its name", () => {
    expect(decode("ex=three-tokens").config).toEqual(defaultsOf("three-tokens"));
    const example = defaultsOf("three-tokens");
    const { config, notices } = decode("ex=three-tokens&scale=0");
    expect(notices).toEqual([]);
    expect(config).toEqual({ ...example, example: null, numbers: { ...example.numbers, scale: false } });
  });

  test("typed rows, weights and positions", () => {
    expect(numbersOf("attention", "tokens=a,b&dim=2&x=1,0;0,1&wq=1,2;3,4")).toMatchObject({
      source: "values",
      x: [
        [1, 0],
        [0, 1],
      ],
      wq: [
        [1, 2],
        [3, 4],
      ],
      keyDim: 2,
      valueDim: 2,
    });
    expect(numbersOf("attention", "tokens=a,b&paint=10;11")).toMatchObject({
      mask: "painted",
      paint: [
        [true, false],
        [true, true],
      ],
    });
    expect(numbersOf("positions", "lab=positions&dim=4&positions=0,4&x=1,.5,0.8,3e-1")).toMatchObject({
      positions: [0, 4],
      x: [[1, 0.5, 0.8, 0.3]],
    });
    expect(notices("tokens=a,b&dim=2&x=1,0;0,1&wq=1,2;3,4")).toEqual([]);
  });

  test("upper case, spaces, a true minus sign, zh, and hexadecimal pixels", () => {
    expect(numbersOf("attention", "Tokens=a, b ,&SCALE=No&Mask=Causal")).toMatchObject({
      tokens: ["a", "b"],
      scale: false,
      mask: "causal",
    });
    expect(numbersOf("attention", "ex=four-words&edit=X,0,0,−2")).toMatchObject({
      edits: [{ node: "X", index: [0, 0], value: -2 }],
    });
    expect(decode("lang=zh").config.view.lang).toBe("zh-CN");
    const { image } = numbersOf("vit", `lab=vit&size=16&image=hex:${"0af".repeat(256)}`);
    expect(image).toEqual({ pixels: Uint8Array.from({ length: 768 }, (_, at) => [0, 10, 15][at % 3]!) });
  });

  test("words are normalized: two spellings of é are the same word", () => {
    expect(numbersOf("attention", "tokens=caf%C3%A9")).toEqual(numbersOf("attention", "tokens=cafe%CC%81"));
  });

  test("the fields of a frame are not fields of a link", () => {
    expect(notices("ex=four-words&ui=minimal")).toEqual([
      { kind: "unknown-field", field: "ui", given: "minimal" },
    ]);
  });
});

describe("widths that follow from typed matrices", () => {
  test.each([
    ["tokens=a,b&x=1,2;3,4", { dim: 2, keyDim: 2, valueDim: 2, source: "values" }],
    ["tokens=a,b&x=1,2;3,4&wq=1;0", { dim: 2, keyDim: 1, valueDim: 2 }],
    ["tokens=a,b&x=1,2;3,4&wk=1;0&wv=1,0,0;0,1,0", { dim: 2, keyDim: 1, valueDim: 3 }],
    ["ex=three-tokens&wq=1,0,0;0,1,0;0,0,1;1,1,1", { dim: 4, keyDim: 3, valueDim: 4 }],
    // A width that is given takes precedence; `none` is not a matrix.
    ["tokens=a,b&x=none&dim=5", { dim: 5, x: null }],
    ["wq=none", { keyDim: 3 }],
  ])("%s", (link, numbers) => {
    expect(decode(link).notices).toEqual([]);
    expect(numbersOf("attention", link)).toMatchObject(numbers);
  });

  test("also follow for positions", () => {
    const link = "lab=positions&length=2&x=1,2,3,4;5,6,7,8";
    expect(decode(link).notices).toEqual([]);
    expect(numbersOf("positions", link)).toMatchObject({ dim: 4 });
  });

  test("a given width takes precedence over the matrix, which gets a notice", () => {
    expect(notices("tokens=a,b&dim=3&x=1,2;3,4")[0]).toEqual({
      kind: "field",
      field: "x",
      given: "1,2;3,4",
      used: "none",
    });
    expect(numbersOf("attention", "tokens=a,b&dim=3&x=1,2;3,4")).toMatchObject({ dim: 3, x: null });
  });

  test("do not follow from a matrix that cannot be read or is too wide", () => {
    expect(numbersOf("attention", "x=1,b;3,4")).toMatchObject({ dim: 3 });
    const wide = Array.from({ length: 129 }, () => "1").join(",");
    expect(numbersOf("attention", `wq=${wide};${wide};${wide}`)).toMatchObject({ dim: 3, keyDim: 3 });
    expect(notices(`wq=${wide};${wide};${wide}`)).toMatchObject([{ kind: "field", field: "wq" }]);
  });

  test("do not follow from a matrix that is not used: one with unequal rows, or of a width that the encoding does not allow", () => {
    expect(numbersOf("attention", "wq=1,0;0,1;1")).toMatchObject({ dim: 3, keyDim: 3, wq: null });
    expect(numbersOf("attention", "tokens=a,b&x=1,2;3")).toMatchObject({ dim: 3, x: null });
    expect(notices("wq=1,0;0,1;1")).toMatchObject([{ kind: "field", field: "wq" }]);
    const rotary = "lab=positions&encoding=rotary&length=2";
    const { dim } = numbersOf("positions", rotary);
    expect(numbersOf("positions", `${rotary}&x=1,2,3;4,5,6`)).toMatchObject({ dim, x: null });
    expect(notices(`${rotary}&x=1,2,3;4,5,6`)).toMatchObject([{ kind: "field", field: "x" }]);
    expect(numbersOf("positions", `${rotary}&x=1,2;4,5`)).toMatchObject({ dim: 2 });
  });

  test("a link without its marker and checksum still means the same Config", () => {
    fc.assert(
      fc.property(anyConfig, (config) => {
        const link = encode(config);
        fc.pre(link.length <= longestLink);
        const bare = link.replace("v=1&c&", "").replace(/&c=\w+$/, "");
        expect(decode(bare)).toEqual({ config, notices: [] });
      }),
      { numRuns: 500 },
    );
  });
});

describe("notices of wrong values", () => {
  const field = (name: string, given: string, used: string | undefined) => [
    { kind: "field", field: name, given, ...(used !== undefined && { used }) },
  ];

  test.each([
    ["heads=7&lab=multi-head", field("heads", "7", "8")],
    ["heads=7&dim=12&lab=multi-head", field("heads", "7", "6")],
    ["dim=9999", field("dim", "9999", "512")],
    ["dim=0", field("dim", "0", "1")],
    ["seed=-1", field("seed", "-1", "0")],
    ["seed=4294967296", field("seed", "4294967296", "4294967295")],
    ["seed=1e999", field("seed", "1e999", "42")],
    ["seed=NaN", field("seed", "NaN", "42")],
    ["seed=0x10", field("seed", "0x10", "42")],
    ["seed=", field("seed", "", "42")],
    ["dim=2.5", field("dim", "2.5", "3")],
    ["mask=upper", field("mask", "upper", "none")],
    ["mask=painted", field("mask", "painted", "none")],
    ["source=words&x=1,2", field("x", "1,2", "none")],
    ["wq=1,2;3", field("wq", "1,2;3", "none")],
    ["wq=1,2;3,4", field("wq", "1,2;3,4", "none")],
    ["ex=nowhere", field("ex", "nowhere", "four-words")],
    ["ex=harbour&lab=attention", field("lab", "attention", "vit")],
    ["lab=elsewhere", field("lab", "elsewhere", "attention")],
    ["lab=vit&image=moon", field("image", "moon", "harbour")],
    ["lab=vit&size=16&patch=32", field("patch", "32", "8")],
    ["lab=vit&patch=7", field("patch", "7", "8")],
    ["lab=positions&encoding=rotary&dim=5", field("dim", "5", "6")],
    ["lab=losses&classes=yes,yes", field("classes", "yes,yes", "cat,dog,bird")],
    ["lab=losses&classes=no,yes&targets=0,2", field("targets", "0,2", "0,1")],
    ["lab=losses&smoothing=1", field("smoothing", "1", "0.9")],
    ["lab=multi-head&item=12", field("item", "12", "0")],
    ["lab=multi-head&item=99", field("item", "99", "0")],
    ["lab=optimizers&steps=10&step=1000", field("step", "1000", "9")],
    ["lab=optimizers&start=1,2;3,4", field("start", "1,2;3,4", "1,2")],
    ["lab=optimizers&start=1,2;3", field("start", "1,2;3", "1,2")],
    ["lab=optimizers&rates=1,2;3", field("rates", "1,2;3", "0.01,0.01,0.01,0.01,0.01")],
    ["edit=W_Q,0,0,NaN;X,1,1,2", field("edit", "W_Q,0,0,NaN;X,1,1,2", undefined)],
    ["edit=W_Q,9,9,1", field("edit", "W_Q,9,9,1", undefined)],
    ["edit=__proto__,0,1", field("edit", "__proto__,0,1", undefined)],
    ["edit=constructor,0,1", field("edit", "constructor,0,1", undefined)],
    ["cell=weights,0,-1", field("cell", "weights,0,-1", "none")],
    ["cell=weights,1,2,3,4,5", field("cell", "weights,1,2,3,4,5", "none")],
    ["seed=1&seed=2", field("seed", "2", "1")],
    ["tokens=z1:AAAA", field("tokens", "z1:AAAA", "word_1,word_2,word_3,word_4")],
    ["v=0", field("v", "0", "1")],
  ])("%s", (link, expected) => {
    expect(notices(link)).toEqual(expected);
  });

  const noticeTexts = (link: string, language: Language) =>
    decode(link).notices.map((notice) => noticeWords(notice, wordsIn(language)).body);

  test.each([
    ["wq=1,2;3,4", "the shape (3, 3), got (2, 2)", "形状 (3, 3)；实际：(2, 2)"],
    ["wq=1,2;3", "rows of equally many numbers, at most 512 rows of 128", "各行个数相同的数"],
    ["lab=positions&dim=4&length=3&x=1,2", "(3, 4) / (1, 4), got (1, 2)", "实际：(1, 2)"],
    ["tokens=a,b&paint=111;111;111", "the shape (2, 2), got (3, 3)", "形状 (2, 2)；实际：(3, 3)"],
    ["paint=10;2", "`1` and `0`, at most 64 rows of 64", "`1` 和 `0`"],
    [
      `lab=vit&size=32&image=hex:${"0".repeat(768)}`,
      "the shape (32, 32, 3), got (16, 16, 3)",
      "形状 (32, 32, 3)",
    ],
    ["lab=vit&image=moon", "one of harbour, face, letter, or the pixels of a square", "正方形的像素"],
    ["dim=9999", "a whole number from 1 to 512", "1 到 512 的整数"],
    ["dim=2.5", "a whole number from 1 to 512", "1 到 512 的整数"],
    ["lab=losses&smoothing=1", "a number from 0 to 0.9", "0 到 0.9 的数"],
    ["mask=upper", "one of none, causal, painted", "none, causal, painted 之一"],
    ["mask=painted", "`paint` beside it", "同时给出 `paint`"],
    ["lab=multi-head&heads=7", "a divisor of 128", "128 的因数"],
    ["lab=multi-head&item=12", "a whole number from 0 to 9", "0 到 9 的整数"],
    ["edit=W_Q,9,9,1;X,0,0,1", "W_Q (3, 3), W_K (3, 3), W_V (3, 3), got W_Q,9,9", "实际：W_Q,9,9"],
    ["edit=X,1,1,2;Y,0,0,1;Z,0,1", "got Y,0,0;Z,0. It was left out.", "实际：Y,0,0;Z,0。这一项已略去。"],
    ["lab=complexity&edit=X,0,0,1", "expected `none`, got X,0,0", "要求：`none`"],
    ["cell=weights,0,-1", "a tensor and a place on each of its axes", "张量名和各轴上的位置"],
    ["lab=optimizers&points=1,2,3", "2–12 × 2 numbers from -100 to 100", "-100 到 100 的数"],
    ["lab=optimizers&rates=1,2", "5 numbers from 0.000001 to 10", "5 个 0.000001 到 10 的数"],
    ["lab=losses&classes=yes,yes", "2 to 16 different words", "2 到 16 个互不相同的词"],
    ["ex=harbour&lab=attention", "expected `vit`", "要求：`vit`"],
    ["ex=nowhere", "one of four-words, three-tokens", "four-words, three-tokens"],
    ["seed=1&seed=2", "the field once", "只写一次"],
    ["v=0", "expected `1`", "要求：`1`"],
  ])("%s says what was expected, and what came", (link, english, chinese) => {
    expect(noticeTexts(link, "en").join("\n")).toContain(english);
    expect(noticeTexts(link, "zh-CN").join("\n")).toContain(chinese);
  });

  test("a notice contains the field, the given value, the expected and the actual value, and the value used instead", () => {
    expect(noticeTexts("wq=1,2;3,4", "en")).toEqual([
      "`wq=1,2;3,4` cannot be used: expected the shape (3, 3), got (2, 2). Using `wq=none`. Everything else is as sent.",
    ]);
    expect(noticeTexts("edit=W_Q,9,9,1", "zh-CN")).toEqual([
      "`edit=W_Q,9,9,1` 无法使用。要求：X (4, 3), W_Q (3, 3), W_K (3, 3), W_V (3, 3) 中的一个数；实际：W_Q,9,9。这一项已略去。其余与链接一致。",
    ]);
  });

  test("every field of every lab says what it expects", () => {
    for (const lab of labIds) {
      const names = [...numberFields(lab), ...viewFields].map(({ name }) => name);
      for (const name of names.filter((name) => name !== "lang")) {
        const [notice] = decode(`lab=${lab}&${name}=%01`).notices;
        const isWords = notice === undefined;
        // A field of words accepts any text.
        if (isWords) continue;
        expect([lab, name, notice.expected?.kind]).toEqual([lab, name, expect.any(String)]);
        for (const language of ["en", "zh-CN"] as const)
          expect(noticeWords(notice, wordsIn(language)).body).not.toMatch(/\{\w+\}|undefined/);
      }
    }
  });

  test("a link that is too large is reported with its numbers", () => {
    expect(noticeTexts(`tokens=${"a".repeat(longestLink)}`, "en")[0]).toContain(
      "It has 655367 characters, and a page opens at most 655360.",
    );
    const many = Array.from({ length: 199 }, (_, at) => `f${at}=1`).join("&");
    expect(noticeTexts(`lab=vit&${many}`, "en")[0]).toContain("It has more than 128 settings");
  });

  test("the other fields are used as sent", () => {
    const { config } = decode("lab=multi-head&heads=7&seed=5&foo=1");
    expect(config.numbers).toMatchObject({ heads: 8, seed: 5 });
    expect(config.example).toBeNull();
  });

  test("an optional field that cannot be read keeps the example's value, and the notice says so", () => {
    const cases: [string, string, string, string][] = [];
    for (const { id, config } of examples) {
      for (const { key, name, form } of numberFields(config.view.lab)) {
        const value = (config.numbers as unknown as Record<string, unknown>)[key];
        const optional = !(key in defaults(config.view.lab).numbers) && value !== undefined;
        if (optional) cases.push([id, key, name, form.plain(value)]);
      }
    }
    expect(cases).toContainEqual(["additive", "score", "score", "additive"]);
    for (const [id, key, name, plain] of cases) {
      const { config, notices } = decode(`ex=${id}&${name}=%F0%9F%99%88`);
      const whole = decode(`ex=${id}`).config;
      expect(config.numbers, `${id} ${key}`).toEqual(whole.numbers);
      expect(notices, `${id} ${key}`).toMatchObject([{ kind: "field", field: name, used: shortened(plain) }]);
    }
    expect(decode("ex=additive&score=garbage").config.example).toBe("additive");
  });

  test("an edit that cannot be read is left out with a notice, and the others are used", () => {
    const edits = (link: string) => decode(link).config.numbers.edits;
    const rest = [{ node: "X", index: [1, 1], value: 2 }];
    expect(edits("edit=W_Q,0,0,NaN;X,1,1,2")).toEqual(rest);
    expect(edits("edit=X,1,1,2;W_Q,0,0")).toEqual(rest);
    expect(noticeTexts("edit=X,1,1,2;W_Q,0,0,NaN;W_K,0,-1,3", "en")).toEqual([
      expect.stringMatching(/got W_Q,0,0,NaN;W_K,0,-1,3\. It was left out\. Everything else is as sent\.$/),
    ]);
  });

  test("a field with two faults may have two notices", () => {
    const wrong = (link: string) =>
      decode(link).notices.map(({ field, actual, used }) => [field, actual, used]);
    expect(wrong("edit=X,1,1,2;W_Q,0,0,NaN;X,40,40,3")).toEqual([
      ["edit", "W_Q,0,0,NaN", undefined],
      ["edit", "X,40,40", undefined],
    ]);
    expect(wrong("seed=many&seed=5")).toEqual([
      ["seed", undefined, "many"],
      ["seed", undefined, "42"],
    ]);
  });

  test("a newer version is reported and not interpreted", () => {
    expect(decode("v=2&lab=vit&patch=9&c=0000000")).toEqual({
      config: defaults("vit"),
      notices: [{ kind: "newer", field: "v", given: "2", used: "1" }],
    });
  });

  test("text that is not a link is reported as unreadable", () => {
    expect(notices("main-content")).toEqual([{ kind: "unreadable", given: "main-content" }]);
    expect(notices("%E0%A4%A")).toMatchObject([{ kind: "unreadable" }]);
  });
});

describe("links that were cut off or edited", () => {
  const link = encode(
    changed("attention", {
      tokens: ["the", "cat", "sat"],
      source: "words",
      x: null,
      draw: "scaled",
      dim: 5,
      keyDim: 5,
      valueDim: 5,
      seed: 4321,
      edits: [{ node: "W_Q", index: [0, 1], value: 2.5 }],
    }),
  );

  test("a generated link that is cut anywhere after its marker is reported as cut", () => {
    const whole = decode(link);
    expect(whole.notices).toEqual([]);
    for (let end = "v=1&c&".length; end < link.length; end++) {
      expect(
        notices(link.slice(0, end)).filter(({ kind }) => kind === "cut"),
        link.slice(0, end),
      ).toHaveLength(1);
    }
  });

  test("half a value is not used, and its field is named", () => {
    const cut = decode(link.slice(0, link.indexOf("seed=4321") + "seed=43".length));
    expect(cut.notices).toEqual([{ kind: "cut", field: "seed" }]);
    expect(cut.config.numbers).toMatchObject({ tokens: ["the", "cat", "sat"], seed: 42 });
  });

  test("a link of only its version opens the first example; with a trailing & it is reported as cut", () => {
    for (const start of ["v=1&", "#v=1&"]) {
      expect(decodeSent(start)).toEqual({ ...decode(start), notices: [{ kind: "cut" }] });
    }
    expect(decodeSent("#v=1")).toEqual({ config: defaults("attention"), notices: [] });
    for (const whole of ["v=1", " v=1 ", "v=1&lab=vit", "lab=vit", "v=2"])
      expect(decodeSent(whole), whole).toEqual(decode(whole));
  });

  test("words with invisible characters are shown in a notice, and the link opens unchanged", () => {
    const link = encode(changed("attention", { tokens: ["cat", "cat\u200D"], source: "words", x: null }));
    const { config, notices } = decodeSent(link);
    expect(decode(link)).toEqual({ config, notices: [] });
    expect(encode(config)).toBe(link);
    expect(notices).toEqual([{ kind: "unseen", given: "cat⟨U+200D⟩" }]);
    for (const language of ["en", "zh-CN"] as const)
      expect(noticeWords(notices[0]!, wordsIn(language)).body).toContain("cat⟨U+200D⟩");
  });

  test("a link with a changed value is reported as edited, and opens", () => {
    const edited = decode(link.replace("seed=4321", "seed=4322"));
    expect(edited.notices).toEqual([{ kind: "edited" }]);
    expect(edited.config.numbers).toMatchObject({ seed: 4322 });
    expect(notices(link.replace(/c=.{7}$/, "c=0000000"))).toEqual([{ kind: "edited" }]);
  });

  test("a link without marker and checksum counts as written by hand", () => {
    expect(notices(link.replace("&c&", "&").replace(/&c=.*$/, ""))).toEqual([]);
  });

  test("every changed character of a packed link is noticed", () => {
    const next = stream(3);
    const packed = encode(
      changed("vit", {
        image: { pixels: Uint8Array.from({ length: 768 }, () => Math.floor(next() * 4)) },
        size: 16,
      }),
    );
    const start = packed.indexOf("z1:") + 3;
    const end = packed.indexOf("&", start);
    for (let at = start; at < end; at += 7) {
      const other = packed[at] === "A" ? "B" : "A";
      expect(notices(packed.slice(0, at) + other + packed.slice(at + 1)), `at ${at}`).not.toEqual([]);
    }
  });
});

describe("hostile links", () => {
  /** Checks that a Config is valid, and that its notices are few and short. */
  const expectValid = ({ config, notices }: Decoded) => {
    validateConfig(config);
    expect(notices.length).toBeLessThanOrEqual(21);
    for (const notice of notices)
      expect(`${notice.field}${notice.given}${notice.used}`.length).toBeLessThan(260);
    for (const notice of notices)
      expect(() => encodeURIComponent(`${notice.field}${notice.given}${notice.used}`)).not.toThrow();
  };

  const names = [
    "v",
    "c",
    "lab",
    "ex",
    "tokens",
    "memory",
    "dim",
    "dk",
    "dv",
    "x",
    "source",
    "seed",
    "draw",
    "wq",
    "wk",
    "wv",
    "scale",
    "paint",
    "mask",
    "edit",
    "length",
    "batch",
    "heads",
    "run",
    "encoding",
    "positions",
    "base",
    "offset",
    "image",
    "size",
    "patch",
    "compare",
    "cls",
    "cell",
    "pin",
    "scales",
    "item",
    "lang",
    "theme",
    "__proto__",
    "constructor",
    "toString",
  ];
  const hostileValues = [
    "none",
    "",
    "0",
    "-0",
    "-1",
    "1e308",
    "1e309",
    "NaN",
    "Infinity",
    "99999999999999999999",
    "0x10",
    "%",
    "%%%",
    "%00",
    "%ED%A0%80",
    "\ud800",
    "\udc00x",
    "__proto__",
    "constructor",
    "z1:",
    "z1:AAAA",
    "b64:",
    "b64:AAAA",
    "b32:",
    "b32:AAAA",
    "hex:",
    "hex:0",
    ",,,,",
    ";;;;",
    "1,2;3",
    "W_Q,0,0,1",
    "__proto__,0,0,1",
    "W_Q,0,0,NaN",
    "multi-head",
    "vit",
    "attention",
    "positions",
    "painted",
    "words",
    "draw",
    "values",
    "projection",
    "rotary",
    "shift",
    "512",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\u202e",
    "a".repeat(5000),
    z1("0,".repeat(100_000)),
    z1("1,1;".repeat(50_000)),
    "four-words",
    "letter",
    "ten-by-twenty-run-1",
    "16",
    "32",
    "64",
    "1",
    "2",
    "7",
  ];
  const piece = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...names),
        fc.oneof(fc.constantFrom(...hostileValues), fc.string({ unit: "binary" }), fc.double().map(String)),
      )
      .map(([name, text]) => `${name}=${text}`),
    fc.string({ unit: "binary" }),
    fc.string(),
  );

  test("any text gives a valid Config and never throws", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => expectValid(decode(pieces.join("&")))),
      { numRuns: 4000 },
    );
  });

  test("mutated links give valid Configs and never throw", () => {
    const links = [
      ...examples.map(({ config }) => encode(config)),
      encode(
        changed("attention", {
          dim: 8,
          keyDim: 4,
          x: null,
          source: "words",
          paint: Array.from({ length: 4 }, () => [true, false, true, true]),
          mask: "painted",
        }),
      ),
    ];
    const mutation = fc.tuple(
      fc.constantFrom(...links),
      fc.array(
        fc.tuple(
          fc.nat(400),
          fc.constantFrom("delete", "insert", "replace", "double"),
          fc.string({ unit: "binary", minLength: 1, maxLength: 3 }),
        ),
        { minLength: 1, maxLength: 5 },
      ),
    );
    fc.assert(
      fc.property(mutation, ([link, steps]) => {
        let text = link;
        for (const [place, kind, insert] of steps) {
          const at = place % (text.length + 1);
          if (kind === "delete") text = text.slice(0, at) + text.slice(at + 1);
          else if (kind === "insert") text = text.slice(0, at) + insert + text.slice(at);
          else if (kind === "replace") text = text.slice(0, at) + insert + text.slice(at + 1);
          else text = text.slice(0, at) + text;
        }
        expectValid(decode(text));
      }),
      { numRuns: 4000 },
    );
  });

  test("a decompression bomb is refused before it is fully inflated", () => {
    const bomb = toBase64(deflateSync(new Uint8Array(30_000_000), { level: 9 }));
    expect(bomb.length).toBeLessThan(longestLink);
    const allowance = new Allowance(1 << 21);
    expect(() => allowance.inflate(fromBase64(bomb), 1 << 21)).toThrow(/more than 2097152 bytes/);
    expect(allowance.bytesLeft).toBe(0);
    expect(notices(`tokens=z1:${bomb}`)).toMatchObject([{ kind: "field", field: "tokens" }]);
  });

  test("one link inflates no more than its allowance, however many fields it has", () => {
    const allowance = new Allowance(1000);
    const packed = deflateSync(new Uint8Array(400));
    allowance.inflate(packed, 500);
    allowance.inflate(packed, 500);
    expect(() => allowance.inflate(packed, 500)).toThrow(/more than 200 bytes/);
    expect(() => allowance.inflate(packed, 500)).toThrow(/more than 0 bytes/);
    expect(allowance.bytesLeft).toBe(0);
  });

  /** The work of decoding a link, after a check of the result. */
  const workOf = (link: string) => {
    const work = noWork();
    expectValid(decode(link, work));
    return work;
  };
  const attentionFields = ["tokens", "memory", "x", "wq", "wk", "wv", "paint", "edit"];
  const everyField = (value: string) => attentionFields.map((name) => `${name}=${value}`).join("&");

  test("the work of a link is counted", () => {
    expect(workOf("lab=attention&x=1,2,3;4,5,6&tokens=a,b&dim=3&edit=X,0,0,1")).toEqual({
      attempts: 1,
      fields: 5,
      inflated: 0,
      // 2 rows of 3 numbers, 2 words, 1 edit of 4 parts.
      cells: 2 + 6 + 2 + 1 + 4,
    });
    const text = Array.from({ length: 60 }, (_, at) => `word${at}`).join(",");
    expect(workOf(`tokens=${z1(text)}`)).toEqual({
      attempts: 1,
      fields: 1,
      inflated: text.length,
      cells: 60,
    });
  });

  test("a matrix that cannot be read is inflated only once, although its width is determined first", () => {
    const text = `${"1,2;".repeat(500)}b`;
    expect(workOf(`x=${z1(text)}`).inflated).toBe(text.length);
  });

  test("no field is inflated after the allowance is used up, and all fields together stay within the bounds", () => {
    const bomb = `z1:${toBase64(deflateSync(new Uint8Array(5_000_000), { level: 9 }))}`;
    const { inflated } = workOf(everyField(bomb));
    // The first bomb exceeds the allowance by one portion; the other seven are not inflated.
    expect(inflated).toBeGreaterThan(linkBounds.inflated);
    expect(inflated).toBeLessThan(linkBounds.inflated + 1032 * linkBounds.portion);
    // The checksum is wrong, so every way of undoing escapes is tried.
    const thrice = workOf(`v=1&c&${everyField(bomb)}&seed=%2525&c=0000000`);
    expect(thrice.attempts).toBe(mostWork.attempts);
    expect(thrice.inflated).toBeLessThanOrEqual(mostWork.inflated);
  });

  test("a link makes no more cells than the largest Config has, however many matrices it contains", () => {
    const rows = z1(Array.from({ length: 512 }, () => "0,".repeat(511) + "0").join(";"));
    const { cells } = workOf(everyField(rows));
    expect(cells).toBeGreaterThan(512 * 512);
    expect(cells).toBeLessThanOrEqual(linkBounds.cells);
    // The largest valid Config: 512 positions of 512 numbers, each number typed in.
    const largest = changed("positions", {
      length: 512,
      dim: 512,
      x: Array.from({ length: 512 }, () => Array.from({ length: 512 }, () => 0)),
    });
    expect(decode(encode(largest))).toEqual({ config: largest, notices: [] });
  });

  test("a long run of combining marks is refused as a word without being normalized", () => {
    // Normalizing hundreds of thousands of marks would take minutes.
    const marks = z1("a" + "\u0301\u0316".repeat(300_000));
    expect(notices(`tokens=${marks}`)).toMatchObject([{ kind: "field", field: "tokens" }]);
    // The longest possible word, decomposed: 40 characters of four code points each.
    const word = "\u1F82".repeat(40);
    expect(
      numbersOf("attention", `tokens=${encodeURIComponent(` ${word.normalize("NFD")} `)}`).tokens,
    ).toEqual([word]);
  });

  test("padding is removed once, wherever it is", () => {
    expect(fromBase64("AAAA====")).toEqual(new Uint8Array(3));
    expect(() => fromBase64(`${"=".repeat(60_000)}AAAA`)).toThrow("not base64url");
    expect(fromBase64("=".repeat(60_000))).toEqual(new Uint8Array(0));
  });

  test("a head's width that cannot be read becomes the example's if heads do not share dim", () => {
    const { config, notices } = decode("lab=multi-head&dim=7&heads=2&dk=3&dv=wide");
    validateConfig(config);
    expect(config.numbers).toMatchObject({ dim: 7, heads: 2, keyDim: 3, valueDim: 16 });
    expect(notices.map(storedNotice)).toEqual([{ kind: "field", field: "dv", given: "wide", used: "16" }]);
  });

  test("a thousand unknown fields give at most 20 notices", () => {
    const link = Array.from({ length: 1000 }, (_, at) => `f${at}=1`).join("&");
    const { notices } = decode(`lab=vit&${link}`);
    expect(notices.length).toBeLessThanOrEqual(20);
    expect(notices[0]).toMatchObject({ kind: "too-large" });
  });

  test("names of prototypes in a link change no prototype", () => {
    decode("__proto__=1&constructor=2&ex=__proto__&lab=constructor&image=__proto__&cell=__proto__,0");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(decode("ex=__proto__&lab=constructor").config).toEqual(defaults("attention"));
  });

  test("a decoded Config is a copy: changing it changes no later link", () => {
    const first = decode("ex=three-tokens").config as ConfigOf<"attention">;
    first.numbers.x![0]![0] = 99;
    first.numbers.tokens.push("more");
    expect(decode("ex=three-tokens").config).toEqual(defaultsOf("three-tokens"));
    expect((decode("ex=three-tokens").config as ConfigOf<"attention">).numbers.x![0]![0]).toBe(1.0333236);
  });
});

describe("bytes and text", () => {
  test("base64url is read back for every length", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes);
      }),
    );
    expect(toBase64(Uint8Array.of(251, 255, 191))).toBe("-_-_");
    expect(fromBase64("+/+/")).toEqual(fromBase64("-_-_"));
    expect(() => fromBase64("A")).toThrow();
    expect(() => fromBase64("A!==")).toThrow();
  });

  test("the checksum is CRC-32", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
    expect(crc32("")).toBe(0);
    expect(crc32("猫")).toBe(crc32("猫"));
  });
});

describe("the descriptions in README.md, checked without our own code", () => {
  test("z1: is raw deflate in base64url", () => {
    const text = Array.from({ length: 30 }, (_, at) => `word${at}`).join(",");
    const packed = deflateRawSync(Buffer.from(text)).toString("base64url");
    expect(numbersOf("attention", `tokens=z1:${packed}`).tokens).toEqual(text.split(","));
    const written = new URLSearchParams(
      encode(
        changed("attention", {
          tokens: ["猫".repeat(30)],
          memory: text.split(","),
          source: "words",
          x: null,
        }),
      ),
    );
    expect(inflateRawSync(Buffer.from(written.get("tokens")!.slice(3), "base64url")).toString()).toBe(
      "猫".repeat(30),
    );
    expect(inflateRawSync(Buffer.from(written.get("memory")!.slice(3), "base64url")).toString()).toBe(text);
  });

  test("b64: is height, width and little-endian doubles", () => {
    const bytes = Buffer.alloc(4 + 6 * 8);
    bytes.writeUInt16LE(2, 0);
    bytes.writeUInt16LE(3, 2);
    [1, -0, 0.1, 5e-324, -1e308, 3].forEach((value, at) => bytes.writeDoubleLE(value, 4 + 8 * at));
    expect(numbersOf("attention", `tokens=a,b&dim=3&x=b64:${bytes.toString("base64url")}`).x).toEqual([
      [1, -0, 0.1],
      [5e-324, -1e308, 3],
    ]);
  });

  test("b32: is height, width and little-endian floats", () => {
    const bytes = Buffer.alloc(8 + 6 * 4);
    bytes.writeUInt32LE(2, 0);
    bytes.writeUInt32LE(3, 4);
    const numbers = [1, -0, Math.fround(0.1), 2 ** -149, -(2 ** 127), 3];
    numbers.forEach((value, at) => bytes.writeFloatLE(value, 8 + 4 * at));
    expect(numbersOf("attention", `tokens=a,b&dim=3&x=b32:${bytes.toString("base64url")}`).x).toEqual([
      numbers.slice(0, 3),
      numbers.slice(3),
    ]);
  });

  test("numbers that 32 bits hold exactly are written as floats, and others as doubles", () => {
    const rows = Array.from({ length: 16 }, (_, row) =>
      Array.from({ length: 16 }, (_, column) => Math.fround(Math.sin(16 * row + column))),
    );
    const written = (x: number[][]): string => {
      const tokens = rows.map((_, at) => `w${at}`);
      const { config } = decode(`lab=attention&tokens=${tokens.join(",")}&dim=16`);
      return encode({ ...config, numbers: { ...config.numbers, x } } as Config);
    };
    const short = written(rows);
    expect(short).toContain("&x=b32:");
    expect(decode(short).config.numbers).toMatchObject({ x: rows });
    const [first, ...others] = rows;
    const long = written([[0.1, ...first!.slice(1)], ...others]);
    expect(long).toContain("&x=b64:");
    expect(long.length).toBeGreaterThan(short.length + 1300);
  });

  test("the checksum is the CRC-32 of the state", () => {
    const state =
      "v=1&lab=attention&ex=four-words&tokens=word_1,word_2,word_3,word_4&memory=none&dim=3&dk=3&dv=3&x=1,0,0;0,1,0;1,1,0;0,0,1" +
      "&source=values&seed=42&draw=randint&wq=none&wk=none&wv=none&scale=1&paint=none&mask=none&edit=none" +
      "&cell=none&pin=0&scales=shared&item=0&lang=none&theme=none";
    const sum = zlibCrc32(state).toString(36).padStart(7, "0");
    expect(encode(defaults("attention"))).toBe(`v=1&c&ex=four-words&c=${sum}`);
  });
});
