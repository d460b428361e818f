/** The picture of the next token: which tokens may follow at one place of an answer, and what the key-value cache saves there. */
import type { ConfigOf } from "../../config/config.js";
import { cutTo, textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots, TargetRoom } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../../stage/arrangement.js";
import { penOn, rectangle, writeOn } from "../../stage/pen.js";
import { place, type Block } from "../../stage/place.js";
import { valuesOf } from "../../stage/series.js";
import type { Say } from "./strings.js";
import { answered } from "./tensors.js";
import { textsOf, vocabularyOf } from "./tokens.js";
import { cachedRows, DIFFERENCE, writesAnswer } from "./writing.js";

interface Parts {
  config: ConfigOf<"training">;
  snapshots: Snapshots;
  scene: Scene;
  say: Say;
  of: (node: string) => Block;
}

/** The tokens that are listed; the widest and the narrowest place of a bar, the width of a number, and what is `around` a token beside these. */
const LISTED = { count: 5, line: 20, bar: 110, leastBar: 24, width: 52, around: 34 };
const HEADING = 24;
const LINE = 18;
const MIDDLE = { anchor: "middle" } as const;
/** From the list to the cache beside it. */
const BESIDE = 40;
/** The narrowest place beside the list for the cache. */
const CACHE_WIDTH = 150;

/** The sample, the place of its answer and, of a candidate, its id that the picture shows: those of the target, else the last ones. */
export function arrange({ numbers }: ConfigOf<"training">, room: TargetRoom): string {
  if (!writesAnswer(numbers)) return "";
  const { node = "", index = [] } = room.cell ?? {};
  const [, asked] = /^asked_(\d+)\.(?:certainty|probabilities|drawn)$/.exec(node) ?? [];
  const sample = asked ?? (node === DIFFERENCE ? "0" : undefined);
  if (sample !== undefined) return writeArrangement("next", [Number(sample), ...index]);
  const { id, memory } = readArrangement(room);
  return id === "next" ? writeArrangement(id, memory) : "";
}

/** A place of an answer. */
interface Shown {
  sample: number;
  at: number;
  /** The id of the token that was written there, and that of the candidate that is pointed at: the same if none is. */
  chosen: number;
  pointed: number;
}

/** The place that is shown: that of the arrangement, else the last of the first answer. There must be an answer. */
function shownPlace(snapshots: Snapshots, room: Room): Shown {
  const samples = answered(snapshots);
  const { id, memory } = readArrangement(room);
  const [wanted = 0, place = Infinity, candidate = -1] = id === "next" ? memory : [];
  const sample = samples.includes(wanted) ? wanted : samples[0]!;
  const answer = valuesOf(snapshots, `asked_${sample}.answer`);
  const at = Math.max(0, Math.min(place, answer.length - 1));
  const chosen = answer[at]!;
  const isToken = candidate >= 0 && candidate < textsOf(snapshots, "vocabulary").length;
  return { sample, at, chosen, pointed: isToken ? candidate : chosen };
}

/** The ids of the most probable tokens; those of `always` are among them. */
function likeliest(probabilities: ArrayLike<number>, always: readonly number[]): number[] {
  const ids = Array.from(probabilities, (_, id) => id).sort((a, b) => probabilities[b]! - probabilities[a]!);
  const others = ids.filter((id) => !always.includes(id)).slice(0, LISTED.count - new Set(always).size);
  return ids.filter((id) => always.includes(id) || others.includes(id));
}

/** A number of a node of the tokens of an answer by those of the vocabulary. */
const cellOf = (at: number, id: number) => ({
  at: [at, null],
  rows: 1,
  columns: 1,
  window: { first: id, count: 1 },
});

/** A token as it is written: that of the end in the brackets of a name. */
const named = (token: string): string => token.replace(/^<(\w+)>$/, "‹$1›");

