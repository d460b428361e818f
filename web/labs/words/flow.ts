/** The stage of the words lab in lines, by topic: one-hot rows and counts, cosines and an analogy, a map of the learned words, token ids and a table. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { vocabularyOf } from "../../config/labs/words.js";
import type { Role, Room, Snapshots } from "../../marks/scene.js";
import type { Axis, Chart, Series } from "../../stage/chart.js";
import type { Flow, Line } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { inOrder, pointsOf, valuesOf, curveUpTo, type Point } from "../../stage/series.js";
import { stringsIn, type Say } from "./strings.js";
import { selectedWord } from "./tensors.js";

type Numbers = NumbersOf["words"];
type BlockOf = (node: string) => Block;

/** An axis that covers all of these values. Its domain is never a single number. */
function axisOf(values: readonly number[]): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { label: "", domain: low < high ? [low, high] : [low - 1, high + 1], air: true };
}

/** A chart with words as points. Its axes cover the points of `within`; the series of `under` are drawn under the words. */
function wordChart(
  chart: Pick<Chart, "id" | "title">,
  node: string,
  within: readonly Point[],
  under: readonly Series[],
  names: readonly string[],
  places: readonly Point[],
  roleOf: (at: number) => Role,
): Chart {
  return {
    ...chart,
    x: axisOf(within.map(([x]) => x)),
    y: axisOf(within.map(([, y]) => y)),
    equal: true,
    series: [
      ...under,
      ...names.map((name, at): Series => ({
        id: `word-${at}`,
        role: roleOf(at),
        kind: "line",
        points: [places[at] ?? [NaN, NaN]],
        cells: [{ node, index: [at, 0] }],
        dots: "large",
        label: name,
      })),
    ],
    step: 0,
  };
}

function countLines(of: BlockOf): Line[] {
  return [
    { steps: [0], pieces: [of("onehot"), { tensor: of("vectors"), above: of("E") }] },
    { steps: [1], pieces: [of("counts"), "−", of("counts_other"), "=", of("difference")] },
    { steps: [2], pieces: ["apart.dot", "apart.distance", "table.cosine"].map(of) },
  ];
}

function nearLines({ x }: Numbers, say: Say, of: BlockOf): Line[] {
  const columnNames = x[0]!.map((_, at) => String(at));
  const cos = [say("op.cos")] as const;
  return [
    { steps: [0], pieces: [{ tensor: of("E"), columnNames }, cos, of("table.cosine")] },
    {
      steps: [1],
      pieces: [of("first"), "−", of("less"), "+", of("plus"), "=", of("target"), cos, of("closeness")],
    },
  ];
}

/** The index of the word that is nearest to the answer. The three words of the analogy are left out, as is usual. */
function nearestWord({ names, analogy }: Numbers, snapshots: Snapshots): number {
  const closeness = valuesOf(snapshots, "closeness");
  const others = names.flatMap((_, at) => (analogy.includes(at) ? [] : [at]));
  return others.reduce((best, at) => (closeness[at]! > closeness[best]! ? at : best), others[0] ?? 0);
}

/** The words as points, and the analogy as two parallel arrows. */
function nearChart(numbers: Numbers, snapshots: Snapshots, say: Say): Chart {
  const { names, analogy } = numbers;
  const places = pointsOf(snapshots, "seen.output");
  const target = pointsOf(snapshots, "target_seen")[0];
  const [a, b, c] = analogy as [number, number, number];
  const arrow = (from: number, to: Point | undefined, id: string): Series[] =>
    to && places[from] ? [{ id, role: "output", kind: "dashed", points: [places[from], to] }] : [];
  const answer = names[nearestWord(numbers, snapshots)]!;
  return wordChart(
    { id: "near", title: say("answer", { a: names[a]!, b: names[b]!, c: names[c]!, answer }) },
    "seen.output",
    [...places, ...(target ? [target] : [])],
    [...arrow(b, places[a], "change"), ...arrow(c, target, "answer")],
    names,
    places,
    (at) => (analogy.includes(at) ? "output" : "query"),
  );
}

