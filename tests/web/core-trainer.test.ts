// The trainer from JavaScript: what it returns, when it stops, and what is refused.
import { describe, expect, test } from "vitest";
import type { Progress, TrainerOptions } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

/** A run that learns within some hundred short steps. */
const small: TrainerOptions = {
  task: { name: "reverse", shortest: 7, longest: 7, symbols: 4 },
  model: { dModel: 16, dFf: 32, numHeads: 2, numLayers: 1, normFirst: true },
  optimizer: { lr: 0.02 },
  batchSize: 16,
  warmup: 5,
};

const losses = (steps: readonly { loss: number }[]): number[] => steps.map(({ loss }) => loss);

test("steps tell their loss, and learn", () => {
  using trainer = core.trainer(small);
  expect(trainer.steps).toBe(0);
  expect(trainer.gradient("embedding.weight")).toBeUndefined();
  const before = trainer.evaluate();
  const first = trainer.step();
  expect(first).toEqual({
    step: 1,
    loss: expect.any(Number) as number,
    lr: 0.02 / 5,
    gradientNorm: expect.any(Number) as number,
  });
  expect(trainer.run({ steps: 119 })).toHaveLength(119);
  expect(trainer.steps).toBe(120);
  const after = trainer.evaluate();
  expect(after.loss).toBeLessThan(before.loss / 2);
  expect(after.accuracy).toBeGreaterThan(before.accuracy);
  const shape = [trainer.names.includes("embedding.weight"), trainer.value("embedding.weight").shape];
  expect(shape).toEqual([true, trainer.gradient("embedding.weight")!.shape]);
});

test("a text goes on from its start, and the draws come from a seed", () => {
  using trainer = core.trainer({
    task: { name: "text", window: 12 },
    model: { kind: "decoder", dModel: 8, numHeads: 2, numLayers: 1, dFf: 16 },
    batchSize: 4,
  });
  const start = [5, 6];
  const greedy = trainer.predict({ start });
  expect([greedy.length, greedy.slice(0, 2)]).toEqual([12, start]);
  const drawn = trainer.predict({ start }, { temperature: 2, seed: 3 });
  expect(drawn).not.toEqual(greedy);
  using graph = core.graph({ observe: true });
  const { answers } = trainer.observe(graph, [{ start }], { temperature: 2, seed: 3 });
  expect(answers).toEqual([drawn]);
});

test("every number of a moment can be looked at, and explained", () => {
  using trainer = core.trainer({ ...small, seed: 3 });
  trainer.run({ steps: 4 });
  using graph = core.graph({ observe: true });
  const source = [3, 4, 5, 6, 3, 4, 5];
  const { loss, logits, answers } = trainer.observe(graph, [{ source }]);
  expect(answers).toEqual([trainer.predict({ source })]);
  expect(logits.shape).toEqual([1 + 16, 7, 7]);
  const weights = graph.value("encoder.layers.0.self_attn.weights");
  expect(weights.shape).toEqual([17, 2, 7, 7]);
  expect(graph.explain("encoder.layers.0.self_attn.weights", [0, 1, 2, 3]).op).toBe("softmax");
  graph.backward(loss);
  const name = "encoder.layers.0.self_attn.in_proj_weight";
  const explained = graph.explainGradient(name, [0, 0]);
  const seen = graph.value(loss).data[0]!;
  expect(trainer.step().loss).toBeCloseTo(seen, 5);
  // The optimizer clips nothing here, so that its gradient is the explained one.
  expect(trainer.gradient(name)!.data[0]).toBeCloseTo(explained.value, 5);
  expect(() => trainer.observe(graph, [])).toThrow("trainer: graph is");
  using single = core.graph({ precision: "float32" });
  expect(() => trainer.observe(single, [])).toThrow("observe: graph is float32, expected a graph of float64");
  using empty = core.graph();
  expect(() => trainer.observe(empty, [{ source: [99, 3, 3, 3, 3, 3, 3] }])).toThrow("source is 99");
});

