// The encoder-decoder lab: its numbers equal NumPy's and those of the core's whole model, its cache changes no number, and its weights translate.
import { sceneFor } from "../../web/page/open-lab.js";
import { expect, test } from "vitest";
import type { ConfigOf, NumbersOf } from "../../web/config/config.js";
import { decode } from "../../web/config/decode.js";
import { repairNumbers } from "../../web/config/rules.js";
import { sourceWords } from "../../web/config/labs/encoder-decoder.js";
import { wordsIn } from "../../web/i18n/words.js";
import { rounded, thousandthsText, train } from "../../toolchain/train-translator.mjs";
import translator from "../../web/labs/encoder-decoder/translator.json";
import { numbersInThousandths } from "../../web/labs/encoder-decoder/thousandths.js";
import { vocabulary } from "../../web/labs/encoder-decoder/vocabulary.js";
import { isRefused } from "../../web/telling/typed-values.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { computed, configOf, givenTranslator, labs, wholeCore } from "./labs-sessions.js";
import { optionsOf } from "./setting-bounds.js";

const trainedSteps = optionsOf("encoder-decoder", "trained");

type Config = ConfigOf<"encoder-decoder">;
const lab = labs["encoder-decoder"];
const en = wordsIn("en");

const configFor = (text: string, trained = 2500): Config => {
  const tokens = text.split(" ");
  return configOf<"encoder-decoder">("old-black-cat", { tokens, steps: tokens.length + 1, trained });
};
const decodedText = (snapshots: Snapshots): string =>
  Array.from(snapshots.get("next_ids")!.data, (id) => vocabulary[id]).join(" ");

test("the vocabulary is the one that the translator was trained with", () => {
  expect(vocabulary).toEqual(translator.vocabulary);
  expect(vocabulary.slice(1, 1 + sourceWords.length)).toEqual([...sourceWords]);
  expect(Object.keys(translator.states).map(Number)).toEqual(trainedSteps.slice(1));
});

// Printed by tests/browser/fixtures/translator.py, which computes in NumPy.
test("the numbers equal NumPy's", () => {
  const { snapshots } = computed(configOf("old-black-cat"));
  expect(decodedText(snapshots)).toBe("le vieux chat noir dort <end>");
  const weights = snapshots.get("decoder.multihead_attn.weights")!;
  expect(weights.shape).toEqual([2, 6, 5]);
  const third = [0.000301711410146, 0.0704561853581, 5.83873931566e-11, 0.92924206047, 4.27030897094e-8];
  third.forEach((value, column) => {
    expect(Math.abs(weights.data[10 + column]! / value - 1)).toBeLessThan(1e-10);
  });
  const next = snapshots.get("next")!;
  [0.90107073627, 0.900182946485, 0.899699254264, 0.901087459658, 0.883450395865, 0.899989624219].forEach(
    (value, row) => {
      const largest = Math.max(...next.data.subarray(row * 28, (row + 1) * 28));
      expect(Math.abs(largest - value)).toBeLessThan(1e-11);
    },
  );
});

test("the logits equal those of the core's whole model, and the cache changes no number", () => {
  for (const trained of trainedSteps) {
    const config = configFor("the small white dog sees a black horse", trained);
    const { snapshots } = computed(config);
    using parameters = wholeCore.parameters();
    parameters.draw("seq2seq", translator.sizes, translator.seed);
    const state = (translator.states as Record<string, { parameters: Record<string, string> }>)[trained];
    for (const [name, text] of Object.entries(state?.parameters ?? {}))
      parameters.set(name, { shape: parameters.get(name).shape, data: numbersInThousandths(text) });
    using graph = wholeCore.graph();
    const ids = (node: string) => {
      const { shape, data } = snapshots.get(node)!;
      return { shape, data: Int32Array.from(data) };
    };
    const { logits } = graph.seq2seq(ids("source_ids"), ids("target_ids"), parameters, {
      numHeads: 2,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
    });
    const whole = graph.value(logits).data;
    snapshots
      .get("logits")!
      .data.forEach((value, at) => expect(Math.abs(value - whole[at]!)).toBeLessThan(1e-12));
    snapshots.get("difference")!.data.forEach((value) => expect(Math.abs(value)).toBe(0));
    expect(snapshots.get("kept_keys")!.data).toEqual(snapshots.get("decoder.self_attn.K")!.data);
  }
});

