// A film of Play: how long its pictures last, what each of them shows, and that nothing is cut; its GIF file and the link in it.
import { describe, expect, test } from "vitest";
import type { Config, LabId } from "../../web/config/config.js";
import { examples } from "../../web/examples/index.js";
import { readGifText, withGifText } from "../../web/files/gif-text.js";
import { GifColours, GifWriter } from "../../web/files/gif.js";
import { recognizeFile } from "../../web/files/saved-link.js";
import { wordsIn } from "../../web/i18n/words.js";
import { textWidth } from "../../web/marks/measure.js";
import { boardsOf } from "../../web/marks/board.js";
import type { Snapshot, Snapshots } from "../../web/marks/scene.js";
import type { Shape } from "../../web/marks/shapes.js";
import { momentsOf, stepsToFilm } from "../../web/page/film/moments.js";
import { FilmPictures, type FilmStop } from "../../web/page/film/pictures.js";
import { filmStops } from "../../web/page/film/plan.js";
import { tensorBox } from "./labs-geometry.js";
import { configOf, finished, labOf, sessionOf } from "./labs-sessions.js";
import { palette as paletteOf } from "./tokens.js";

const palette = paletteOf("light");
const link = "https://example.org/#v=1&lab=attention&ex=four-words";

const total = (lasting: readonly { lasts: number }[]): number =>
  lasting.reduce((sum, { lasts }) => sum + lasts, 0);

describe("the moments of a film", () => {
  test.each([1, 2, 5, 8, 12, 40])("%i stops last ten seconds, in hundredths of a second", (count) => {
    const moments = momentsOf(Array.from({ length: count }, (_, at) => (at % 2 ? 1300 : 0)));
    expect(total(moments)).toBe(10_000);
    for (const { lasts } of moments) {
      expect(lasts).toBeGreaterThan(0);
      expect(lasts % 10).toBe(0);
    }
    expect(moments.map(({ stop }) => stop)).toEqual(moments.map(({ stop }) => stop).sort((a, b) => a - b));
    expect(new Set(moments.map(({ stop }) => stop)).size).toBe(count);
  });

  test("at a stop numbers travel, then the result is swept, then all rests", () => {
    const moments = momentsOf([1300, 1300, 1300, 1300]).filter(({ stop }) => stop === 1);
    const [first] = moments;
    const last = moments.pop()!;
    expect(first).toMatchObject({ travel: 0, swept: 0 });
    expect(last).toMatchObject({ travel: null, swept: 1 });
    expect(last.lasts).toBeGreaterThan(500);
    const travelling = moments.filter(({ travel }) => travel! > 0 && travel! < 1300);
    expect(travelling.length).toBeGreaterThan(5);
    for (const { swept } of travelling) expect(swept).toBe(0);
    const swept = moments.map((moment) => moment.swept);
    expect(swept).toEqual([...swept].sort((a, b) => a - b));
    expect(swept.some((share) => share > 0 && share < 1)).toBe(true);
  });

  test("where nothing moves a stop is one picture, and the last one stays longest", () => {
    const moments = momentsOf(Array<null>(60).fill(null));
    expect(moments).toHaveLength(60);
    expect(total(moments)).toBe(10_000);
    expect(Math.max(...moments.map(({ lasts }) => lasts))).toBe(moments.at(-1)!.lasts);
  });

  test("of many steps of learning some are shown, the first and the last among them", () => {
    expect(stepsToFilm(3, 60)).toEqual([0, 1, 2, 3]);
    const steps = stepsToFilm(299, 60);
    expect([steps[0], steps.at(-1), steps.length]).toEqual([0, 299, 60]);
    expect(stepsToFilm(0, 60)).toEqual([0]);
  });
});

/** The pictures of the film of a Config, and its stops; `known` holds the numbers of its steps of learning, which no language changes. */
async function filmOf(
  config: Config,
  language: "en" | "zh-CN",
  known = new Map<string, readonly Snapshot[]>(),
): Promise<{ pictures: FilmPictures; stops: FilmStop[] }> {
  const words = wordsIn(language);
  // The second session goes on training from step to step, as that of the page does.
  const [session, separate] = [sessionOf(config), sessionOf(config)];
  const { snapshots: all } = session.compute(config);
  const snapshots: Snapshots = new Map(all.map((snapshot) => [snapshot.name, snapshot]));
  const cell = labOf(config as never).opening(config as never, snapshots);
  const stops = await filmStops(
    {
      config,
      snapshots,
      words,
      cell,
      picture: null,
      explain: (node, index) => Promise.resolve(session.explain(node, index)),
      computeSeparately(other) {
        const id = JSON.stringify(other.numbers);
        if (!known.has(id)) known.set(id, finished(separate, other as never).snapshots);
        return Promise.resolve(known.get(id)!);
      },
    },
    new AbortController().signal,
  );
  const text = { title: labOf(config as never).title(config as never, words), address: link, words };
  const pictures = new FilmPictures(stops, text, "shared", palette);
  for (const stop of stops) pictures.add(stop);
  session.delete();
  separate.delete();
  return { pictures, stops };
}