test("the next move of a parameter is a node, and the step makes it", () => {
  using trainer = core.trainer({ ...small, seed: 3 });
  trainer.run({ steps: 4 });
  const name = "encoder.layers.0.self_attn.in_proj_weight";
  using graph = core.graph({ observe: true });
  trainer.observe(graph, []);
  const move = trainer.observeMove(graph, name);
  expect([move.name, move.shape]).toEqual([`${name}.move`, trainer.value(name).shape]);
  const next = graph.value(`${name}.next`).data;
  trainer.step();
  for (const [at, value] of trainer.value(name).data.entries()) expect(value).toBeCloseTo(next[at]!, 5);
  expect(() => trainer.observeMove(graph, "weights")).toThrow("weights");
  using single = core.graph({ precision: "float32" });
  expect(() => trainer.observeMove(single, name)).toThrow("observe_move: graph is float32");
});

test("an answer can be looked at as it is written with a cache", () => {
  using trainer = core.trainer({ ...small, model: { ...small.model, kind: "encoderDecoder" }, seed: 3 });
  trainer.run({ steps: 4 });
  using graph = core.graph({ observe: true });
  const source = [3, 4, 5, 6, 3, 4, 5];
  const { logits } = trainer.observe(graph, [{ source }]);
  const answer = [5, 4, 3];
  const cached = trainer.observeCached(graph, { source }, answer);
  expect([cached.name, cached.shape]).toEqual(["cached.logits", [3, logits.shape[2]]]);
  // The first row is before every token that is written; those of the model's own answer follow its own tokens.
  const { data } = graph.value(cached);
  for (const [id, number] of graph.value(logits).data.slice(0, logits.shape[2]).entries())
    expect(data[id]).toBeCloseTo(number, 12);
  expect(graph.value("cached.step_2.decoder.layers.0.self_attn.K").shape[0]).toBe(1);
  expect(() => trainer.observeCached(graph, { source }, [])).toThrow("observe_cached: answer is 0 ids");
  expect(() => trainer.observeCached(graph, { source: [99] }, answer)).toThrow("source is 99");
  using other = core.graph({ observe: true });
  expect(() => trainer.observeCached(other, { source }, answer)).toThrow("observe_cached");
  expect(() => trainer.observeCached({} as never, { source }, answer)).toThrow("observeCached: graph is");
  using encoder = core.trainer(small);
  expect(() => encoder.observeCached(graph, { source }, answer)).toThrow(
    "observe_cached: model is encoder, expected decoder or encoderDecoder",
  );
});

test("norms of parameters by their names", () => {
  using trainer = core.trainer(small);
  const { gradientNorm } = trainer.step();
  const { value, gradient, update } = trainer.norms(trainer.names);
  expect(gradient).toBeCloseTo(gradientNorm, 6);
  expect([value > 0, update > 0 && update < value]).toEqual([true, true]);
  expect(() => trainer.norms(["none"])).toThrow("none");
  expect(() => trainer.norms("none" as never)).toThrow("norms: names is");
});

test("a run ends with its time, after at least one step", () => {
  using trainer = core.trainer(small);
  const made = trainer.run({ milliseconds: 1 });
  expect(made.length).toBeGreaterThan(0);
  expect(trainer.steps).toBe(made.length);
});

test("what is asked of it between two steps changes nothing", () => {
  using trainer = core.trainer({ ...small, model: { ...small.model, dropout: 0.1 }, seed: 7 });
  using other = core.trainer({ ...small, model: { ...small.model, dropout: 0.1 }, seed: 7 });
  const expected = losses(trainer.run({ steps: 6 }));
  const made = [other.step().loss];
  other.evaluate();
  expect(other.predict({ source: [3, 4, 5, 6, 3, 4, 5] })).toHaveLength(7);
  other.save();
  expect([...made, ...losses(other.run({ steps: 5 }))]).toEqual(expected);
  other.reset();
  expect(losses(other.run({ steps: 6 }))).toEqual(expected);
});