/** The largest number of points that are drawn of a word's path. */
const MOST_PATH_POINTS = 40;

function mapChart(numbers: Numbers, snapshots: Snapshots, say: Say): Chart {
  const { step } = numbers;
  const vocabulary = vocabularyOf(numbers.text);
  const trail = pointsOf(snapshots, "trail");
  const { word, neighbours } = selectedWord(numbers);
  const roleOf = (at: number): Role =>
    vocabulary[at] === word ? "query" : neighbours.includes(vocabulary[at]!) ? "key" : "activation";
  const stride = Math.ceil((step + 1) / MOST_PATH_POINTS);
  const drawnSteps = Array.from({ length: step + 1 }, (_, at) => at).filter(
    (at) => at % stride === 0 || at === step,
  );
  const paths = vocabulary.map((_, at): Series => ({
    id: `way-${at}`,
    role: roleOf(at),
    kind: "faint",
    points: drawnSteps.map((drawnStep) => trail[drawnStep * vocabulary.length + at] ?? [NaN, NaN]),
  }));
  // The axes cover all paths, so that the words move and the axes do not.
  return wordChart(
    { id: "map", title: say(step === 1 ? "chart.map.one" : "chart.map", { n: step }) },
    "places",
    trail,
    paths,
    vocabulary,
    pointsOf(snapshots, "places"),
    roleOf,
  );
}

function lossChart({ step, steps }: Numbers, snapshots: Snapshots, say: Say): Chart {
  return {
    id: "loss",
    title: say("chart.loss"),
    x: { label: say("axis.step"), domain: [0, steps] },
    y: { label: "" },
    series: curveUpTo("", "losses", inOrder(snapshots, "losses"), step, (at) => [at], { role: "activation" }),
    step: 0,
  };
}

/** Whether the map and the prediction have room on one stage. With more words, each is a stage of its own. */
export const isSmallVocabulary = ({ text }: Pick<Numbers, "text">): boolean =>
  vocabularyOf(text).length <= 12;

function learnLines(numbers: Numbers, snapshots: Snapshots, say: Say, of: BlockOf): Line[] {
  const curve = say(numbers.loss === "softmax" ? "op.softmax" : "op.sigmoid");
  return [
    {
      pieces: [{ chart: mapChart(numbers, snapshots, say) }],
      steps: isSmallVocabulary(numbers) ? [0, 1] : [0],
      height: 190,
      most: 380,
    },
    {
      rowNames: [numbers.method === "skipgram" ? selectedWord(numbers).word : say("row.mean")],
      steps: [1],
      pieces: [
        of("hidden"),
        { tensor: of("scores"), above: of("w_out_T") },
        { operator: "probs", name: [curve] },
        of("both"),
      ],
    },
  ];
}

/** The size, in cells of its line, of a tensor with hundreds of rows or columns. */
const LARGE_TENSOR_SIZE = 8;

/** The lines of the lookup, which phones show. Tensors with hundreds of rows or columns are small there; the picture shows them in full. */
function lookupLines(of: BlockOf): Line[] {
  const table = { ...of("E"), down: LARGE_TENSOR_SIZE };
  return [
    { steps: [0], pieces: [of("ids"), { tensor: of("X"), above: table }] },
    {
      steps: [1],
      pieces: [
        { ...of("onehot"), across: LARGE_TENSOR_SIZE },
        { tensor: of("product"), above: table },
        of("difference"),
      ],
    },
  ];
}

export function flow({ numbers }: ConfigOf<"words">, snapshots: Snapshots, room: Room, of: BlockOf): Flow {
  const say = stringsIn(room.words);
  const { lines, ...aside } = {
    count: () => ({ lines: countLines(of) }),
    near: () => ({ lines: nearLines(numbers, say, of), aside: nearChart(numbers, snapshots, say) }),
    learn: () => ({
      lines: learnLines(numbers, snapshots, say, of),
      aside: lossChart(numbers, snapshots, say),
    }),
    lookup: () => ({ lines: lookupLines(of) }),
  }[numbers.topic]();
  return { lines, ...aside };
}
