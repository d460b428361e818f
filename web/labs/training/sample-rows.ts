/** The picture of the samples: what the reader asks, and what the model of this step answers. */
import { textWidth } from "../../marks/measure.js";
import type { Opener, Room, Scene, Snapshots } from "../../marks/scene.js";
import { penOn, pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { BRACKET, place, type Block } from "../../stage/place.js";
import type { Say } from "./strings.js";
import { answered, hasImages } from "./tensors.js";
import { tokensOf } from "./tokens.js";

/** What the rows are drawn from. */
interface Parts {
  snapshots: Snapshots;
  scene: Scene;
  layout: Room["layout"];
  say: Say;
  of: (node: string) => Block;
}

/**
 * A sample and its answer. `least`: the narrowest cell that a token is written on. `pitch`: from one sample to the next, and `named` more
 * where the tokens stand over the cells, or `alone` for each line that a question has of its own. `arrow` and `score`: the width that they take.
 */
const ANSWER = { cell: 24, height: 22, least: 16, pitch: 36, named: 19, arrow: 36, score: 44, alone: 30 };
/** The link under the note, which opens the setting of the samples. 24 pixels are the least width and height of what can be pressed. */
const LINK = { size: 12.5, height: 24 };
/** How far the area that takes a press reaches above and below the boxes of a question. */
const AROUND_BOXES = 3;
/** The height of the heading, the note and the link. */
const AROUND_ROWS = 78 + LINK.height;
const NARROWEST = 14;
/** The narrowest cell with a narrow token over it. */
const NARROWEST_NAMED = 12;
/** The width of the arrow behind a question that has a line of its own. */
const ARROW = 20;
const MIDDLE = { anchor: "middle" } as const;

/** The width of a pixel of an image, of the probability beside it, and of the gap between them; from one image to the next, down and across. */
const IMAGE = { pixel: 4, probability: 52, gap: 14, pitch: 76, across: 300 };

/** The images that stand side by side in a width. */
const imagesAcross = (width: number): number => Math.max(1, Math.floor(width / IMAGE.across));

/** The width that a token of a sample wants. */
const cellWidth = (token: string): number => Math.max(ANSWER.cell, textWidth(token, 14.5) + 8);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** The parts of a sample: what it asks, what the model answers, and what is right. */
function sampleOf(
  snapshots: Snapshots,
  at: number,
): { source: string[]; answer: string[]; expected: string[] } {
  const tokens = (part: string): string[] => tokensOf(snapshots, `asked_${at}.${part}`);
  return {
    source: [...tokens("source"), ...tokens("start")],
    answer: tokens("answer"),
    expected: tokens("expected"),
  };
}

/** Where a sample stands in a width. */
interface Layout {
  /** The tokens of the question: their left edges, their widths and their lines. */
  tokens: readonly { left: number; width: number; line: number }[];
  /** The right edge of the last of them. */
  right: number;
  /** The lines that the question takes for itself: none where an answer as long as the question stands on the same line. */
  lines: number;
  /** The width of each token of the answer. */
  cell: number;
  /** The first token of each line of the answer, and their number. */
  answered: readonly { first: number; count: number }[];
}

function layoutOf({ source, answer, expected }: ReturnType<typeof sampleOf>, width: number): Layout {
  // Without a right answer there is no score behind the answer.
  const behind = expected.length > 0 ? ANSWER.score : 0;
  const room = width - ANSWER.arrow - behind;
  const own = source.map(cellWidth);
  const wanted = Math.max(...answer.map(cellWidth));
  const isOfWords = source.some((token) => [...token].length > 1);
  const widestName = Math.max(...answer.map((token) => textWidth(token))) + 2;
  const least = Math.min(NARROWEST, Math.max(NARROWEST_NAMED, widestName));
  const isLong = sumOf(own) + least * answer.length > room;
  const isTooLong = NARROWEST * source.length + least * answer.length > room;
  const isAlone = isOfWords ? 2 * sumOf(own) > room : isLong && (source.length < answer.length || isTooLong);
  // Beside words only the cells of the answer become narrower; among digits all do.
  const scale = isOfWords || isAlone ? 1 : Math.min(1, room / (sumOf(own) + answer.length * wanted));
  const widths = own.map((one, at) => Math.max(NARROWEST, textWidth(source[at]!, 14.5) + 1, scale * one));
  let [line, right] = [0, 0];
  const tokens = widths.map((one) => {
    if (isAlone && right + one > width - ARROW) [line, right] = [line + 1, 0];
    right += one;
    return { left: right - one, width: one, line };
  });
  const rest = isAlone ? width - behind - BRACKET : room - right;
  const inLine = Math.min(answer.length, Math.max(1, Math.floor(rest / least)));
  const cell = Math.max(least, Math.min(wanted, rest / inLine));
  const answered = Array.from({ length: Math.ceil(answer.length / inLine) }, (_, at) => ({
    first: at * inLine,
    count: Math.min(inLine, answer.length - at * inLine),
  }));
  return { tokens, right, lines: isAlone ? line + 1 : 0, cell, answered };
}

/** The height of the names over an answer, where its cells are too narrow for them. */
const namedHeight = ({ cell }: Layout): number => (cell < ANSWER.least ? ANSWER.named : 0);

/** The height that the samples take with their heading and their note, of this width. */
export function samplesHeight(snapshots: Snapshots, width: number): number {
  const asked = answered(snapshots).slice(0, 4);
  if (hasImages(snapshots)) return AROUND_ROWS + IMAGE.pitch * Math.ceil(asked.length / imagesAcross(width));
  const heights = asked.map((at) => {
    const found = layoutOf(sampleOf(snapshots, at), width);
    return ANSWER.alone * found.lines + found.answered.length * (ANSWER.pitch + namedHeight(found));
  });
  return AROUND_ROWS + sumOf(heights);
}

/** An image, and the class that the model answers with its probability; a wrong one is underlined, and the right one stands below. */
function imageRow({ snapshots, scene, say, of }: Parts, at: number, x: number, top: number): void {
  const { answer, expected } = sampleOf(snapshots, at);
  const { draw, write } = penOn(scene, 0);
  const image = { ...of("source"), at: [at, 0, null, null] };
  const [rows = 1, columns = 1] = snapshots.get("source")!.shape.slice(-2);
  place(scene, { ...image, rows, columns }, x, top, IMAGE.pixel, IMAGE.pixel, { id: `image-${at}` });
  const left = x + columns * IMAGE.pixel + IMAGE.gap;
  const middle = top + (rows * IMAGE.pixel - ANSWER.height) / 2 - 6;
  const certainty = { ...of(`asked_${at}.certainty`), at: [null], rows: 1, columns: 1 };
  place(scene, certainty, left, middle, IMAGE.probability, ANSWER.height, {});
  const [name = "", right = name] = [answer[0], expected[0]];
  const text = left + IMAGE.probability + IMAGE.gap;
  const isWrong = name !== right;
  writeOn(scene, isWrong ? "caption" : "match", text, middle + 16, name);
  if (!isWrong) return;
  const under = middle + ANSWER.height + 1;
  draw(`wrong-${at}`, "output", "line", pointsFrom(text, under, text + textWidth(name), under), {
    strong: true,
  });
  write(text, under + 18, say("sample.right", { name: right }));
}

/** The samples, each with the answer of this step: its fill is the probability, and a wrong token is underlined. */
export function samples(parts: Parts, { x, y, width }: { x: number; y: number; width: number }): number {
  const { snapshots, scene, say, of, layout } = parts;
  const { draw, write } = penOn(scene, 0);
  writeOn(scene, "heading", x, y + 14, say("head.samples"));
  let top = y + 28;
  const openers: Opener[] = [];
  const change = say("samples.change");
  const asked = answered(snapshots).slice(0, layout === "narrow" ? 2 : 4);
  const images = hasImages(snapshots) ? asked : [];
  const across = imagesAcross(width);
  for (const [nth, at] of images.entries())
    imageRow(parts, at, x + (nth % across) * IMAGE.across, top + Math.floor(nth / across) * IMAGE.pitch);
  top += Math.ceil(images.length / across) * IMAGE.pitch;
  for (const at of asked.slice(images.length)) {
    const sample = sampleOf(snapshots, at);
    const { source, answer, expected } = sample;
    const found = layoutOf(sample, width);
    const { tokens, right, lines, cell } = found;
    const named = namedHeight(found);
    // The names of the answer stand over it: over the question too where both are on one line.
    if (lines === 0) top += named;
    for (const [place, token] of tokens.entries()) {
      const tokenTop = top + token.line * ANSWER.alone;
      const tokenLeft = x + token.left;
      const box = rectangle(tokenLeft, tokenTop, tokenLeft + token.width - 2, tokenTop + ANSWER.height);
      draw(`box-${at}-${place}`, "activation", "bracket", box);
      writeOn(scene, "heading", tokenLeft + token.width / 2 - 1, tokenTop + 16, source[place]!, MIDDLE);
    }
    if (tokens.length > 0) {
      const end = Math.max(...tokens.map((token) => token.left + token.width));
      const high = Math.max(0, lines - 1) * ANSWER.alone + ANSWER.height;
      const [wide, tall] = [Math.max(LINK.height, end - 2), high + 2 * AROUND_BOXES];
      const area = { x, y: top - AROUND_BOXES, width: wide, height: tall };
      openers.push({ id: `sample-${at}`, control: "samples", text: change, isArea: true, ...area });
    }
    const arrow = x + right + 8;
    const lastLine = top + Math.max(0, lines - 1) * ANSWER.alone;
    if (source.length > 0) write(arrow + 8, lastLine + 16, "→", MIDDLE);
    if (lines > 0) top += lines * ANSWER.alone + named;
    const left = source.length > 0 && lines === 0 ? arrow + 28 : x;
    // A place at which nothing is asked has no token.
    const places = answer.flatMap((_, place) => (expected[place] === "" ? [] : [place]));
    const wrong = expected.length === 0 ? [] : places.filter((place) => answer[place] !== expected[place]);
    const asked = expected.filter((token) => token !== "").length;
    const inset = Math.min(5, cell / 4);
    const node = `asked_${at}.certainty`;
    for (const [line, { first, count }] of found.answered.entries()) {
      if (line > 0) top += ANSWER.pitch + named;
      const block = { ...of(node), at: [null], rows: 1, columns: count, window: { first, count } };
      place(scene, block, left, top, cell, ANSWER.height, {
        id: line === 0 ? node : `${node}.${line}`,
        [named > 0 ? "columnNames" : "cellNames"]: answer.slice(first, first + count),
      });
      for (const place of wrong.filter((one) => one >= first && one < first + count)) {
        const [from, under] = [left + (place - first) * cell, top + ANSWER.height + 5];
        const mark = pointsFrom(from + inset, under, from + cell - inset, under);
        draw(`wrong-${at}-${place}`, "output", "line", mark, { strong: true });
      }
    }
    if (expected.length > 0)
      writeOn(
        scene,
        wrong.length === 0 && places.length === asked ? "match" : "caption",
        left + (found.answered.at(-1)?.count ?? 0) * cell + 12,
        top + 16,
        say("score.of", { right: places.length - wrong.length, all: asked }),
      );
    top += ANSWER.pitch;
  }
  const hasRight = snapshots.has("asked_0.expected");
  write(x, top + 4, say(hasRight ? "note.samples" : "note.samples.free"));
  const link = { x, y: top + 10, width: textWidth(change, LINK.size) + 4, height: LINK.height };
  openers.push({ id: "samples", control: "samples", text: change, ...link });
  scene.openers = [...(scene.openers ?? []), ...openers];
  return top + 10 + LINK.height;
}