test("a checkpoint goes on in another trainer, also made from the file's own options", () => {
  using trainer = core.trainer(small);
  trainer.run({ steps: 5 });
  const file = trainer.save();
  const expected = losses(trainer.run({ steps: 5 }));
  using other = core.trainer(small);
  other.load(file);
  expect(other.steps).toBe(5);
  expect(losses(other.run({ steps: 5 }))).toEqual(expected);
  // The parameters are those of a .safetensors file.
  using third = core.trainer(small);
  third.load(file.buffer as ArrayBuffer);
  const read = core.readSafetensors(file, { precision: "float32" });
  for (const name of third.names) expect(read[name]).toEqual(third.value(name));
  expect(Object.keys(read).filter((name) => name.startsWith("optimizer.exp_avg."))).toHaveLength(
    third.names.length,
  );
});

test("hundreds of steps, with all that is asked between them, take no more memory than the first", async () => {
  using trainer = core.trainer({ ...small, model: { ...small.model, dropout: 0.1 } });
  const round = async (): Promise<void> => {
    await trainer.train({ steps: trainer.steps + 20, every: 10 });
    trainer.predict({ source: [3, 4, 5, 6, 3, 4, 5] });
    trainer.load(trainer.save());
  };
  await round();
  const { memoryBytes, liveValues } = core;
  for (let rounds = 0; rounds < 20; rounds++) await round();
  expect([core.memoryBytes, core.liveValues]).toEqual([memoryBytes, liveValues]);
});

