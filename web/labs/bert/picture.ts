/** The picture of the BERT lab: the sentences, under the gap its candidates, the training as a slider, and the sum of three rows that goes in. */
import { segmentAt } from "../../config/labs/bert.js";
import { cutName, textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import type { Scene } from "../../marks/scene.js";
import { placeChart } from "../../stage/chart.js";
import { flowScene } from "../../stage/flow.js";
import { frameRow, pointsFrom, rectangle, writeOn } from "../../stage/pen.js";
import { LEGEND, place as placeTensor } from "../../stage/place.js";
import { finished, placeScales, sheetFor } from "../../stage/sheet.js";
import { writeSymbol } from "../../stage/symbol.js";
import type { LabDeclaration } from "../../telling/declaration.js";
import { candidatesOf } from "./candidates.js";
import { trainingChart } from "./charts.js";
import { flow, partOf } from "./flow.js";
import { partsOf, penAt, type Parts } from "./parts.js";
import { drawSentence, type PlacedSentence } from "./sentence.js";
import { stringsIn, type Key } from "./strings.js";

/** The candidates: how many there are, the room for their words and numbers, and the height of a bar. */
const BARS = { most: 5, onPhone: 4, word: 74, number: 66, height: 14 };
/** The tables beside the sum: their left edge and width, the room above each, and the least height of a row; the height of layer norm. */
const TABLES = { left: 62, width: 112, head: 20, least: 1.5 };
const GATE = 26;

/** The bars of the candidates, with a line to them from the gap. Returns the lower edge. */
function drawCandidates(parts: Parts, sentence: PlacedSentence, x: number, y: number, width: number): number {
  const { numbers, snapshots, room, isNarrow, say, of, gaps, gap } = parts;
  const nth = gaps.indexOf(gap);
  const { line, write } = penAt(parts, of("probabilities").step);
  const { shown, others } = candidatesOf(numbers, snapshots, nth, isNarrow ? BARS.onPhone : BARS.most);
  const [left, right] = [x + BARS.word, x + width - BARS.number];
  const pitch = isNarrow || room.height < 600 ? 19 : 22;
  const from = sentence.middles[gap]!;
  const to = Math.max(left, Math.min(right, from));
  const bend = sentence.bottom + 1;
  const high = sentence.bottom - (isNarrow ? 3 : 20);
  line("to-candidates", pointsFrom(from, high, from, bend, to, bend, to, y), { over: true });
  shown.forEach(({ id, p, word, isRight }, row) => {
    const middle = y + (row + 0.5) * pitch;
    write("word", left - 9, middle + 5, cutName(word), { size: 15, anchor: "end", strong: isRight });
    const track = rectangle(left, middle - BARS.height / 2, right, middle + BARS.height / 2);
    line(`track-${row}`, track, { kind: "area" });
    line(`bar-${row}`, pointsFrom(left, middle, left + p * (right - left), middle), {
      role: "attention",
      width: BARS.height,
      cells: [0, 1].map(() => ({ node: "probabilities", index: [nth, id] })),
    });
    write(isRight ? "match" : "caption", right + 8, middle + 4, formatNote(p));
  });
  const bottom = y + shown.length * pitch;
  if (isNarrow || others.length === 0) return bottom + 4;
  const most = formatNote(Math.max(...others.map(({ p }) => p)));
  const text = say(others.length === 1 ? "other" : "others", { n: others.length, p: most });
  write("axis", left, bottom + 12, text);
  return bottom + 18;
}

/** The losses of all steps, along which the number of steps is dragged, with the present one in words. */
function drawTraining(parts: Parts, x: number, y: number, width: number, bottom: number): void {
  const { numbers, snapshots, scene, say } = parts;
  const { trained } = numbers;
  const plot = placeChart(scene, trainingChart(parts, width), { x, y, width, height: bottom - y + 24 });
  if (!plot) return;
  const loss = snapshots.get("curve")!.data[trained]!;
  const [atX, atY] = [plot.x(trained), plot.y(loss)];
  const text = say("now", { n: trained, loss: formatNote(loss) });
  // Right of the dot, where the curve is lower, or at the right edge.
  const isLast = atX + 8 + textWidth(text, 13) > plot.right;
  const baseline = Math.min(atY - 6, plot.bottom - 22);
  const anchor = isLast ? "end" : "start";
  writeOn(scene, "heading", isLast ? plot.right : atX + 8, baseline, text, { anchor });
}

/** The three tables, each with a line from its row of the place to the sum. Returns where the names of the sum's rows begin, and the lower edge. */
function drawTables(parts: Parts, y: number, bottom: number, rowMiddles: readonly number[]) {
  const { scene, of, say, place, snapshots, numbers } = parts;
  const names = ["word_embeddings", "position_embeddings", "token_type_embeddings"];
  const tables = names.map((name) => of(`embeddings.${name}.weight`));
  const rows = [snapshots.get("ids")!.data[place]!, place, segmentAt(numbers, place)];
  const count = tables.reduce((sum, { rows }) => sum + rows, 0);
  const high = Math.max(TABLES.least, Math.min(8, (bottom - y - 3 * TABLES.head) / count));
  const { left, width } = TABLES;
  const right = left + width;
  let top = y;
  tables.forEach((table, at) => {
    const { symbol, step, rows: tall, columns, node } = table;
    const { line, write } = penAt(parts, step);
    write("caption", left, top + 13, say(`name.${node}` as Key));
    top += TABLES.head;
    const placed = placeTensor(scene, table, left, top, width / columns, high);
    const isTall = tall * high > 32;
    const baseline = top + (isTall ? 14 : (tall * high) / 2 + 4);
    writeSymbol(scene, { symbol, step }, left - 14, baseline, { anchor: "end" });
    if (isTall) write("shape", left - 14, top + 30, `${tall}×${columns}`, { anchor: "end" });
    frameRow(scene, placed, columns, rows[at]!, "activation");
    const middle = top + (rows[at]! + 0.5) * high;
    const [bend, row] = [right + 19 + 9 * at, rowMiddles[at]!];
    const slide = pointsFrom(right + 9, middle, bend, middle, bend, row, right + 45, row);
    line(`slide-${at}`, slide, { role: "weight", step: of("embeddings.tokens").step });
    top += tall * high;
  });
  return { left: right + 51, bottom: top };
}

/** The sum of the three rows, and layer norm as a gate that it goes through. Returns the lower edge. */
function drawSum(parts: Parts, y: number, height: number): number {
  const { scene, isNarrow, width, of, say, place, words, numbers } = parts;
  const high = Math.max(20, Math.min(34, (height - 98) / 5));
  const pitch = high + 6;
  const first = y + 26;
  const input = first + 3 * pitch + 4;
  const gate = input + pitch + 3;
  const norm = gate + GATE + 7;
  const bottom = norm + high;
  const short = isNarrow ? ".narrow" : "";
  const word = words[place]!;
  const segment = say(segmentAt(numbers, place) === 0 ? "segment.a" : "segment.b").at(-1)!;
  const rows = [
    { node: "tokens", top: first, name: say(`sum.word${short}`, { word: cutName(word) }) },
    { node: "positions", top: first + pitch, name: say("sum.position", { n: place }) },
    { node: "segments", top: first + 2 * pitch, name: say("sum.segment", { segment }) },
    { node: "with_segments", top: input, name: say("sum.input") },
    { node: "norm", top: norm, name: say("sum.norm") },
  ];
  writeOn(scene, "heading", isNarrow ? 0 : 4, y + 14, say(`sum${short}`, { word }));
  const middles = rows.map(({ top }) => top + high / 2);
  const tables = isNarrow ? { left: 0, bottom } : drawTables(parts, y + 20, bottom, middles);
  const { left } = tables;
  const x = left + Math.max(...rows.map(({ name }) => textWidth(name, 13))) + 16;
  const cell = Math.min(82, Math.floor((width - 8 - x) / numbers.dim));
  rows.forEach(({ node, top, name }, at) => {
    const block = of(`embeddings.${node}`);
    const isTerm = block.role === "weight";
    placeTensor(scene, { ...block, rows: 1, at: [place, null] }, x, top, cell, high);
    const style = { anchor: isNarrow ? "end" : "start", ...(isTerm && { role: block.role }) } as const;
    const { write } = penAt(parts, block.step);
    write(isTerm ? "caption" : "heading", isNarrow ? x - 13 : left, middles[at]! + 5, name, style);
  });
  const right = x + numbers.dim * cell;
  const { line } = penAt(parts, of("embeddings.with_segments").step);
  line("rule", pointsFrom(left, input - 5, right + 8, input - 5));
  drawGate(parts, x - 5, right + 5, gate);
  return Math.max(bottom, tables.bottom) + 8;
}

/** Layer norm as a box with the mean and the deviation of the row that goes through it. */
function drawGate(parts: Parts, left: number, right: number, top: number): void {
  const { scene, isNarrow, of, say, place } = parts;
  const { line, write } = penAt(parts, of("embeddings.norm").step);
  const [cell, air] = isNarrow ? [44, 8] : [58, 14];
  const signs = [
    { text: isNarrow ? "− μ" : say("gate.mean"), node: "input_means" },
    { text: isNarrow ? "÷ σ" : say("gate.deviation"), node: "input_deviations" },
    { text: isNarrow ? "× γ + β" : say("gate.gain") },
  ].map((sign) => ({ ...sign, wide: textWidth(sign.text, 12.5) + (sign.node ? cell + 2 * air : 0) }));
  line("gate", rectangle(left, top, right, top + GATE));
  const whole = signs.reduce((sum, { wide }) => sum + wide, 0);
  if (whole > right - left - 16) return;
  let x = (left + right - whole) / 2;
  for (const { text, node, wide } of signs) {
    write("caption", x, top + GATE / 2 + 4, text);
    const block = node && { ...of(node), rows: 1, columns: 1, at: [place, 0] };
    if (block) placeTensor(scene, block, x + wide - cell - air, top + 4, cell, GATE - 8);
    x += wide;
  }
}

/** The candidates, the training and the sum, side by side or under each other, below the sentences. Returns the lower edge. */
function drawBelow(parts: Parts, sentence: PlacedSentence, hasSum: boolean): number {
  const { snapshots, room, isWide, isNarrow, width } = parts;
  const y = sentence.bottom + (isNarrow ? 4 : 10);
  const block = isNarrow ? width : Math.min(420, 0.52 * width);
  const wanted = sentence.middles[parts.gap]! - BARS.word - 0.3 * (block - BARS.word - BARS.number);
  const x = Math.max(0, Math.min(width - block, wanted));
  let bottom = drawCandidates(parts, sentence, x, y, block);
  if (isNarrow) {
    if (hasSum) bottom = drawSum(parts, bottom, 210);
    if (!snapshots.has("curve")) return bottom;
    // As low as shows the curve, so that the first numbers stand over the note.
    drawTraining(parts, 0, bottom + 4, width, bottom + 92);
    return bottom + 116;
  }
  const [before, after] = [x - 20, width - x - block - 20];
  const [from, space] = before >= after ? [0, before] : [x + block + 20, after];
  if (snapshots.has("curve")) drawTraining(parts, from, y, Math.min(420, space), bottom);
  const left = isWide ? room.height - bottom - LEGEND - 12 : 320;
  return hasSum ? drawSum(parts, bottom + 4, left) : bottom;
}

export const picture: LabDeclaration<"bert">["picture"] = (config, snapshots, room, of): Scene | null => {
  if (!snapshots.has("probabilities")) return null;
  const { part, step } = partOf(room);
  const parts = partsOf(sheetFor(stringsIn, config, snapshots, { ...room, step }, of));
  const { say, isNarrow, width } = parts;
  let under = 0;
  const draw = (scene: Scene): number => {
    const within = { ...parts, scene };
    const sentence = drawSentence(within);
    under = sentence.bottom + 8;
    const hasSum = part === "sum";
    return hasSum || part === "score" ? drawBelow(within, sentence, hasSum) : sentence.bottom;
  };
  if (part === "sum") {
    const rules = { x: 9, y: draw(parts.scene), width: width - 18 };
    const height = placeScales(parts, rules, isNarrow ? 2 : 3) + 6;
    return { ...finished(parts, height, { y: under }), stop: step };
  }
  const scene = flowScene(parts.room, {
    ...flow(config, snapshots, parts.room, of, parts.head),
    legendOf: (family) => say(`legend.${family}` as Key),
    overview: draw,
  });
  return finished({ ...parts, scene }, scene.height, { y: under });
};
