/** The card of a claim in the picture: the sentence, the verdict of five seeds, and what this run and those beside it answer at this step. */
import type { ConfigOf } from "../../config/config.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Scene, Snapshots } from "../../marks/scene.js";
import { drawOn, penOn, pointsFrom, writeOn } from "../../stage/pen.js";
import { valuesOf } from "../../stage/series.js";
import { runLines, runNames } from "./charts.js";
import { claimOf, resultsOf, verdictOf, type Verdict } from "./claims.js";
import type { Say } from "./strings.js";

/** What the card is drawn from. */
interface Parts {
  config: ConfigOf<"training">;
  snapshots: Snapshots;
  scene: Scene;
  say: Say;
  /** The number of steps made at the moment that is drawn. */
  now: number;
}

const SENTENCE = { size: 15, line: 18 };
const SMALL = { size: 11.5, line: 15 };
const ROW = 17;
/** How far left of the card its edge is. */
const EDGE = 10;
/** Where the losses and the names of the runs stand, and how wide a piece of their lines is. */
const COLUMN = { loss: 48, name: 104, line: 26 };
const MARK = { radius: 5, room: 17 };

/** The lines of a text: it is broken between words, and after Han characters with the signs that follow them. */
function linesOf(text: string, width: number, size: number): string[] {
  const pieces =
    text.match(/\p{Script=Han}[^\p{Script=Han}\p{L}\p{N}\s“]*|[^\p{Script=Han}\s]+\s*|\s+/gu) ?? [];
  const lines = [""];
  for (const piece of pieces) {
    const line = lines.at(-1)! + piece;
    if (lines.at(-1) !== "" && textWidth(line.trimEnd(), size) > width) lines.push(piece);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => line.trimEnd());
}

/** The verdict with its mark: a tick, a half disc or a cross. */
function writeVerdict(scene: Scene, verdict: Verdict, x: number, y: number, text: string): void {
  // A label of this kind has a tick.
  if (verdict === "holds") return writeOn(scene, "match", x, y, text, { step: 0 });
  const [middle, height] = [x + MARK.radius + 1, y - 4];
  const [r, half] = [MARK.radius, MARK.radius / 2];
  const draw = (id: string, path: string, width: number): void =>
    drawOn(scene, `verdict-${id}`, "activation", "line", pointsFrom(x, height - r, x + 2 * r, height + r), {
      path,
      width,
      step: 0,
    });
  if (verdict === "fails") draw("cross", `M${middle - 4} ${height - 4}l8 8m0 -8l-8 8`, 2);
  else {
    draw("ring", `M${middle} ${height - r}a${r} ${r} 0 0 0 0 ${2 * r}a${r} ${r} 0 0 0 0 ${-2 * r}`, 1);
    // A thick arc is half a disc.
    draw("half", `M${middle} ${height - half}a${half} ${half} 0 0 0 0 ${r}`, r);
  }
  writeOn(scene, "heading", x + MARK.room, y, text, { step: 0 });
}

/** The held-out answers of this run and of those beside it, in numbers; returns their lower edge. */
function results({ config, snapshots, scene, say, now }: Parts, x: number, y: number, width: number): number {
  const { draw, write } = penOn(scene, 0);
  let step = 0;
  const top = y + ROW;
  const names = runNames(config, say);
  for (const [run, name] of names.entries()) {
    const of = (what: string) => valuesOf(snapshots, `run_${run}.${what}`);
    const steps = Array.from(of("evaluated")).filter((one) => one <= now);
    if (run === 0) step = steps.at(-1) ?? 0;
    const stuck = of("stuck")[0];
    const isStuck = stuck !== undefined && stuck <= now;
    const value = (what: string): string => {
      const number = of(what)[steps.length - 1];
      return isStuck || number === undefined ? "–" : formatNote(number);
    };
    const line = top + 14 + run * ROW;
    writeOn(scene, "heading", x, line, value("accuracy"), { step: 0 });
    write(x + COLUMN.loss, line, value("held_out"));
    const text = isStuck ? say("claim.stuck", { name, n: stuck }) : name;
    write(x + COLUMN.name, line, text);
    // How the run is drawn in the charts.
    const left = x + width - COLUMN.line;
    if (names.length > 1 && x + COLUMN.name + textWidth(text) < left - 6)
      draw(
        `result-line-${run}`,
        "activation",
        runLines[run]!,
        pointsFrom(left, line - 4, x + width, line - 4),
      );
    draw(`result-${run}`, "activation", "faint", pointsFrom(x, line + 5, x + width, line + 5));
  }
  write(x, y + 14, say("claim.right"));
  write(x + COLUMN.loss, y + 14, say("claim.loss"));
  const isLong = textWidth(say("claim.result", { n: step })) > width - COLUMN.name;
  write(x + COLUMN.name, y + 14, say(isLong ? "claim.result.short" : "claim.result", { n: step }));
  let low = top - 3 + names.length * ROW;
  const guessing = valuesOf(snapshots, "guessing")[0];
  if (guessing !== undefined) {
    low += ROW;
    write(x + COLUMN.loss, low, formatNote(guessing));
    write(x + COLUMN.name, low, say("claim.guessing"));
  }
  return low + 4;
}

/** The card of the claim that these settings test, or the numbers alone; returns its lower edge. */
export function claimCard(parts: Parts, { x, y, width }: { x: number; y: number; width: number }): number {
  const { config, scene, say } = parts;
  const found = claimOf(config.numbers);
  writeOn(scene, "heading", x, y + 14, say(found ? "head.claim" : "head.beside"));
  if (!found) return results(parts, x, y + 22, width);
  const { claim, differing } = found;
  let low = y + 16;
  const paragraph = (text: string, { size, line }: typeof SMALL, isSentence = false): void => {
    for (const one of linesOf(text, width, size)) {
      low += line;
      writeOn(scene, isSentence ? "word" : "axis", x, low, one, { step: 0, ...(isSentence && { size }) });
    }
  };
  paragraph(say(`claim.${claim.id}` as never), SENTENCE, true);
  const seeds = resultsOf(claim);
  const verdict = verdictOf(claim, seeds);
  low += 19;
  writeVerdict(scene, verdict, x, low, say(`verdict.${verdict}`, { n: seeds.length }));
  low += 3;
  const why =
    differing.length > 0 ? say("claim.other", { n: seeds.length }) : say(`why.${claim.id}` as never);
  paragraph(why, SMALL);
  low = results(parts, x, low + 2, width);
  penOn(scene, 0).draw("claim-edge", "activation", "faint", pointsFrom(x - EDGE, y + 2, x - EDGE, low));
  return low;
}