test("the trained weights translate, untrained weights do not", () => {
  const sentences = {
    "a white horse sings": "un cheval blanc chante <end>",
    "the cat sees the dog": "le chat voit le chien <end>",
    "the old white cat follows a small black horse": "le vieux chat blanc suit un petit cheval noir <end>",
    "a small dog sleeps": "un petit chien dort <end>",
  };
  for (const [source, target] of Object.entries(sentences)) {
    expect(decodedText(computed(configFor(source)).snapshots)).toBe(target);
    expect(decodedText(computed(configFor(source, 0)).snapshots)).not.toBe(target);
  }
});

test("the decoder's self-attention gives later words the weight 0", () => {
  const { snapshots } = computed(configOf("cat-follows-dog"));
  const { shape, data } = snapshots.get("decoder.self_attn.weights")!;
  const length = shape[1]!;
  data.forEach((weight, at) => {
    const [row, column] = [Math.floor(at / length) % length, at % length];
    if (column > row) expect(weight).toBe(0);
    else expect(weight).toBeGreaterThan(0);
  });
});

test("controls accept words of the language only, and a complete translation stays complete", () => {
  const { numbers } = configOf<"encoder-decoder">("old-black-cat");
  const set = (control: string, value: string, from = numbers) => {
    const answer = lab.change(from, control, value, en);
    return isRefused(answer) ? answer.refused : answer;
  };
  expect(set("words", "The cat sings")).toMatchObject({ tokens: ["the", "cat", "sings"], steps: 4 });
  expect(set("words", "the lion sleeps")).toMatch(/expected words of the, a, old, .*, got lion\.$/);
  expect(set("steps", "7")).toMatch(/from 1 to 6, got 7/);
  const short = set("steps", "3");
  expect(short).toMatchObject({ steps: 3 });
  expect(set("words", "a dog", short as typeof numbers)).toMatchObject({ steps: 3 });
});

test("a remark explains untrained weights; trained weights have none", () => {
  const titles = (config: Config) => {
    const { snapshots } = computed(config);
    return lab.remarks(config, snapshots, en).map(({ id }) => id);
  };
  expect(titles(configFor("the old black cat sleeps"))).toEqual([]);
  expect(titles(configFor("the old black cat sleeps", 0))).toEqual(["drawn"]);
});

test("Play stops at the predicted word, and rows have the names of the decoded words, before a scene is made", () => {
  const config = configFor("the old black cat sleeps");
  const { snapshots } = computed(config);
  const cellOf = (id: string, numbers: Snapshots) =>
    lab.steps(config, en, numbers).find((step) => step.id === id)!.cell;
  const { node, index } = cellOf("next", snapshots);
  expect([node, index[0], vocabulary[index[1]!]]).toEqual(["next", 2, "chat"]);
  const [, names] = lab.nodeWords(config, "decoder.self_attn.weights", en, snapshots).axes;
  expect(names).toEqual(["<begin>", "le", "vieux", "chat", "noir", "dort"]);
  const cached = lab.nodeWords(config, "cached.step_2.logits", en, snapshots);
  expect(cached.meaning([0, 0])).toBe("vieux");
  // Without numbers there is no predicted word, even after a scene with numbers was made.
  const room = { width: 1232, height: 560, layout: "wide" as const, step: 0, cell: null, words: en };
  sceneFor(config, snapshots, room);
  expect(cellOf("next", new Map()).index).toEqual([2, 0]);
});

// The state after 100 of 2500 steps, as toolchain/train-translator.mjs writes it.
test("training again gives the committed weights", () => {
  const first = train(wholeCore).next().value!;
  expect(first.steps).toBe(100);
  expect(first.unseen).toHaveLength(translator.states[100].unseen);
  for (const [name, numbers] of Object.entries(rounded(first.parameters))) {
    const text = (translator.states[100].parameters as Record<string, string>)[name]!;
    expect(Array.from(numbersInThousandths(text))).toEqual(numbers);
    expect(thousandthsText(numbers)).toBe(text);
  }
});

test("the largest probabilities are those that label smoothing allows, 0.9 + 0.1 / 28", () => {
  const next = computed(configOf("cat-follows-dog")).snapshots.get("next")!;
  const largest = Array.from({ length: 10 }, (_, row) =>
    Math.max(...next.data.subarray(row * 28, (row + 1) * 28)),
  );
  for (const value of largest) expect(Math.abs(value - (0.9 + 0.1 / 28))).toBeLessThan(0.04);
});

