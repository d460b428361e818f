/** The picture of the BERT lab: the sentences, under the gap its candidates, the training as a slider, and the sum of three rows that goes in. */
import { arcHead, bertVocabulary, segmentAt, TRAINING } from "../../config/labs/bert.js";
import type { ConfigOf } from "../../config/config.js";
import { cutName, textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import { HANDLE } from "../../marks/rail.js";
import type { Rail, Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { placeChart, type Series } from "../../stage/chart.js";
import { flowScene } from "../../stage/flow.js";
import { LEGEND, emptyScene, legends, place as placeTensor, type Block } from "../../stage/place.js";
import { rectangle, writeOn } from "../../stage/pen.js";
import { inOrder, rowOf } from "../../stage/series.js";
import { flow, partOf } from "./flow.js";
import { line, type Parts } from "./parts.js";
import { drawSentence, type PlacedSentence } from "./sentence.js";
import { stringsIn, type Key } from "./strings.js";

type Config = ConfigOf<"bert">;

const NOTE = { width: 400, gap: 24 };
/** The candidates: how many there are, the room for their words and numbers, and the height of a bar. */
const BARS = { most: 5, onPhone: 4, word: 74, number: 66, height: 14 };
/** The tables beside the sum: their left edge and width, and the room above each; the height of layer norm. */
const TABLES = { left: 62, width: 112, head: 20 };
const GATE = 26;

/** The likeliest words at a hidden place, with the word that was there among them, and the words that are left out. */
export function candidatesOf({ numbers }: Config, snapshots: Snapshots, nth: number, most: number) {
  const target = snapshots.get("targets")?.data[nth];
  const ranked = rowOf(snapshots, "probabilities", nth)
    .map((p, id) => ({ id, p, word: bertVocabulary(numbers)[id]!, isRight: id === target }))
    .sort((a, b) => b.p - a.p);
  const last = Math.max(
    most - 1,
    ranked.findIndex(({ isRight }) => isRight),
  );
  const shown = ranked.filter((_, at) => at < most - 1 || at === last);
  return { shown, others: ranked.filter((one) => !shown.includes(one)) };
}

/** The bars of the candidates, with a line to them from the gap. Returns the lower edge. */
function drawCandidates(parts: Parts, sentence: PlacedSentence, x: number, y: number, width: number): number {
  const { config, snapshots, scene, room, narrow, say, of, gaps, gap } = parts;
  const nth = gaps.indexOf(gap);
  const { step } = of("probabilities");
  const { shown, others } = candidatesOf(config, snapshots, nth, narrow ? BARS.onPhone : BARS.most);
  const [left, right] = [x + BARS.word, x + width - BARS.number];
  const pitch = narrow || room.height < 600 ? 19 : 22;
  const from = sentence.middles[gap]!;
  const to = Math.max(left, Math.min(right, from));
  const bend = sentence.bottom + 1;
  const high = sentence.bottom - (narrow ? 3 : 20);
  line(scene, "to-candidates", [from, high, from, bend, to, bend, to, y], { step, over: true });
  shown.forEach(({ id, p, word, isRight }, row) => {
    const middle = y + (row + 0.5) * pitch;
    const style = { size: 15, anchor: "end", strong: isRight, step } as const;
    writeOn(scene, "word", left - 9, middle + 5, cutName(word), style);
    const track = rectangle(left, middle - BARS.height / 2, right, middle + BARS.height / 2).flat();
    line(scene, `track-${row}`, track, { kind: "area", step });
    line(scene, `bar-${row}`, [left, middle, left + p * (right - left), middle], {
      role: "attention",
      width: BARS.height,
      cells: [0, 1].map(() => ({ node: "probabilities", index: [nth, id] })),
      step,
    });
    writeOn(scene, isRight ? "match" : "caption", right + 8, middle + 4, formatNote(p), { step });
  });
  const bottom = y + shown.length * pitch;
  if (narrow || others.length === 0) return bottom + 4;
  const most = formatNote(Math.max(...others.map(({ p }) => p)));
  const text = say(others.length === 1 ? "other" : "others", { n: others.length, p: most });
  writeOn(scene, "axis", left, bottom + 12, text, { step });
  return bottom + 18;
}

/** The losses of all steps, along which the number of steps is dragged. */
function drawTraining(parts: Parts, x: number, y: number, width: number, bottom: number): void {
  const { config, snapshots, scene, narrow, say } = parts;
  const { trained } = config.numbers;
  const losses = inOrder(snapshots, "curve");
  const largest = Math.max(1, ...losses.map(([, loss]) => loss));
  const title = say("chart.losses");
  const part = (kind: Series["kind"], node: string, from: number, to: number): Series => ({
    id: node,
    role: "output",
    kind,
    points: losses.slice(from, to),
    cells: losses.slice(from, to).map(([step]) => ({ node, index: [step] })),
  });
  const ticks = [0, 1, 2, 3, 4, 5].filter((tick) => tick <= largest);
  const chart = {
    id: "training",
    title: textWidth(title, 13.5) < width - 46 ? title : say("chart.losses.short"),
    x: { label: "", domain: [0, TRAINING.max], ticks: [0, 10, 20, 30, 40] },
    y: { label: "", domain: [0, 1.05 * largest], ticks },
    series: [part("faint", "curve", trained, losses.length), part("line", "losses", 0, trained + 1)],
    // Training comes before all other numbers, so the losses are visible from the first stop.
    step: 0,
  } as const;
  const plot = placeChart(scene, chart, { x, y, width, height: bottom - y + 24 });
  if (!plot) return;
  const { left, right, bottom: foot } = plot;
  const points = losses.slice(0, trained + 1).flatMap(([step, loss]) => [plot.x(step), plot.y(loss)]);
  const [atX, atY] = [points.at(-2)!, points.at(-1)!];
  const cells = [{ node: "losses", index: [trained] }];
  line(scene, "trained", [left, foot, ...points, atX, foot], { role: "output", kind: "area", strong: true });
  line(scene, "now", [atX, atY, atX, foot], {});
  line(scene, "dot", [atX, atY], { role: "output", dots: "large", cells });
  const text = say("now", { n: trained, loss: formatNote(losses[trained]![1]) });
  // Right of the dot, where the curve is lower, or at the right edge.
  const isLast = atX + 8 + textWidth(text, 13) > right;
  const baseline = Math.min(atY - 6, foot - 22);
  writeOn(scene, "heading", isLast ? right : atX + 8, baseline, text, { anchor: isLast ? "end" : "start" });
  const rail: Rail = {
    id: "trained",
    changes: { control: "trained" },
    name: say("field.trained"),
    from: [left, foot],
    to: [right, foot],
    ends: [0, TRAINING.max],
    unit: 1,
    marks: [],
    value: trained,
    ...(narrow ? { isSmall: true } : { reach: HANDLE.height / 2 }),
  };
  scene.rails = [rail];
  const isCovered = ({ x, y }: { x: number; y: number }): boolean =>
    y === foot + 17 && Math.abs(x - atX) <= (narrow ? HANDLE.small : HANDLE.width) / 2 + 8;
  scene.labels = scene.labels.filter((label) => !isCovered(label));
}

/** The three tables, each with a line from its row of the place to the sum. Returns where the names of the sum's rows begin. */
function drawTables(parts: Parts, y: number, bottom: number, rowMiddles: readonly number[]): number {
  const { scene, of, say, place, snapshots, config } = parts;
  const names = ["word_embeddings", "position_embeddings", "token_type_embeddings"];
  const tables = names.map((name) => of(`embeddings.${name}.weight`));
  const rows = [snapshots.get("ids")!.data[place]!, place, segmentAt(config.numbers, place)];
  const count = tables.reduce((sum, { rows }) => sum + rows, 0);
  const high = Math.max(2, Math.min(8, (bottom - y - 3 * TABLES.head) / count));
  const { left, width } = TABLES;
  const right = left + width;
  let top = y;
  tables.forEach((table, at) => {
    const { symbol, step, rows: tall, columns, node } = table;
    writeOn(scene, "caption", left, top + 13, say(`name.${node}` as Key), { step });
    top += TABLES.head;
    placeTensor(scene, table, left, top, width / columns, high);
    const style = { anchor: "end", step } as const;
    const isTall = tall * high > 32;
    writeOn(scene, "symbol", left - 14, top + (isTall ? 14 : (tall * high) / 2 + 4), symbol.text, {
      symbol,
      ...style,
    });
    if (isTall) writeOn(scene, "shape", left - 14, top + 30, `${tall}×${columns}`, style);
    const middle = top + (rows[at]! + 0.5) * high;
    const half = Math.max(3, high / 2 + 1);
    line(scene, `row-${at}`, rectangle(left - 2, middle - half, right + 2, middle + half).flat(), {
      over: true,
      step,
    });
    const [bend, row] = [right + 19 + 9 * at, rowMiddles[at]!];
    const slide = [right + 9, middle, bend, middle, bend, row, right + 45, row];
    line(scene, `slide-${at}`, slide, { role: "weight", step: of("embeddings.tokens").step });
    top += tall * high;
  });
  return right + 51;
}

/** The sum of the three rows, and layer norm as a gate that it goes through. Returns the lower edge. */
function drawSum(parts: Parts, y: number, height: number): number {
  const { scene, narrow, width, of, say, place, words, config } = parts;
  const high = Math.max(20, Math.min(34, (height - 98) / 5));
  const pitch = high + 6;
  const first = y + 26;
  const input = first + 3 * pitch + 4;
  const gate = input + pitch + 3;
  const norm = gate + GATE + 7;
  const tops = [first, first + pitch, first + 2 * pitch, input, norm];
  const bottom = norm + high;
  const short = narrow ? ".narrow" : "";
  const word = words[place]!;
  writeOn(scene, "heading", narrow ? 0 : 4, y + 14, say(`sum${short}`, { word }));
  const middles = tops.map((top) => top + high / 2);
  const left = narrow ? 0 : drawTables(parts, y + 20, bottom, middles);
  const segment = say(segmentAt(config.numbers, place) === 0 ? "segment.a" : "segment.b").at(-1)!;
  const names = [
    say(`sum.word${short}`, { word: cutName(word) }),
    say("sum.position", { n: place }),
    say("sum.segment", { segment }),
    say("sum.input"),
    say("sum.norm"),
  ];
  const x = left + Math.max(...names.map((name) => textWidth(name, 13))) + 16;
  const { dim } = config.numbers;
  const cell = Math.min(82, Math.floor((width - 8 - x) / dim));
  ["tokens", "positions", "segments", "with_segments", "norm"].forEach((name, row) => {
    const block = of(`embeddings.${name}`);
    const { step, role } = block;
    const isTerm = role === "weight";
    placeTensor(scene, { ...block, rows: 1, at: [place, null] }, x, tops[row]!, cell, high);
    const style = { step, anchor: narrow ? "end" : "start", ...(isTerm && { role }) } as const;
    writeOn(
      scene,
      isTerm ? "caption" : "heading",
      narrow ? x - 13 : left,
      middles[row]! + 5,
      names[row]!,
      style,
    );
  });
  const right = x + dim * cell;
  line(scene, "rule", [left, input - 5, right + 8, input - 5], { step: of("embeddings.with_segments").step });
  drawGate(parts, x - 5, right + 5, gate);
  return bottom + 8;
}

/** Layer norm as a box with the mean and the deviation of the row that goes through it. */
function drawGate({ scene, narrow, of, say, place }: Parts, left: number, right: number, top: number): void {
  const { step } = of("embeddings.norm");
  const height = GATE;
  const [cell, air] = narrow ? [44, 8] : [58, 14];
  const signs = [
    { text: narrow ? "− μ" : say("gate.mean"), node: "input_means" },
    { text: narrow ? "÷ σ" : say("gate.deviation"), node: "input_deviations" },
    { text: narrow ? "× γ + β" : say("gate.gain") },
  ].map((sign) => ({ ...sign, wide: textWidth(sign.text, 12.5) + (sign.node ? cell + 2 * air : 0) }));
  line(scene, "gate", rectangle(left, top, right, top + height).flat(), { step });
  const whole = signs.reduce((sum, { wide }) => sum + wide, 0);
  if (whole > right - left - 16) return;
  let x = (left + right - whole) / 2;
  for (const { text, node, wide } of signs) {
    writeOn(scene, "caption", x, top + height / 2 + 4, text, { step });
    if (node) {
      const block = { ...of(node), rows: 1, columns: 1, at: [place, 0] };
      placeTensor(scene, block, x + wide - cell - air, top + 4, cell, height - 8);
    }
    x += wide;
  }
}

/** The candidates, the training and the sum, side by side or under each other, below the sentences. Returns the lower edge. */
function drawBelow(parts: Parts, sentence: PlacedSentence, hasSum: boolean): number {
  const { room, narrow, width } = parts;
  const y = sentence.bottom + (narrow ? 4 : 10);
  const block = narrow ? width : Math.min(420, 0.52 * width);
  const wanted = sentence.middles[parts.gap]! - BARS.word - 0.3 * (block - BARS.word - BARS.number);
  const x = Math.max(0, Math.min(width - block, wanted));
  let bottom = drawCandidates(parts, sentence, x, y, block);
  if (narrow) {
    if (hasSum) bottom = drawSum(parts, bottom, 210);
    drawTraining(parts, 0, bottom + 4, width, bottom + 104);
    return bottom + 128;
  }
  const [before, after] = [x - 20, width - x - block - 20];
  const [from, space] = before >= after ? [0, before] : [x + block + 20, after];
  drawTraining(parts, from, y, Math.min(420, space), bottom);
  const left = room.layout === "wide" ? room.height - bottom - LEGEND - 12 : 320;
  return hasSum ? drawSum(parts, bottom + 4, left) : bottom;
}

/** What the picture shows: the head, the place and the gap of the arrangement, or those that the lab opens with. */
function partsOf(config: Config, snapshots: Snapshots, room: Room, of: Parts["of"]): Parts {
  const { numbers } = config;
  const vocabulary = bertVocabulary(numbers);
  const words = [...(snapshots.get("ids")?.data ?? [])].map((id) => vocabulary[id]!);
  const gaps = [...(snapshots.get("hidden_places")?.data ?? [])];
  const [head = -1, chosen = -1, nth = 0] = readArrangement(room).memory;
  const gap = gaps[nth] ?? gaps[0]!;
  const place = chosen in words ? chosen : gap;
  return {
    config,
    snapshots,
    room,
    narrow: room.layout === "narrow",
    width: room.layout === "wide" ? room.width - NOTE.width - NOTE.gap : room.width,
    of,
    say: stringsIn(room.words),
    scene: emptyScene(room.width),
    words,
    gaps,
    head: head >= 0 && head < numbers.heads ? head : arcHead(numbers),
    place,
    gap: gaps.includes(place) ? place : gap,
  };
}

export function picture(
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene | null {
  if (!snapshots.has("probabilities")) return null;
  const { part, step } = partOf(room);
  const parts = partsOf(config, snapshots, { ...room, step }, of);
  const { say, narrow, width } = parts;
  const legendOf = (family: string): string => say(`legend.${family}` as Key);
  let under = 0;
  const draw = (scene: Scene, hasSum: boolean): number => {
    const within = { ...parts, scene };
    const sentence = drawSentence(within);
    under = sentence.bottom + 8;
    return hasSum || part === "score" ? drawBelow(within, sentence, hasSum) : sentence.bottom;
  };
  const drawLines = (): Scene =>
    flowScene(parts.room, {
      ...flow(config, snapshots, parts.room, of, parts.head),
      legendOf,
      overview: (scene) => draw(scene, false),
    });
  const drawAlone = (): Scene => {
    const { scene } = parts;
    const bottom = draw(scene, true);
    const families = new Map(
      scene.tensors.flatMap(({ family, fill }) => (fill === "none" ? [] : [[family, fill]])),
    );
    const rules = { x: 9, y: bottom, width: width - 18 };
    const height = legends(scene, families, rules, narrow ? 2 : 3, legendOf) + 6;
    return Object.assign(scene, { height, stop: step });
  };
  const scene = part === "sum" ? drawAlone() : drawLines();
  if (room.layout === "wide") scene.note = { x: room.width - NOTE.width - 8, y: under, width: NOTE.width };
  return scene;
}
