/** The stage of the words lab: rows and counts, cosines and a riddle, the map of words that are being learned. */
import type { Block } from "../../stage/place.js";
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { countedWords, vocabularyOf } from "../../config/labs/words.js";
import type { Words } from "../../i18n/words.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import { said } from "./strings.js";
import { lookedAt } from "./tensors.js";

type Numbers = NumbersOf["words"];
type Of = (node: string) => Block;
type Point = [number, number];

const valuesOf = (snapshots: Snapshots, node: string): ArrayLike<number> => snapshots.get(node)?.data ?? [];
const sign = (text: string): Piece => ({ sign: text });

/** The rows of a matrix of two columns. */
function pointsOf(snapshots: Snapshots, node: string): Point[] {
  const data = valuesOf(snapshots, node);
  return Array.from({ length: data.length / 2 }, (_, at): Point => [data[2 * at]!, data[2 * at + 1]!]);
}

const ends = (values: readonly number[]): Point => [Math.min(...values), Math.max(...values)];

function countLines(numbers: Numbers, of: Of): Line[] {
  const vocabulary = countedWords(numbers);
  return [
    {
      rowNames: numbers.tokens,
      steps: [0],
      pieces: [
        { tensor: of("onehot"), columnNames: vocabulary },
        { tensor: of("vectors"), above: of("E") },
      ],
    },
    {
      steps: [1],
      pieces: [
        { tensor: of("counts"), columnNames: vocabulary },
        sign("−"),
        { tensor: of("counts_other"), columnNames: vocabulary },
        sign("="),
        { tensor: of("difference"), columnNames: vocabulary },
      ],
    },
    {
      rowNames: vocabulary,
      steps: [2],
      pieces: ["apart.dot", "apart.distance", "table.cosine"].map((node) => ({
        tensor: of(node),
        columnNames: vocabulary,
      })),
    },
  ];
}

function nearLines(numbers: Numbers, words: Words, of: Of): Line[] {
  const text = said(words);
  const { names } = numbers;
  const dims = numbers.x[0]!.map((_, at) => String(at));
  const cos = (node: string, step: number): Piece => ({ operator: node, name: [text("op.cos")], step });
  return [
    {
      rowNames: names,
      steps: [0],
      pieces: [
        { tensor: of("E"), columnNames: dims },
        cos("table.cosine", 0),
        { tensor: of("table.cosine"), columnNames: names },
      ],
    },
    {
      steps: [1],
      pieces: [
        { tensor: of("first") },
        sign("−"),
        { tensor: of("less") },
        sign("+"),
        { tensor: of("plus") },
        sign("="),
        { tensor: of("target") },
        cos("closeness", 1),
        { tensor: of("closeness"), columnNames: names },
      ],
    },
  ];
}

/** The nearest word to the answer; the three of the riddle are left out, as is usual. */
function nearest({ names, analogy }: Numbers, snapshots: Snapshots): number {
  const closeness = valuesOf(snapshots, "closeness");
  const others = names.flatMap((_, at) => (analogy.includes(at) ? [] : [at]));
  return others.reduce((best, at) => (closeness[at]! > closeness[best]! ? at : best), others[0] ?? 0);
}

/** The words as points, and the riddle as two arrows of one direction. */
function nearChart(numbers: Numbers, snapshots: Snapshots, words: Words): Chart {
  const text = said(words);
  const { names, analogy } = numbers;
  const places = pointsOf(snapshots, "seen.output");
  const target = pointsOf(snapshots, "target_seen")[0];
  const [a, b, c] = analogy as [number, number, number];
  const drawn = (from: number, to: Point | undefined, id: string): Series[] =>
    to && places[from] ? [{ id, role: "output", kind: "dashed", points: [places[from], to] }] : [];
  const everything = [...places, ...(target ? [target] : [])];
  return {
    id: "near",
    title: text("answer", {
      a: names[a]!,
      b: names[b]!,
      c: names[c]!,
      answer: names[nearest(numbers, snapshots)]!,
    }),
    x: { label: "", domain: wider(ends(everything.map(([x]) => x))), air: true },
    y: { label: "", domain: wider(ends(everything.map(([, y]) => y))), air: true },
    equal: true,
    series: [
      ...drawn(b, places[a], "change"),
      ...drawn(c, target, "answer"),
      ...names.map((name, at): Series => ({
        id: `word-${at}`,
        role: analogy.includes(at) ? "output" : "query",
        kind: "line",
        points: [places[at] ?? [NaN, NaN]],
        cells: [{ node: "seen.output", index: [at, 0] }],
        dots: "large",
        label: name,
      })),
    ],
    step: 0,
  };
}

/** A domain that is not a point. */
const wider = ([low, high]: Point): Point => (low < high ? [low, high] : [low - 1, high + 1]);