test("the help of the sentence names the two languages", () => {
  const config = configOf<"encoder-decoder">("old-black-cat");
  const help = (language: "en" | "zh-CN") =>
    labs["encoder-decoder"].sentence(config, wordsIn(language)).controls.find(({ id }) => id === "words")
      ?.help;
  expect(help("en")).toContain("English into French");
  expect(help("zh-CN")).toContain("英语译成法语");
});

test("the symbol of every drawn map of weights has the number of its head, on a wide screen and on a phone", () => {
  const config = configOf<"encoder-decoder">("old-black-cat");
  const { snapshots } = computed(config);
  const symbolsAt = (width: number, layout: "wide" | "narrow", step: number): string[] => {
    const room = { width, height: 560, layout, step, cell: null, words: en };
    return sceneFor(config, snapshots, room).tensors.flatMap(({ symbol }) =>
      symbol.text === "A" ? [String(symbol.sub)] : [],
    );
  };
  expect(symbolsAt(1232, "wide", 2)).toEqual(["E0", "E1", "D0", "D1", "C0", "C1"]);
  expect(symbolsAt(358, "narrow", 2)).toEqual(["C0", "C1"]);
});

/** Numbers with a model of two layers and four heads. */
const given = (other: Partial<NumbersOf["encoder-decoder"]> = {}): NumbersOf["encoder-decoder"] => {
  const vocabulary = ["<pad>", "<begin>", "<end>", "0", "1", "10", "看见", "cat"];
  return givenTranslator({
    vocabulary,
    dim: 4,
    heads: 4,
    layers: 2,
    hidden: 3,
    tokens: ["0", "1"],
    steps: 3,
    ...other,
  });
};
const givenConfig = (other: Partial<NumbersOf["encoder-decoder"]> = {}): Config => ({
  ...configOf<"encoder-decoder">("old-black-cat"),
  numbers: given(other),
});

test("a given model reads its own words, typed with or without spaces, and keeps as many steps beyond them", () => {
  const set = (value: string, from = given()) => {
    const answer = lab.change(from, "words", value, en);
    return isRefused(answer) ? answer.refused : answer;
  };
  expect(set("10 看见1")).toMatchObject({ tokens: ["10", "看见", "1"], steps: 4 });
  expect(set("1", given({ steps: 5 }))).toMatchObject({ tokens: ["1"], steps: 4 });
  expect(set("看见")).toMatchObject({ tokens: ["看见"] });
  expect(set("Cat 1")).toMatchObject({ tokens: ["cat", "1"] });
  expect(set("1 2")).toMatch(/^Words to read: expected words of 0, 1, 10, 看见, cat, got 2\.$/);
  expect(set("<end>")).toMatch(/got <end>\.$/);
});

test("of a given model the layer and the pair of heads are chosen, and the help lists its words", () => {
  const { text, controls } = lab.sentence(givenConfig({ layer: 1, head: 2 }), en);
  expect(text).toContain("shown: {layer}, {head}.");
  const labels = Object.fromEntries(controls.map(({ id, label }) => [id, label]));
  expect(labels).toMatchObject({ layer: "layer 1", head: "heads 2 and 3" });
  expect(controls.find(({ id }) => id === "words")?.help).toBe(
    "The model of the run knows: 0 1 10 看见 cat.",
  );
  expect(controls.find(({ id }) => id === "head")?.options?.map(({ label }) => label)).toEqual([
    "heads 0 and 1",
    "heads 2 and 3",
  ]);
  expect(controls.find(({ id }) => id === "trained")?.options?.map(({ label }) => label)).toEqual([
    "of a run in the training lab",
    "of the French translator, as they were drawn",
    "of the French translator, after 100 steps",
    "of the French translator, after 500 steps",
    "of the French translator, after 2500 steps",
  ]);
  expect(lab.change(given(), "layer", "1", en)).toMatchObject({ layer: 1 });
  expect(lab.change(given({ layer: 1 }), "layer", "0", en)).not.toHaveProperty("layer");
  expect(lab.sentence(configOf<"encoder-decoder">("old-black-cat"), en).text).not.toContain("shown");
});

test("another step of the stored translator's training leaves the words and their number as they are", () => {
  const { numbers } = configFor("the black cat sleeps");
  const short = { ...numbers, steps: 3 };
  expect(lab.change(short, "trained", "500", en)).toEqual({ ...short, trained: 500 });
});

