// The link inside a picture: written into PNG and SVG, read back, and searched for in any bytes without
// throwing.
import fc from "fast-check";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { crc32, encodePng, isPng, PNG_KEYWORD, readPngText, withPngText } from "../../web/files/png.js";
import { MOST_BYTES, recognizeFile } from "../../web/files/saved-link.js";
import { escapeXml, writeSvg } from "../../web/files/svg.js";
import { stagePicture, tensorPicture } from "../../web/marks/picture.js";
import type { Scene } from "../../web/marks/scene.js";
import type { PictureShapes } from "../../web/marks/shapes.js";
import type { NodeWords } from "../../web/marks/wording.js";
import { wordsIn } from "../../web/i18n/words.js";
import { fourWords, fourWordsScene, names } from "../browser/fixtures/four-words.js";
import { boxesOf } from "./labs-geometry.js";
import { palette } from "./tokens.js";

const state = "v=1&lab=attention&words=%E4%BD%A0,a&c=0abc";
const link = `https://example.org/a/#${state}`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const pixels = Uint8Array.from({ length: 18 }, (_, at) => at * 7);

/** The types and data of the chunks; checks each checksum. */
function chunks(png: Uint8Array): { kind: string; data: Uint8Array }[] {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const found = [];
  for (let at = 8; at < png.length;) {
    const length = view.getUint32(at);
    const kind = String.fromCharCode(...png.subarray(at + 4, at + 8));
    expect(view.getUint32(at + 8 + length), kind).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    found.push({ kind, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return found;
}

describe("PNG", () => {
  const png = encodePng(pixels, 3, 2);

  test("the checksum is the standard's: its check value, and that of IEND", () => {
    expect(crc32(bytes("123456789"))).toBe(0xcbf43926);
    expect(crc32(bytes("IEND"))).toBe(0xae426082);
  });

  test("holds the pixels row by row", () => {
    expect(isPng(png)).toBe(true);
    const parts = chunks(png);
    expect(parts.map(({ kind }) => kind)).toEqual(["IHDR", "IDAT", "IEND"]);
    expect([...parts[0]!.data]).toEqual([0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
    expect([...inflateSync(parts[1]!.data)]).toEqual([0, ...pixels.subarray(0, 9), 0, ...pixels.subarray(9)]);
  });

  test("stores a text in any script after its header and reads it back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const saved = withPngText(png, text);
        const [, second] = chunks(saved);
        expect(second!.kind).toBe("iTXt");
        expect(String.fromCharCode(...second!.data.subarray(0, 21))).toBe(`${PNG_KEYWORD}\0`);
        expect(readPngText(saved)).toBe(text);
      }),
    );
    expect(() => withPngText(bytes("GIF89a"), "x")).toThrow("withPngText: expected a PNG file");
  });

  test("a tEXt chunk written by another program is read too; other keywords and compressed texts are not", () => {
    const chunk = (kind: string, data: Uint8Array): Uint8Array => {
      const made = new Uint8Array(data.length + 12);
      const view = new DataView(made.buffer);
      view.setUint32(0, data.length);
      made.set(bytes(kind), 4);
      made.set(data, 8);
      view.setUint32(8 + data.length, crc32(made.subarray(4, 8 + data.length)));
      return made;
    };
    const withChunk = (kind: string, text: string): Uint8Array =>
      Uint8Array.from([...png.subarray(0, 33), ...chunk(kind, bytes(text)), ...png.subarray(33)]);
    expect(readPngText(withChunk("tEXt", `${PNG_KEYWORD}\0${link}`))).toBe(link);
    expect(readPngText(withChunk("tEXt", `Title\0${link}`))).toBeNull();
    expect(readPngText(withChunk("iTXt", `${PNG_KEYWORD}\0\x01\0\0\0${link}`))).toBeNull();
    expect(readPngText(withChunk("iTXt", `${PNG_KEYWORD}\0\0\0no end`))).toBeNull();
    expect(readPngText(withChunk("tEXt", `${PNG_KEYWORD}\0${"x".repeat(2 ** 20)}`))).toBeNull();
  });

  test("a file that is cut or changed anywhere is read without an error", () => {
    const saved = withPngText(png, link);
    for (let length = 0; length < saved.length; length++) readPngText(saved.subarray(0, length));
    fc.assert(
      fc.property(fc.nat(saved.length - 1), fc.nat(255), (at, value) => {
        const changed = saved.slice();
        changed[at] = value;
        recognizeFile(changed);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("SVG", () => {
  const words = wordsIn("en");
  const snapshots = fourWords();
  const options = {
    words,
    palette: palette("light"),
    scales: "shared",
    title: "Attention & more",
    target: null,
  } as const;
  const stage = stagePicture(fourWordsScene(1232), snapshots, options);
  const svg = writeSvg(stage, link, options.palette);

  test("contains its link, which is read back", () => {
    expect(svg).toContain(`<metadata>${escapeXml(link)}</metadata>`);
    expect(svg).toContain("<title>Attention &amp; more</title>");
    expect(recognizeFile(bytes(svg))).toEqual({ kind: "state", hash: state });
  });

  test("every number on the stage is text in it", () => {
    const texts = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);
    for (const number of ["0.75", "5.77", "14", "7e\u22124"]) expect(texts, number).toContain(number);
    expect(texts.filter((text) => text === "word 3").length).toBeGreaterThan(0);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test("cells have a background, so that nothing shows between them", () => {
    const groups = [
      ...svg.matchAll(/<g><rect x="[^"]+" y="[^"]+" width="([^"]+)" height="([^"]+)" fill="([^"]+)"/g),
    ];
    expect(groups.length).toBe(fourWordsScene(1232).tensors.length);
    for (const [, , , fill] of groups) expect(fill).toBe(stage.paper);
  });

  test("the picture is as large as what is drawn: room for a note is left out, and nothing is cut off", () => {
    const scene = fourWordsScene(1232);
    const wider = stagePicture({ ...scene, width: 1900, height: 1500 }, snapshots, options);
    expect(wider.width).toBeLessThan(1320);
    expect(wider.height).toBeLessThan(scene.height + 80);
    for (const { right, bottom } of boxesOf(scene, snapshots)) {
      expect(right + 24).toBeLessThanOrEqual(wider.width);
      expect(bottom + 24).toBeLessThanOrEqual(wider.height);
    }
    const labelled: Scene = {
      ...scene,
      width: 1900,
      labels: [{ x: 1500, y: 40, text: "far away", kind: "heading" }],
      curves: [
        {
          id: "c",
          points: [
            [20, 900],
            [1700, 20],
          ],
          role: "output",
          kind: "line",
          dots: "large",
          over: true,
          step: 0,
        },
      ],
    };
    const larger = stagePicture({ ...labelled, height: 1500 }, snapshots, options);
    expect(larger.width).toBeGreaterThanOrEqual(1700 + 48);
    expect(larger.height).toBeGreaterThanOrEqual(900 + 48);
    const text = writeSvg(larger, link, options.palette);
    // A line over the matrices has a light outline, and comes after their brackets.
    expect(text.indexOf("M20 900")).toBeGreaterThan(text.lastIndexOf('stroke-width="1.5"'));
    expect(text.split("M20 900").length).toBe(3);
  });

  test("a single tensor has larger cells, its names and its scale", () => {
    const nodeWords: NodeWords = {
      symbol: fourWordsScene(1232).tensors.find(({ id }) => id === "weights")!.symbol,
      role: "attention",
      name: "weights",
      single: "weight",
      axes: [names, names],
      meaning: () => "",
    };
    const card = tensorPicture(fourWordsScene(1232), snapshots, "weights", () => nodeWords, options)!;
    const text = writeSvg(card, link, options.palette);
    expect(text).toContain(">0.749<");
    expect(text).toContain("word 3");
    expect(text).toContain("linearGradient");
    expect(card.width).toBeLessThan(400);
    expect(tensorPicture(fourWordsScene(1232), snapshots, "none", () => nodeWords, options)).toBeNull();
  });

  test("texts and links cannot end an element", () => {
    const hostile = `"></text><script>alert(1)</script>&\u0000\uD800\uFFFF`;
    const picture: PictureShapes = { ...stage, title: hostile, shapes: [] };
    const text = writeSvg(picture, `${link}${hostile}`, options.palette);
    expect(text).not.toContain("<script>");
    for (const unwritable of ["\0", "\uD800", "\uFFFF"]) expect(text).not.toContain(unwritable);
    expect(escapeXml(hostile)).toBe("&quot;&gt;&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;");
    expect(recognizeFile(bytes(text))).toEqual({ kind: "state", hash: state });
  });
});

describe("the kind of a file", () => {
  test.each<[string, Uint8Array, unknown]>([
    ["NumPy's array", Uint8Array.from([0x93, ...bytes("NUMPY\x01\0")]), { kind: "npy" }],
    ["a PNG without a link", encodePng(pixels, 3, 2), { kind: "image" }],
    ["a PNG with another text", withPngText(encodePng(pixels, 3, 2), "hello"), { kind: "image" }],
    ["a PNG with a link", withPngText(encodePng(pixels, 3, 2), link), { kind: "state", hash: state }],
    ["a JPEG", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), { kind: "image" }],
    ["a WebP", bytes("RIFF\x04\x01\x01\x01WEBPVP8 "), { kind: "image" }],
    ["an SVG without a link", bytes("<svg xmlns=''><metadata>nothing</metadata></svg>"), { kind: "image" }],
    ["an SVG cut in its metadata", bytes(`<svg><metadata>${link}`), { kind: "image" }],
    ["JSON with a link", bytes(`{"link": "${link}"}`), { kind: "state", hash: state }],
    ["JSON that is none", bytes(`{"link": "${link}"`), { kind: "text", text: `{"link": "${link}"` }],
    ["JSON with another link", bytes(`{"link": 3}`), { kind: "text", text: '{"link": 3}' }],
    ["a CSV with a link", bytes(`# ${link}\n1,2\n`), { kind: "state", hash: state }],
    ["a CSV with a link further down", bytes(`1,2\n# ${link}\n`), { kind: "text", text: `1,2\n# ${link}\n` }],
    ["bytes of nothing known", Uint8Array.of(1, 0, 2), { kind: "other" }],
    ["nothing", new Uint8Array(0), { kind: "text", text: "" }],
  ])("%s", (_, given, kind) => expect(recognizeFile(given)).toEqual(kind));

  test("only the state of a link is used, not its host", () => {
    expect(recognizeFile(bytes(`{"link": "javascript:alert(1)#v=1&lab=vit"}`))).toEqual({
      kind: "state",
      hash: "v=1&lab=vit",
    });
  });

  test("a file is searched only up to the limit", () => {
    const large = new Uint8Array(MOST_BYTES + 1).fill(32);
    expect(recognizeFile(large)).toEqual({ kind: "other" });
  });

  test("no bytes throw", () => {
    const starts = [
      [],
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
      [...bytes("<svg ")],
      [...bytes('{"')],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        expect(recognizeFile(Uint8Array.from([...start, ...rest]))).toHaveProperty("kind");
      }),
      { numRuns: 1000 },
    );
    expect(recognizeFile(bytes(`{"a":${"[".repeat(200_000)}`)).kind).toBe("text");
  });
});
