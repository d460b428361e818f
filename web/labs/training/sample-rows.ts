/** The picture of the samples: what the reader asks, and what the model of this step answers. */
import { textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { penOn, pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { place, type Block } from "../../stage/place.js";
import type { Say } from "./strings.js";
import { answered } from "./tensors.js";
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
 * where the tokens stand over the cells, or `alone` for each line that a question has of its own. `around`: the width of the arrow and the score.
 */
const ANSWER = { cell: 24, height: 22, least: 16, pitch: 36, named: 19, around: 80, alone: 30 };
/** The height of the heading and the note. */
const AROUND_ROWS = 78;
const NARROWEST = 14;
/** The width of the arrow behind a question that has a line of its own. */
const ARROW = 20;
const MIDDLE = { anchor: "middle" } as const;

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

const isOfWords = (tokens: readonly string[]): boolean => tokens.some((token) => [...token].length > 1);

/** The lines that a question takes for itself: none where an answer as long as the question stands on the same line. */
function linesOf({ source }: ReturnType<typeof sampleOf>, width: number): number {
  const own = source.map(cellWidth);
  if (!isOfWords(source) || 2 * sumOf(own) <= width - ANSWER.around) return 0;
  let [lines, right] = [1, 0];
  for (const one of own) {
    if (right + one > width - ARROW) [lines, right] = [lines + 1, 0];
    right += one;
  }
  return lines;
}

/** The height that the samples take with their heading and their note, of this width. */
export function samplesHeight(snapshots: Snapshots, width: number): number {
  const heights = answered(snapshots)
    .slice(0, 4)
    .map((at) => {
      const sample = sampleOf(snapshots, at);
      const named = widthsOf(sample, width).cell < ANSWER.least ? ANSWER.named : 0;
      return ANSWER.pitch + ANSWER.alone * linesOf(sample, width) + named;
    });
  return AROUND_ROWS + sumOf(heights);
}

/** The widths of the tokens of a question, and that of each token of its answer. */
function widthsOf(sample: ReturnType<typeof sampleOf>, width: number): { widths: number[]; cell: number } {
  const { source, answer } = sample;
  const room = width - ANSWER.around;
  const own = source.map(cellWidth);
  const wanted = Math.max(...answer.map(cellWidth));
  // Beside words only the cells of the answer become narrower; among digits all do.
  const together = sumOf(own) + answer.length * wanted;
  const scale = isOfWords(source) ? 1 : Math.min(1, room / together);
  const widths = own.map((one, at) => Math.max(NARROWEST, textWidth(source[at]!, 14.5) + 1, scale * one));
  const rest = linesOf(sample, width) > 0 ? room : room - sumOf(widths);
  return { widths, cell: Math.max(NARROWEST, Math.min(wanted, rest / answer.length)) };
}

/** The samples, each with the answer of this step: its fill is the probability, and a wrong token is underlined. */
export function samples(parts: Parts, { x, y, width }: { x: number; y: number; width: number }): number {
  const { snapshots, scene, say, of, layout } = parts;
  const { draw, write } = penOn(scene, 0);
  writeOn(scene, "heading", x, y + 14, say("head.samples"));
  let top = y + 28;
  for (const at of answered(snapshots).slice(0, layout === "narrow" ? 2 : 4)) {
    const sample = sampleOf(snapshots, at);
    const { source, answer, expected } = sample;
    const isAlone = linesOf(sample, width) > 0;
    const { widths, cell } = widthsOf(sample, width);
    const isWritten = cell >= ANSWER.least;
    if (!isWritten) top += ANSWER.named;
    let right = x;
    for (const [place, token] of source.entries()) {
      const own = widths[place]!;
      if (isAlone && right + own > x + width - ARROW) {
        right = x;
        top += ANSWER.alone;
      }
      draw(
        `box-${at}-${place}`,
        "activation",
        "bracket",
        rectangle(right, top, right + own - 2, top + ANSWER.height),
      );
      writeOn(scene, "heading", right + own / 2 - 1, top + 16, token, MIDDLE);
      right += own;
    }
    const arrow = right + 8;
    if (source.length > 0) write(arrow + 8, top + 16, "→", MIDDLE);
    if (isAlone) top += ANSWER.alone;
    const left = source.length > 0 && !isAlone ? arrow + 28 : x;
    const block = { ...of(`asked_${at}.certainty`), at: [null], rows: 1, columns: answer.length };
    place(scene, block, left, top, cell, ANSWER.height, {
      [isWritten ? "cellNames" : "columnNames"]: answer,
    });
    // A place at which nothing is asked has no token.
    const places = answer.flatMap((_, place) => (expected[place] === "" ? [] : [place]));
    const wrong = expected.length === 0 ? [] : places.filter((place) => answer[place] !== expected[place]);
    const asked = expected.filter((token) => token !== "").length;
    for (const place of wrong)
      draw(
        `wrong-${at}-${place}`,
        "output",
        "line",
        pointsFrom(
          left + place * cell + 5,
          top + ANSWER.height + 5,
          left + (place + 1) * cell - 5,
          top + ANSWER.height + 5,
        ),
        { strong: true },
      );
    if (expected.length > 0)
      writeOn(
        scene,
        wrong.length === 0 && places.length === asked ? "match" : "caption",
        left + answer.length * cell + 12,
        top + 16,
        say("score.of", { right: places.length - wrong.length, all: asked }),
      );
    top += ANSWER.pitch;
  }
  write(x, top + 4, say("note.samples"));
  return top + 10;
}
