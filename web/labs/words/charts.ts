/** The charts of the words lab: maps of words, and the loss while they are learned. */
import type { NumbersOf } from "../../config/config.js";
import { isPlane, vocabularyOf } from "../../config/labs/words.js";
import { formatNote } from "../../marks/numbers.js";
import type { Role, Snapshots } from "../../marks/scene.js";
import type { Axis, Chart, Series } from "../../stage/chart.js";
import type { Mark } from "../../stage/pen.js";
import { curveUpTo, inOrder, pointsOf, valuesOf, type Point } from "../../stage/series.js";
import type { Say } from "./strings.js";
import { selectedWord } from "./tensors.js";

type Numbers = NumbersOf["words"];

/** An axis that covers all of these values. Its domain is never a single number. */
function axisOf(values: readonly number[]): Axis {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { label: "", domain: low < high ? [low, high] : [low - 1, high + 1], air: true };
}

/**
 * A map with a unit of the same length on both axes, and the words as its points. Its axes cover the points of `within`; the series of
 * `under` are drawn under the words. The cells of the words are in `node`.
 */
function mapOfWords(
  chart: Pick<Chart, "id" | "title" | "marks">,
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
    grid: true,
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

/** The index of the word that is nearest to the answer. The three words of the analogy are left out, as is usual. */
function nearestWord({ names, analogy }: Numbers, snapshots: Snapshots): number {
  const closeness = valuesOf(snapshots, "closeness");
  const others = names.flatMap((_, at) => (analogy.includes(at) ? [] : [at]));
  return others.reduce((best, at) => (closeness[at]! > closeness[best]! ? at : best), others[0] ?? 0);
}

/** The words as points, and the analogy as two parallel arrows. */
export function nearChart(numbers: Numbers, snapshots: Snapshots, say: Say): Chart {
  const { names, analogy } = numbers;
  const places = pointsOf(snapshots, "seen.output");
  const target = pointsOf(snapshots, "target_seen")[0];
  const [a, b, c] = analogy as [number, number, number];
  const arrow = (from: number, to: Point | undefined, id: string): Series[] =>
    to && places[from] ? [{ id, role: "output", kind: "dashed", points: [places[from], to] }] : [];
  const answer = names[nearestWord(numbers, snapshots)]!;
  return mapOfWords(
    { id: "near", title: say("answer", { a: names[a]!, b: names[b]!, c: names[c]!, answer }) },
    "seen.output",
    [...places, ...(target ? [target] : [])],
    [...arrow(b, places[a], "change"), ...arrow(c, target, "answer")],
    names,
    places,
    (at) => (analogy.includes(at) ? "output" : "query"),
  );
}

/** The map at the current step, without its title on a phone. Its axes cover every step, so that the words move and the axes do not. */
export function learnedMap(numbers: Numbers, snapshots: Snapshots, say: Say, isNarrow: boolean): Chart {
  const { step, steps } = numbers;
  const vocabulary = vocabularyOf(numbers.text);
  const { word: selected, neighbours } = selectedWord(numbers);
  const node = isPlane(numbers) ? "w_in" : "places";
  const trail = pointsOf(snapshots, isPlane(numbers) ? "w_in_steps" : "trail");
  const roles = vocabulary.map((word): Role =>
    word === selected ? "query" : neighbours.includes(word) ? "key" : "activation",
  );
  const way = (word: number, from: number, to: number): Point[] =>
    Array.from(
      { length: to - from + 1 },
      (_, at) => trail[(from + at) * vocabulary.length + word] ?? [NaN, NaN],
    );
  const ways = roles.flatMap((role, word): Series[] => [
    { id: `way-${word}-on`, role, kind: "dashed", points: way(word, step, steps) },
    {
      id: `way-${word}`,
      role,
      kind: role === "activation" ? "mesh" : "line",
      points: way(word, 0, step),
    },
  ]);
  const title = isNarrow ? "" : say(step === 1 ? "chart.map.one" : "chart.map", { n: step });
  const marks: Mark[] = [
    [say("key.beside", { word: selected }), "key", "dot"],
    [say("key.so-far"), "query", "line"],
  ];
  if (step < steps) marks.push([say("key.ahead", { n: steps }), "query", "dashed"]);
  return mapOfWords(
    { id: "map", title, marks },
    node,
    trail,
    ways,
    vocabulary,
    pointsOf(snapshots, node),
    (at) => roles[at]!,
  );
}

/** The loss at every step, solid up to the current one, with a slider for the step. */
export function lossChart({ step, steps }: Numbers, snapshots: Snapshots, say: Say, isSmall: boolean): Chart {
  const losses = inOrder(snapshots, "losses");
  const loss = losses[step] ? formatNote(losses[step][1]) : "";
  return {
    id: "loss",
    title: say("chart.loss.now", { n: step, loss }),
    x: { label: "", domain: [0, steps] },
    y: { label: "", domain: [0, Math.max(...losses.map(([, value]) => value))] },
    series: curveUpTo("", "losses", losses, step, (at) => [at], { role: "activation" }),
    slider: { control: "step", name: say("axis.step"), value: step, isSmall },
    step: 0,
  };
}