test("the stored translator takes the place of a given model, with words that it knows", () => {
  const stored = lab.change(given({ layer: 1, head: 2 }), "trained", "500", en);
  expect(stored).toEqual({
    tokens: ["the", "old", "black", "cat", "sleeps"],
    steps: 6,
    trained: 500,
    edits: [],
  });
});

test("the shown layer and heads are drawn, and each stop has a cell of them", () => {
  const config = givenConfig({ layer: 1, head: 2 });
  const { snapshots } = computed(config);
  const room = { width: 1232, height: 560, layout: "wide" as const, step: 2, cell: null, words: en };
  const ids = sceneFor(config, snapshots, room).tensors.map(({ id }) => id);
  expect(ids).toContain("decoder.layers.1.multihead_attn.weights-3");
  expect(ids.filter((id) => /weights-\d$/.test(id))).toHaveLength(6);
  const cells = lab.steps(config, en, snapshots).map(({ cell: { node, index } }) => [node, index[0]]);
  expect(cells.slice(1, 3)).toEqual([
    ["decoder.layers.1.self_attn.weights", 2],
    ["decoder.layers.1.multihead_attn.weights", 2],
  ]);
  expect(snapshots.get("kept_keys")!.data).toEqual(snapshots.get("decoder.layers.1.self_attn.K")!.data);
});

test("a link that shows a layer or a pair of heads that the model has not is repaired to the last", () => {
  const { numbers } = givenConfig({ layer: 5, head: 6 });
  const repaired = repairNumbers(
    "encoder-decoder",
    numbers,
    configOf<"encoder-decoder">("old-black-cat").numbers,
  );
  expect(repaired).toMatchObject({ layer: 1, head: 2, vocabulary: numbers.vocabulary });
});

test("the names of layers that are not shown have their number", () => {
  const config = givenConfig({ layer: 1 });
  const { snapshots } = computed(config);
  const name = (node: string) => lab.nodeWords(config, node, en, snapshots).name;
  expect(name("encoder.self_attn.Q")).toBe("queries, layer 0");
  expect(name("decoder.layers.1.multihead_attn.weights")).toBe("cross attention, head 0");
  const stored = configOf<"encoder-decoder">("old-black-cat");
  expect(lab.nodeWords(stored, "encoder.self_attn.Q", en, computed(stored).snapshots).name).toBe("queries");
});

test("the last of three heads stands alone, and the line from the memory leads to its middle", () => {
  const config = givenConfig({
    dim: 6,
    heads: 3,
    head: 2,
    tokens: ["0", "1", "10", "0", "1", "10", "0", "1"],
  });
  const { snapshots } = computed(config);
  const room = { width: 1232, height: 560, layout: "wide" as const, step: 2, cell: null, words: en };
  const { tensors, wires } = sceneFor(config, snapshots, room);
  const [cross, ...others] = tensors.filter(({ node }) => node === "decoder.multihead_attn.weights");
  expect(others).toEqual([]);
  const [end] = wires.find(({ id }) => id === "memory-cross")!.points.at(-1)!;
  expect(end).toBeCloseTo(cross!.x + (8 * cross!.cellWidth) / 2, 6);
});

test.each([
  ["vocabulary=0,1&parameters=1,2", "vocabulary", "<begin>, a, …"],
  ["vocabulary=%3Cbegin%3E,%3Cend%3E&parameters=1,2", "vocabulary", "<begin>, a, …"],
  ["dim=4", "dim", "beside"],
  ["layer=1", "layer", "beside"],
  ["vocabulary=%3Cbegin%3E,0&parameters=1,2&dim=1&heads=1", "parameters", "(1, "],
  ["vocabulary=%3Cbegin%3E,0", "vocabulary", "beside"],
])("a link with %s is repaired, and a notice names %s", (fields, field, expected) => {
  const { config, notices } = decode(`v=1&lab=encoder-decoder&${fields}`);
  expect(JSON.stringify(notices.find((notice) => "field" in notice && notice.field === field))).toContain(
    expected,
  );
  const { tokens, vocabulary, dim } = config.numbers as NumbersOf["encoder-decoder"];
  expect([vocabulary, dim]).toEqual([undefined, undefined]);
  expect(tokens).toContain("cat");
});