/** Draws the candidates from (x, y) on; returns its lower and its right edge. */
function drawCandidates(
  { config, snapshots, scene, say, of }: Parts,
  { sample, at, chosen, pointed }: Shown,
  { x, y, width }: { x: number; y: number; width: number },
): { bottom: number; right: number } {
  const name = (part: string): string => `asked_${sample}.${part}`;
  const { shape: [, vocabulary = 0] = [], data } = snapshots.get(name("probabilities"))!;
  const ids = likeliest(data.subarray(at * vocabulary, (at + 1) * vocabulary), [chosen, pointed]);
  const drawn = name("drawn");
  const columns = [name("probabilities"), ...(snapshots.has(drawn) ? [drawn] : [])];
  const numbersWidth = columns.length * LISTED.width;
  const vocabularyTexts = vocabularyOf(snapshots);
  const tokens = ids.map((id) =>
    cutTo(named(vocabularyTexts[id] ?? ""), width - numbersWidth - LISTED.around, 14.5),
  );
  const { draw, write } = penOn(scene, 0);
  writeOn(scene, "heading", x, y + 14, say("head.next", { n: at + 1 }));
  const left = x + Math.max(...tokens.map((token) => textWidth(token, 14.5))) + 10;
  const numbersLeft = Math.max(left + LISTED.leastBar, Math.min(left + LISTED.bar, x + width - numbersWidth));
  const top = y + HEADING + (columns.length - 1) * LINE;
  if (columns.length > 1)
    for (const [column, n] of [1, config.numbers.temperature!].entries())
      write(
        numbersLeft + (column + 0.5) * LISTED.width,
        top - 6,
        say("next.temperature", { n: Number(n.toPrecision(3)) }),
        MIDDLE,
      );
  for (const [line, id] of ids.entries()) {
    const lineTop = top + line * LISTED.line;
    writeOn(scene, id === chosen ? "heading" : "caption", x, lineTop + 14, tokens[line]!);
    const probability = valuesOf(snapshots, columns.at(-1)!)[at * vocabulary + id]!;
    const end = left + (numbersLeft - left - 6) * probability;
    const bar = rectangle(left, lineTop + 3, end, lineTop + LISTED.line - 3);
    draw(`likely-${line}`, "activation", "area", bar, { strong: true });
    for (const [column, node] of columns.entries()) {
      const cell = { ...of(node), ...cellOf(at, id), plain: "small" } as const;
      place(scene, cell, numbersLeft + column * LISTED.width, lineTop, LISTED.width, LISTED.line, {
        id: `${node}-${line}`,
      });
    }
  }
  return { bottom: top + ids.length * LISTED.line + 6, right: numbersLeft + numbersWidth };
}

/** Draws what the cache saves at a place of the first answer, and by how much the logit of the candidate with it differs. */
function drawCache(
  { snapshots, scene, say, of }: Parts,
  { at, pointed }: Shown,
  { x, y, width }: { x: number; y: number; width: number },
): number {
  const rows = cachedRows(snapshots, at);
  if (!rows) return y;
  const { write } = penOn(scene, 0);
  writeOn(scene, "heading", x, y + 14, say("head.cache"));
  const parts = [say("cache.computed", { n: rows.computed }), say("cache.kept", { n: rows.kept })];
  const whole = parts.join(say("cache.and"));
  const lines = textWidth(whole) <= width ? [whole] : parts;
  for (const [line, text] of lines.entries()) write(x, y + 14 + (line + 1) * LINE, text);
  const top = y + 20 + lines.length * LINE;
  const label = say("cache.difference");
  write(x, top + 14, label);
  const cell = { ...of(DIFFERENCE), ...cellOf(at, pointed), plain: "small" } as const;
  place(scene, cell, x + textWidth(label) + 4, top, LISTED.width, LISTED.line, { id: DIFFERENCE });
  return top + LISTED.line;
}

/** Draws both from (x, y) on, side by side where there is room, and returns the lower edge. There must be an answer. */
export function nextToken(
  parts: Parts,
  room: Room,
  { x, y, width }: { x: number; y: number; width: number },
): number {
  const shown = shownPlace(parts.snapshots, room);
  const { bottom, right } = drawCandidates(parts, shown, { x, y, width });
  if (shown.sample !== 0) return bottom;
  const isBeside = right + BESIDE + CACHE_WIDTH <= x + width;
  const left = isBeside ? right + BESIDE : x;
  const under = drawCache(parts, shown, {
    x: left,
    y: isBeside ? y : bottom + 8,
    width: x + width - left,
  });
  return Math.max(bottom, under);
}