/** The extents of texts and rectangles, with their places. */
function extents(shapes: readonly Shape[], right = 0, down = 0): { name: string; box: number[] }[] {
  return shapes.flatMap((shape) => {
    if (shape.kind === "moved") return extents(shape.shapes, right + shape.right, down + shape.down);
    if (shape.kind === "rect") {
      const { x, y, width, height } = shape;
      return [{ name: "a rectangle", box: [right + x, down + y, right + x + width, down + y + height] }];
    }
    if (shape.kind !== "text" || shape.turn) return [];
    const text = shape.parts.map((part) => part.text).join("");
    // Of most letters the estimate is larger than the width.
    const width =
      0.9 * shape.parts.reduce((sum, part) => sum + textWidth(part.text, shape.size * part.scale), 0);
    const left =
      right + shape.x - (shape.anchor === "end" ? width : shape.anchor === "middle" ? width / 2 : 0);
    return [{ name: text, box: [left, down + shape.y - shape.size, left + width, down + shape.y] }];
  });
}

const first = examples.map(({ id }) => id);

test.each(first)("nothing of the film of %s is cut, and the arithmetic covers no tensor", async (id) => {
  const known = new Map<string, readonly Snapshot[]>();
  for (const language of ["en", "zh-CN"] as const) {
    const { pictures, stops } = await filmOf(configOf<LabId>(id) as unknown as Config, language, known);
    const moments = momentsOf(pictures.travels);
    expect(total(moments)).toBe(10_000);
    // Of sixty steps of learning, three.
    const isLooked = (stop: number): boolean => stops[stop]!.told !== null || stop % 29 === 0;
    for (const moment of moments.filter(({ travel, stop }) => travel === null && isLooked(stop))) {
      const front = pictures.front(moment);
      const { shapes } = pictures.background(moment).picture();
      for (const { name, box } of extents([...shapes, ...front])) {
        const [left, top, right, bottom] = box as [number, number, number, number];
        const where = `${name} at ${left.toFixed()} ${top.toFixed()} ${right.toFixed()} ${bottom.toFixed()}`;
        expect(left >= -1 && top >= 0, where).toBe(true);
        expect(right <= pictures.width + 1 && bottom <= pictures.height, where).toBe(true);
      }
      const { scene, snapshots } = stops[moment.stop]!;
      const card = front.find((shape) => shape.kind === "rect");
      if (card?.kind !== "rect" || !scene.note || scene.note.follows) continue;
      for (const tensor of scene.tensors) {
        const { top, left, right } = tensorBox(tensor, snapshots);
        const isBelow = tensor.y > scene.note.y && left < scene.note.x + card.width && right > scene.note.x;
        if (isBelow) expect(scene.note.y + card.height - 1, tensor.id).toBeLessThanOrEqual(top + 8);
      }
    }
  }
});

test("a tensor is drawn from its own stop on, row by row, and its number comes from the operands", async () => {
  const { pictures, stops } = await filmOf(configOf<"attention">("four-words") as unknown as Config, "en");
  const moments = momentsOf(pictures.travels);
  const scores = stops.findIndex(({ told }) => told!.cell.node === "scores");
  expect(stops[scores]!.heading).toBe("3 · Compare");
  const drawnAt = (moment: (typeof moments)[number]): { shown: number; rows: number; columns: number }[] => {
    const all: { shown: number; rows: number; columns: number }[] = [];
    const visit = (shapes: readonly Shape[]): void =>
      shapes.forEach((shape) => {
        if (shape.kind === "moved") visit(shape.shapes);
        if (shape.kind === "matrix") all.push(shape.drawing);
      });
    visit(pictures.background(moment).picture().shapes);
    return all;
  };
  const of = (stop: number) => moments.filter((moment) => moment.stop === stop);
  const all = boardsOf(stops[scores]!.scene, stops[scores]!.snapshots).length;
  const counts = stops.map((_, stop) => drawnAt(of(stop).at(-1)!).length);
  expect(counts).toEqual([...counts].sort((a, b) => a - b));
  expect([counts[scores]! < all, counts.at(-1)]).toEqual([true, all]);
  const shown = of(scores).map((moment) =>
    Math.min(...drawnAt(moment).map(({ shown: count, rows, columns }) => Math.min(count, rows * columns))),
  );
  expect(shown[0]).toBe(0);
  expect(shown.some((count) => count > 0 && count < 9)).toBe(true);
  // In the middle of the travel six copies are on their way: of a query and of a key.
  const texts = (moment: (typeof moments)[number]): string[] =>
    extents(pictures.front(moment)).map(({ name }) => name);
  const before = of(scores)[0]!;
  const waiting = texts(before);
  const atRest = texts(of(scores).at(-1)!);
  expect(waiting).toContain("scores[0, 2]");
  expect(waiting.filter((text) => text === "2")).toHaveLength(3);
  expect(waiting).not.toContain("10");
  expect(atRest).toContain("10");
});

