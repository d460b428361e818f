// The words lab trains word2vec: its tables after some steps equal those of a plain implementation of losses, gradients and Adam.
import { expect, test } from "vitest";
import type { ConfigOf } from "../../web/config/config.js";
import { sentencesOf, vocabularyOf } from "../../web/config/labs/words.js";
import { examples } from "../../web/examples/index.js";
import { computed } from "./labs-sessions.js";

type Table = number[][];

const config = (change: Partial<ConfigOf<"words">["numbers"]>): ConfigOf<"words"> => {
  const base = examples.find(({ id }) => id === "small-kingdom")!.config as ConfigOf<"words">;
  return { ...base, example: null, numbers: { ...base.numbers, ...change } };
};

const table = (config: ConfigOf<"words">, node: string): Table => {
  const { shape, data } = computed(config).snapshots.get(node)!;
  const width = shape.at(-1)!;
  return Array.from({ length: data.length / width }, (_, row) => [
    ...data.subarray(row * width, (row + 1) * width),
  ]);
};

const zeros = (like: Table): Table => like.map((row) => row.map(() => 0));
const dot = (a: number[], b: number[]): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0);

/** The predictions of a text: the ids whose vectors are averaged, and the id that they predict. */
function predictions({
  text,
  window,
  method,
}: ConfigOf<"words">["numbers"]): { from: number[]; to: number }[] {
  const vocabulary = vocabularyOf(text);
  return sentencesOf(text).flatMap((sentence) => {
    const ids = sentence.map((word) => vocabulary.indexOf(word));
    return ids.flatMap((id, at) => {
      const around = ids.filter((_, other) => other !== at && Math.abs(other - at) <= window);
      if (method === "skipgram") return around.map((to) => ({ from: [id], to }));
      return around.length > 0 ? [{ from: around, to: id }] : [];
    });
  });
}

/** The mean of -log softmax(U h)[to], and its gradients with respect to both tables. */
function lossOf(w: Table, u: Table, pairs: { from: number[]; to: number }[]) {
  const [dw, du] = [zeros(w), zeros(u)];
  let loss = 0;
  for (const { from, to } of pairs) {
    const h = w[0]!.map((_, k) => from.reduce((sum, id) => sum + w[id]![k]!, 0) / from.length);
    const exps = u.map((row) => Math.exp(dot(row, h)));
    const sum = exps.reduce((left, right) => left + right, 0);
    loss -= Math.log(exps[to]! / sum) / pairs.length;
    const error = exps.map((value, id) => (value / sum - (id === to ? 1 : 0)) / pairs.length);
    error.forEach((e, id) => h.forEach((value, k) => (du[id]![k]! += e * value)));
    for (const id of from)
      h.forEach(
        (_, k) =>
          (dw[id]![k]! += error.reduce((total, e, other) => total + e * u[other]![k]!, 0) / from.length),
      );
  }
  return { loss, dw, du };
}

function adam(parameters: Table, lr: number) {
  const [m, v] = [zeros(parameters), zeros(parameters)];
  return (gradient: Table, t: number) =>
    gradient.forEach((row, i) =>
      row.forEach((g, j) => {
        m[i]![j] = 0.9 * m[i]![j]! + 0.1 * g;
        v[i]![j] = 0.999 * v[i]![j]! + 0.001 * g * g;
        parameters[i]![j]! -=
          (lr * (m[i]![j]! / (1 - 0.9 ** t))) / (Math.sqrt(v[i]![j]! / (1 - 0.999 ** t)) + 1e-8);
      }),
    );
}

for (const method of ["skipgram", "cbow"] as const) {
  test(`${method}: tables and losses after 25 steps`, () => {
    const example = config({ method, steps: 25, step: 25, rate: 0.05, window: 2 });
    const pairs = predictions(example.numbers);
    const w = table(config({ method, steps: 25, step: 0 }), "w_in");
    const u = table(config({ method, steps: 25, step: 0 }), "w_out");
    const [first, second] = [adam(w, 0.05), adam(u, 0.05)];
    const losses: number[] = [];
    for (let t = 1; t <= 25; t++) {
      const { loss, dw, du } = lossOf(w, u, pairs);
      losses.push(loss);
      first(dw, t);
      second(du, t);
    }
    losses.push(lossOf(w, u, pairs).loss);
    const expectClose = (got: Table, wanted: Table) =>
      got.forEach((row, i) => row.forEach((value, j) => expect(value).toBeCloseTo(wanted[i]![j]!, 8)));
    expectClose(table(example, "w_in"), w);
    expectClose(table(example, "w_out"), u);
    expectClose(table(example, "losses"), [losses]);
    expect(losses[0]).toBeCloseTo(Math.log(vocabularyOf(example.numbers.text).length), 12);
  });
}

test("negative sampling lowers the loss, and a second run gives the same losses", () => {
  for (const method of ["skipgram", "cbow"] as const) {
    const example = config({ method, loss: "negative", steps: 60, step: 60 });
    const losses = [...computed(example).snapshots.get("losses")!.data];
    // Before the first step every score is 0, so the loss is log 2 for the true word and for each of its five negative samples.
    expect(losses[0]).toBeCloseTo(6 * Math.log(2), 12);
    expect(losses.at(-1)!).toBeLessThan(0.7 * losses[0]!);
    expect([...computed(example).snapshots.get("losses")!.data]).toEqual(losses);
  }
});

test("the selected word has predicted probabilities, and the shares of its neighbours in the text", () => {
  const example = config({ at: 0, step: 0 });
  const [predicted, text] = table(example, "both");
  const vocabulary = vocabularyOf(example.numbers.text);
  predicted!.forEach((value) => expect(value).toBeCloseTo(1 / vocabulary.length, 12));
  // In "king rules", "king loves queen" and "queen loves king", "king" has five neighbours.
  const share = (word: string) => text![vocabulary.indexOf(word)];
  expect([share("rules"), share("loves"), share("queen"), share("cat")]).toEqual([0.2, 0.4, 0.4, 0]);
});