/** Points of a way that are drawn. */
const MOST_ON_A_WAY = 40;

function mapChart(numbers: Numbers, snapshots: Snapshots, words: Words): Chart {
  const text = said(words);
  const { step } = numbers;
  const vocabulary = vocabularyOf(numbers.text);
  const size = vocabulary.length;
  const trail = pointsOf(snapshots, "trail");
  const places = pointsOf(snapshots, "places");
  const { word, around } = lookedAt(numbers);
  const role = (name: string): Series["role"] =>
    name === word ? "query" : around.includes(name) ? "key" : "activation";
  const every = Math.ceil((step + 1) / MOST_ON_A_WAY);
  const shown = Array.from({ length: step + 1 }, (_, at) => at).filter(
    (at) => at % every === 0 || at === step,
  );
  return {
    id: "map",
    title: text(step === 1 ? "chart.map.one" : "chart.map", { n: step }),
    // As large as all the ways, so that the words move and not the axes.
    x: { label: "", domain: wider(ends(trail.map(([x]) => x))), air: true },
    y: { label: "", domain: wider(ends(trail.map(([, y]) => y))), air: true },
    equal: true,
    series: [
      ...vocabulary.map((name, at): Series => ({
        id: `way-${at}`,
        role: role(name),
        kind: "faint",
        points: shown.map((time) => trail[time * size + at] ?? [NaN, NaN]),
      })),
      ...vocabulary.map((name, at): Series => ({
        id: `word-${at}`,
        role: role(name),
        kind: "line",
        points: [places[at] ?? [NaN, NaN]],
        cells: [{ node: "places", index: [at, 0] }],
        dots: "large",
        label: name,
      })),
    ],
    step: 0,
  };
}

function lossChart(numbers: Numbers, snapshots: Snapshots, words: Words): Chart {
  const text = said(words);
  const losses = Array.from(valuesOf(snapshots, "losses"), (value, at): Point => [at, value]);
  const cells = losses.map((_, at) => ({ node: "losses", index: [at] }));
  const { step, steps } = numbers;
  const part = (id: string, from: number, to: number, kind: Series["kind"], dots?: "large"): Series => ({
    id,
    role: "activation",
    kind,
    points: losses.slice(from, to),
    cells: cells.slice(from, to),
    ...(dots ? { dots } : {}),
  });
  return {
    id: "loss",
    title: text("chart.loss"),
    x: { label: text("axis.step"), domain: [0, steps] },
    y: { label: "" },
    series: [
      part("after", step, losses.length, "dashed"),
      part("before", 0, step + 1, "line"),
      part("now", step, step + 1, "line", "large"),
    ],
    step: 0,
  };
}

/** Whether map and prediction stand on one stage: with more words each takes its turn. */
export const isSmall = ({ text }: Pick<Numbers, "text">): boolean => vocabularyOf(text).length <= 12;

function learnLines(numbers: Numbers, snapshots: Snapshots, words: Words, of: Of): Line[] {
  const text = said(words);
  const vocabulary = vocabularyOf(numbers.text);
  const { word } = lookedAt(numbers);
  const skip = numbers.method === "skipgram";
  const operator = text(numbers.loss === "softmax" ? "op.softmax" : "op.sigmoid");
  return [
    {
      pieces: [{ chart: mapChart(numbers, snapshots, words) }],
      steps: isSmall(numbers) ? [0, 1] : [0],
      height: 190,
      most: 380,
    },
    {
      rowNames: [skip ? word : text("row.mean")],
      steps: [1],
      pieces: [
        { tensor: of("hidden") },
        { tensor: of("scores"), above: of("w_out_T"), columnNames: vocabulary },
        { operator: "probs", name: [operator], step: 1 },
        { tensor: of("both"), columnNames: vocabulary },
      ],
    },
  ];
}

export function flow(config: ConfigOf<"words">, snapshots: Snapshots, room: Room, of: Of): Flow {
  const { numbers } = config;
  const { words } = room;
  const text = said(words);
  const legends = {
    onehot: "legend.onehot",
    table: "legend.table",
    apart: "legend.apart",
    cosine: "legend.cosine",
    vectors: "legend.vectors",
    probs: "legend.probs",
    parameters: "legend.parameters",
  } as const;
  const legendOf = (family: string): string =>
    family in legends ? text(legends[family as keyof typeof legends]) : "";
  if (numbers.topic === "count") return { lines: countLines(numbers, of), legendOf };
  if (numbers.topic === "near")
    return { lines: nearLines(numbers, words, of), legendOf, aside: nearChart(numbers, snapshots, words) };
  return {
    lines: learnLines(numbers, snapshots, words, of),
    legendOf,
    aside: lossChart(numbers, snapshots, words),
  };
}