test("a film of learning shows the steps, each with its own numbers", async () => {
  const { pictures, stops } = await filmOf(
    configOf<"optimizers">("five-on-a-bowl") as unknown as Config,
    "en",
  );
  expect(stops).toHaveLength(60);
  expect([stops[0]!.heading, stops.at(-1)!.heading]).toEqual(["step 0 / 59", "step 59 / 59"]);
  expect(pictures.travels.every((travel) => travel === null)).toBe(true);
  expect(stops[59]!.snapshots.get("theta")?.data).not.toEqual(stops[0]!.snapshots.get("theta")?.data);
});

/** A picture of 8×4 pixels, black on white, with one pixel of a colour. */
function picture(colour: number, at = 5): Uint8ClampedArray {
  const pixels = new Uint32Array(32).fill(0xffffffff);
  pixels[0] = 0xff000000;
  pixels[at] = colour;
  return new Uint8ClampedArray(pixels.buffer);
}

function gifOf(pictures: readonly Uint8ClampedArray[]): Uint8Array {
  const colours = new GifColours();
  for (const pixels of pictures) colours.add(pixels);
  const gif = new GifWriter(8, 4, colours.choose());
  for (const pixels of pictures) gif.add(pixels, 80);
  return gif.finish();
}

/** The delays of the pictures of a GIF file, in hundredths of a second. */
const delaysIn = (gif: Uint8Array): number[] =>
  [...gif.keys()].flatMap((at) =>
    gif[at] === 0x21 && gif[at + 1] === 0xf9 && gif[at + 2] === 4 ? [gif[at + 4]! + 256 * gif[at + 5]!] : [],
  );

describe("a GIF file", () => {
  test("a picture equal to the one before makes it last longer", () => {
    const [red, blue] = [picture(0xff0000ff), picture(0xffff0000)];
    expect(delaysIn(gifOf([red, blue, red]))).toEqual([8, 8, 8]);
    expect(delaysIn(gifOf([red, red, blue]))).toEqual([16, 8]);
  });

  test("the most frequent colours are kept exactly, however many there are", () => {
    const colours = new GifColours();
    colours.add(picture(0xff123456));
    for (let at = 0; at < 3000; at++) colours.add(picture((0xff000000 + 5003 * at) >>> 0));
    const chosen = colours.choose();
    expect(chosen).toHaveLength(255);
    expect(chosen.slice(0, 2).map((colour) => colour.slice(0, 3))).toEqual([
      [255, 255, 255],
      [0, 0, 0],
    ]);
  });

  test.each([link, `${link}&words=猫 café`, `${link}&text=${"x".repeat(5000)}`])(
    "holds a link: %s",
    (text) => {
      const gif = gifOf([picture(0xff0000ff), picture(0xffff0000)]);
      const saved = withGifText(gif, text);
      expect(readGifText(saved)).toBe(text);
      expect(delaysIn(saved)).toEqual(delaysIn(gif));
      expect(recognizeFile(saved)).toEqual({ kind: "state", hash: text.split("#")[1]!.split(" ")[0] });
    },
  );

  test("a file that another program made, or that is cut, has no link; no bytes throw", () => {
    const gif = gifOf([picture(0xff0000ff)]);
    expect(recognizeFile(gif)).toEqual({ kind: "image" });
    expect(recognizeFile(withGifText(gif, "made elsewhere"))).toEqual({ kind: "image" });
    expect(readGifText(withGifText(withGifText(gif, "made elsewhere"), link))).toBe(
      `made elsewhere\n${link}`,
    );
    const saved = withGifText(gif, link);
    for (let length = 0; length < saved.length - 1; length++)
      expect(recognizeFile(saved.subarray(0, length)).kind, String(length)).not.toBe("state");
    expect(() => withGifText(Uint8Array.of(1, 2), "x")).toThrow("withGifText: expected a GIF file");
  });
});