describe("train", () => {
  test("reports, and stops at its limits", async () => {
    using trainer = core.trainer(small);
    const reports: Progress[] = [];
    const last = await trainer.train({
      steps: 25,
      every: 10,
      onProgress: (progress) => void reports.push(progress),
    });
    expect(reports.map(({ step }) => step)).toEqual([10, 20, 25]);
    expect(last).toBe(reports.at(-1));
    expect(last.heldOut).toEqual(trainer.evaluate());
    expect((await trainer.train({ accuracy: 0.5, every: 25 })).heldOut.accuracy).toBeGreaterThanOrEqual(0.5);
    const steps = trainer.steps;
    await trainer.train({ onProgress: () => false, every: 5 });
    expect(trainer.steps).toBe(steps - (steps % 5) + 5);
    const seconds = await trainer.train({ seconds: 0.001 });
    expect(seconds.step).toBeGreaterThan(steps);
  });

  test("stops when the held-out loss does not fall any more", async () => {
    using trainer = core.trainer({ ...small, optimizer: { lr: 0 } });
    await trainer.train({ patience: 2, every: 1 });
    expect(trainer.steps).toBe(3);
  });

  test("lets the event loop go on", async () => {
    using trainer = core.trainer(small);
    let turns = 0;
    const timer = setInterval(() => turns++);
    await trainer.train({ onProgress: () => turns < 2, every: 50 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
  });

  test("refuses limits that it does not know", async () => {
    using trainer = core.trainer(small);
    trainer.run({ steps: 4 });
    const refused: [unknown, string][] = [
      [{}, "train: limits is an Object, expected steps, seconds, accuracy, patience or onProgress"],
      [{ steps: 0 }, "train: steps is 0, expected an integer of at least 1"],
      [{ seconds: 0 }, "train: seconds is 0, expected a finite number above 0"],
      [{ accuracy: "all" }, 'train: accuracy is "all", expected a finite number above 0'],
      [{ patience: 1.5 }, "train: patience is 1.5, expected an integer of at least 1"],
      [{ every: 0, steps: 1 }, "train: every is 0, expected an integer of at least 1"],
      [{ onProgress: 1 }, "train: onProgress is 1, expected a function"],
      [{ steps: 4 }, "train: steps is 4, expected more than the 4 made"],
      [
        { epochs: 1 },
        'train: unknown option "epochs", expected steps, seconds, accuracy, patience, every, onProgress',
      ],
    ];
    for (const [limits, message] of refused)
      await expect(trainer.train(limits as never)).rejects.toThrow(new Error(message));
    expect(trainer.steps).toBe(4);
  });
});

test("presets are options that can be replaced", () => {
  expect(core.trainingPresets()).toEqual([
    "copy",
    "reverse",
    "sort",
    "parentheses",
    "modular-addition",
    "translation",
    "shapes",
    "text",
    "masked-token",
  ]);
  using trainer = core.trainer({
    preset: "reverse",
    seed: 3,
    model: { dModel: 32 },
    optimizer: { noDecay: ["bias"] },
  });
  expect(trainer.options).toMatchObject({
    seed: "3",
    "task.name": "reverse",
    "model.d_model": "32",
    "optimizer.no_decay": "bias",
  });
});

describe("bad options", () => {
  const refused: [string, unknown, string][] = [
    ["no options", undefined, "task: name is "],
    ["an unknown option", { speed: 1 }, 'trainer: unknown option "speed", expected preset, task, model'],
    ["an unknown option of the model", { model: { width: 1 } }, 'trainer model: unknown option "width"'],
    ["an unknown preset", { preset: "swim" }, 'trainer: preset is "swim", expected one of copy, reverse'],
    ["a preset of another type", { preset: 1 }, "trainer: preset is 1, expected a string"],
    [
      "a number that is text",
      { ...small, batchSize: "many" },
      'trainer: batch_size is "many", expected a number, true or false',
    ],
    ["a fraction", { ...small, batchSize: 1.5 }, 'trainer: batch_size is "1.5", expected a whole number'],
    [
      "no examples",
      { ...small, batchSize: 0 },
      "trainer: batch_size is 0, expected a number from 1 to 65536",
    ],
    ["NaN", { ...small, clipNorm: NaN }, "trainer: clip_norm is nan, expected a number from 0 up"],
    ["a record", { ...small, seed: {} }, "trainer: seed is an Object, expected a number, true or false"],
    ["half a character", { preset: "text", task: { text: "\ud800" } }, "trainer: task.text is"],
    ["an empty text", { preset: "text", task: { text: "" } }, "task: text is"],
    [
      "a model that does not fit",
      { ...small, model: { kind: "convolution" } },
      "trainer: model is convolution, expected a model that fits the task reverse",
    ],
    [
      "a limit of memory",
      { ...small, maxBytes: -1 },
      "trainer: maxBytes is -1, expected an integer of at least 0",
    ],
  ];
  test.each(refused)("%s", (_, options, message) => {
    const { liveHandles } = core;
    expect(() => core.trainer(options as never)).toThrow(message);
    expect(core.liveHandles).toBe(liveHandles);
  });

  test("of a trainer that exists", () => {
    const trainer = core.trainer(small);
    const calls: [() => unknown, string][] = [
      [() => trainer.run({}), "run: limits is an Object, expected milliseconds, steps or both"],
      [() => trainer.run({ steps: 0 }), "run: steps is 0, expected an integer of at least 1"],
      [() => trainer.predict({ source: [99] }), "trainer: source is 99, expected ids below 7"],
      [
        () => trainer.predict({ source: [-1] }),
        "predict: source[0] is -1, expected an integer of at least 0",
      ],
      [
        () => trainer.predict({ source: [3] }, { temperature: -1 }),
        "trainer: temperature is -1, expected a finite number from 0 up",
      ],
      [() => trainer.predict({ source: [3] }, { temperature: NaN }), "predict: temperature"],
      [() => trainer.predict({ source: [3] }, { seed: -1 }), "predict: seed is -1, expected"],
      [() => trainer.value("W"), "trainer: "],
      [() => trainer.value("logits"), "trainer: "],
      [() => trainer.load(new Uint8Array(4)), "safetensors: file is cut off"],
      [() => trainer.load("file" as never), 'load: file is "file", expected a Uint8Array or an ArrayBuffer'],
      [() => trainer.load(core.writeSafetensors({})), "trainer: file is no checkpoint"],
    ];
    for (const [call, message] of calls) expect(call).toThrow(message);
    trainer.delete();
    expect(() => trainer.step()).toThrow("step: the trainer was deleted");
    trainer.delete();
  });
});
