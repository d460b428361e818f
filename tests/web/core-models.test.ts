// Parameters and models through the public API: names, roles, gradients, decoding. A refused call leaves nothing behind.
import { describe, expect, test } from "vitest";
import { type Graph, type Parameters, type Tensor } from "../../web/core/index.js";
import { core } from "./loaded-core.js";

const sizes = { dModel: 8, dFf: 16 };
const ids = (...data: number[]) => ({ shape: [data.length], data: Int32Array.from(data) });

function drawn(...[layer, given, seed = 7]: Parameters3): Parameters {
  const parameters = core.parameters();
  parameters.draw(layer, given, seed);
  return parameters;
}
type Parameters3 = globalThis.Parameters<Parameters["draw"]>;

function normal(seed: number, shape: number[]): Tensor {
  using random = core.randomState(seed);
  return random.randn(shape);
}

function sequence(graph: Graph, length = 4, width = 8): ReturnType<Graph["leaf"]> {
  return graph.leaf("x", normal(3, [length, width]));
}

describe("parameters", () => {
  test("are drawn under PyTorch's names, each from its own stream", () => {
    using parameters = drawn("multiHeadAttention", { embedDim: 4 });
    expect(parameters.names).toEqual(["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias"]);
    expect(parameters.count).toBe(12 * 4 + 12 + 4 * 4 + 4);
    expect(parameters.list()[2]).toMatchObject({
      name: "out_proj.weight",
      shape: [4, 4],
      hasGradient: false,
    });
    using more = core.parameters();
    more.draw("linear", { inFeatures: 2, outFeatures: 3 }, 7);
    more.draw("multiHeadAttention", { embedDim: 4 }, 7);
    expect(more.get("in_proj_weight")).toEqual(parameters.get("in_proj_weight"));
  });

  test("an encoder layer has 4 D D + 4 D + 2 D F + F + D + 4 D numbers", () => {
    using parameters = drawn("encoderLayer", sizes);
    const [d, f] = [8, 16];
    expect(parameters.count).toBe(4 * d * d + 4 * d + 2 * d * f + f + d + 4 * d);
  });

  test("are set, copied and loaded; a state that does not fit changes nothing", () => {
    using parameters = drawn("linear", { inFeatures: 2, outFeatures: 3 });
    const before = parameters.stateDict();
    const weight = { shape: [3, 2], data: Float64Array.of(1, 2, 3, 4, 5, 6) };
    parameters.set("weight", weight);
    expect(parameters.get("weight")).toEqual(weight);
    expect(parameters.list()[0]!.origin).toEqual({ kind: "literal" });
    parameters.loadStateDict(before);
    expect(parameters.stateDict()).toEqual(before);
    const { bias, ...rest } = before;
    expect(() => parameters.loadStateDict({ weight })).toThrow(/bias/);
    expect(() => parameters.loadStateDict({ ...rest, bias: weight })).toThrow(/shape/);
    expect(() => parameters.loadStateDict({ ...before, gain: bias! })).toThrow(/gain/);
    expect(parameters.stateDict()).toEqual(before);
    expect(() => parameters.get("gain")).toThrow(/gain/);
    expect(() => parameters.gradient("weight")).toThrow("gradient");
  });

  test("accumulate gradients: two backward passes add up, and a step against them lowers the loss", () => {
    using parameters = drawn("feedForward", sizes);
    const target = normal(5, [4, 8]);
    const loss = (): number => {
      using graph = core.graph();
      const { output } = graph.feedForward(sequence(graph), parameters, { activation: "gelu" });
      const node = graph.mseLoss(output, target);
      graph.backward(node);
      graph.addGradients(parameters);
      return graph.value(node).data[0]!;
    };
    const first = loss();
    const once = parameters.gradient("linear1.weight").data;
    loss();
    expect(parameters.gradient("linear1.weight").data).toEqual(once.map((value) => 2 * value));
    parameters.zeroGrad();
    expect(() => parameters.gradient("linear1.weight")).toThrow();
    for (let step = 0; step < 5; ++step) {
      loss();
      for (const { name, hasGradient } of parameters.list()) {
        expect(hasGradient).toBe(true);
        const change = core.scale(parameters.gradient(name), { factor: -0.5 });
        parameters.set(name, core.add(parameters.get(name), change));
      }
      parameters.zeroGrad();
    }
    expect(loss()).toBeLessThan(first);
  });

  test("a graph takes their leaves once, under one prefix, and in its own precision", () => {
    using parameters = drawn("linear", { inFeatures: 2, outFeatures: 3 });
    using graph = core.graph();
    const nodes = graph.stateDict(parameters, { prefix: "head." });
    expect(nodes["weight"]!.name).toBe("head.weight");
    expect(graph.stateDict(parameters)).toBe(nodes);
    expect(() => graph.stateDict(parameters, { prefix: "tail." })).toThrow("stateDict: prefix");
    using single = core.graph({ precision: "float32" });
    expect(() => single.stateDict(parameters)).toThrow("parameters.precision");
    using other = core.graph();
    expect(() => other.addGradients(parameters)).toThrow("addGradients: parameters");
  });
});

describe("models", () => {
  test("an observed encoder layer names every step, an unobserved one has the same output", () => {
    using parameters = drawn("encoderLayer", sizes);
    const run = (observe: boolean): Tensor => {
      using graph = core.graph({ observe });
      const nodes = graph.encoderLayer(sequence(graph), parameters, { numHeads: 2, normFirst: true });
      if (observe) {
        expect(nodes.norm1!.name).toBe("norm1");
        expect(nodes.selfAttention.weights!.name).toBe("self_attn.weights");
        expect(nodes.selfAttention.weights!.shape).toEqual([2, 4, 4]);
      }
      return graph.value(nodes.output) as Tensor;
    };
    const [observed, fused] = [run(true), run(false)];
    expect(observed.shape).toEqual([4, 8]);
    expect(fused.shape).toEqual(observed.shape);
    // Fused attention adds in another order.
    expect([...fused.data]).toEqual([...observed.data].map((value) => expect.closeTo(value, 12) as number));
  });

  test("layers divide by n - 1 in every norm if asked to, and by n otherwise", () => {
    using parameters = drawn("encoder", { ...sizes, numLayers: 1 });
    using graph = core.graph({ observe: true });
    graph.encoder(sequence(graph), parameters, { numHeads: 2, numLayers: 1, unbiased: true });
    for (const [node, of] of [
      ["layers.0.norm1", "layers.0.residual1"],
      ["layers.0.norm2", "layers.0.residual2"],
      ["norm", "layers.0.norm2"],
    ] as const) {
      const alone = (unbiased: boolean): Tensor =>
        graph.value(graph.layerNorm(graph.node(of), undefined, undefined, { unbiased })) as Tensor;
      expect(graph.value(graph.node(node))).toEqual(alone(true));
      expect(graph.value(graph.node(node))).not.toEqual(alone(false));
    }
  });

  test("greedy decoding gives the same ids and numbers with and without its cache", () => {
    using parameters = drawn("seq2seq", {
      ...sizes,
      vocabulary: 11,
      numEncoderLayers: 2,
      numDecoderLayers: 2,
    });
    const decode = (cache: boolean) => {
      using graph = core.graph();
      const options = { numHeads: 2, numEncoderLayers: 2, numDecoderLayers: 2, begin: 1, steps: 5, cache };
      const source = { shape: [2, 3], data: Int32Array.of(1, 2, 3, 4, 5, 6) };
      const { ids: decoded, logits } = graph.greedyDecoding(source, parameters, options);
      return { decoded, logits: logits.map((node) => Array.from(graph.value(node).data)) };
    };
    const [kept, anew] = [decode(true), decode(false)];
    expect(kept.decoded).toEqual(anew.decoded);
    expect(kept.decoded.map((sample) => sample.length)).toEqual([6, 6]);
    expect(kept.logits).toHaveLength(5);
    kept.logits.forEach((row, step) =>
      row.forEach((value, place) => expect(value).toBeCloseTo(anew.logits[step]![place]!, 12)),
    );
  });

  test("a sequence is embedded with and without its factor and its positions", () => {
    using parameters = drawn("seq2seq", {
      ...sizes,
      vocabulary: 11,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
    });
    using graph = core.graph();
    const source = { shape: [3], data: Int32Array.of(4, 0, 4) };
    const embedded = (options: { positions?: boolean; scaleEmbedding?: boolean }) =>
      Array.from(graph.value(graph.embedSequence(source, parameters, options)).data);
    const table = parameters.get("embedding.weight");
    const width = table.shape[1]!;
    const rows = [4, 0, 4].flatMap((id) => Array.from(table.data.subarray(id * width, (id + 1) * width)));
    const scaled = rows.map((value) => value * Math.sqrt(width));
    const encoding = graph.value(graph.sinusoidal({ length: 3, dim: width })).data;
    expect(embedded({ positions: false, scaleEmbedding: false })).toEqual(rows);
    expect(embedded({ positions: false })).toEqual(scaled);
    expect(embedded({ scaleEmbedding: false })).toEqual(rows.map((value, at) => value + encoding[at]!));
    expect(embedded({})).toEqual(scaled.map((value, at) => value + encoding[at]!));
  });

  test("without positions a translator does not know the order of its source, however it is computed", () => {
    const depths = { numEncoderLayers: 1, numDecoderLayers: 1 };
    using parameters = drawn("seq2seq", { ...sizes, ...depths, vocabulary: 11 });
    using graph = core.graph();
    const logitsOf = (data: number[], positions: boolean) => {
      const source = { shape: [3], data: Int32Array.from(data) };
      const options = { numHeads: 2, ...depths, positions };
      const target = { shape: [2], data: Int32Array.of(1, 2) };
      const { logits } = graph.seq2seq(source, target, parameters, options);
      const greedy = graph.greedyDecoding(source, parameters, { ...options, begin: 1, steps: 1 });
      const first = Array.from(graph.value(greedy.logits[0]!).data);
      Array.from(graph.value(logits).data.subarray(0, 11)).forEach((value, at) =>
        expect(value).toBeCloseTo(first[at]!, 12),
      );
      return first;
    };
    const distance = (positions: boolean) => {
      const [forwards, backwards] = [logitsOf([3, 4, 5], positions), logitsOf([5, 4, 3], positions)];
      return Math.max(...forwards.map((value, at) => Math.abs(value - backwards[at]!)));
    };
    expect(distance(false)).toBeLessThan(1e-12);
    expect(distance(true)).toBeGreaterThan(1e-3);
  });

  test("a decoder that is built once gives the ids of greedy decoding for every source", () => {
    const depths = { numEncoderLayers: 1, numDecoderLayers: 2 };
    const cases = [
      { precision: "float64" },
      { precision: "float32" },
      { precision: "float64", parts: { positions: false } },
      { precision: "float64", parts: { scaleEmbedding: false } },
    ] as const;
    for (const { precision, ...one } of cases) {
      const parts = "parts" in one ? one.parts : {};
      using parameters = core.parameters({ precision });
      parameters.draw("seq2seq", { ...sizes, ...depths, vocabulary: 11 }, 5);
      // A larger model, so that different sources give different words.
      for (const { name } of parameters.list()) {
        const { shape, data } = parameters.get(name);
        parameters.set(name, { shape, data: data.map((value) => 3 * value) } as Tensor);
      }
      const greedy = { numHeads: 2, ...depths, ...parts, begin: 1, steps: 6 };
      using decoder = core.greedyDecoder(parameters, { ...greedy, source: [2, 3] });
      const said = new Set<string>();
      for (let turn = 0; turn < 6; turn++) {
        const data = Int32Array.from({ length: 6 }, (_, place) => (3 * turn * place + 7 * place + turn) % 11);
        const source = { shape: [2, 3], data };
        const keyMask = turn % 2 ? { shape: [2, 3], data: Uint8Array.of(1, 1, 0, 0, 1, 1) } : undefined;
        using graph = core.graph({ precision });
        const expected = graph.greedyDecoding(source, parameters, keyMask ? { ...greedy, keyMask } : greedy);
        expect(decoder.decode(source, keyMask)).toEqual(expected.ids);
        said.add(expected.ids.join());
      }
      expect(said.size).toBeGreaterThan(1);
    }
  });

  test("a decoder refuses invalid sources, and decodes afterwards", () => {
    const depths = { numEncoderLayers: 1, numDecoderLayers: 1 };
    using parameters = drawn("seq2seq", { ...sizes, ...depths, vocabulary: 5 });
    const options = { numHeads: 2, ...depths, begin: 1, steps: 2, source: [3] };
    const decoder = core.greedyDecoder(parameters, options);
    const source = ids(1, 2, 3);
    const words = decoder.decode(source);
    expect(() => decoder.decode(ids(1, 2))).toThrow(
      "decode: source has shape (2,), expected (3,) of the decoder",
    );
    expect(() => decoder.decode(normal(1, [3]) as never)).toThrow("decode: source");
    expect(() => decoder.decode(ids(1, 2, 5))).toThrow(
      "embedding: id at (2,) is 5, expected a row of a table of 5",
    );
    expect(() => decoder.decode(source, source as never)).toThrow("decode: keyMask");
    expect(decoder.decode(source)).toEqual(words);
    decoder.delete();
    expect(() => decoder.decode(source)).toThrow("decode: the decoder was deleted");
    const refused: [object, string][] = [
      [{ ...options, source: [] }, "greedy_decoding: src_ids has shape (), expected"],
      [{ ...options, source: [0] }, "greedyDecoder: source"],
      [{ ...options, begin: 5 }, "greedy_decoding: begin is 5, expected an id below 5"],
      [{ ...options, steps: 0 }, "greedyDecoder: steps is 0"],
      [{ ...options, numHeads: 3 }, "3"],
      [
        { ...options, dropout: { p: 0.5, seed: 1 } },
        "greedy_decoding: dropout is 0.5, expected 0 when cache is true",
      ],
      [{ ...options, maxBytes: 100 }, "100"],
      [{ ...options, cache: true }, 'greedyDecoder: unknown option "cache"'],
    ];
    for (const [given, message] of refused)
      expect(() => core.greedyDecoder(parameters, given as typeof options)).toThrow(message);
    expect(() => core.greedyDecoder({} as Parameters, options)).toThrow("greedyDecoder: parameters");
  });

  describe("GPT-2", () => {
    const stack = { numHeads: 2, numLayers: 2 };
    /** A model large enough that different texts continue differently. */
    const lively = (precision: "float64" | "float32" = "float64"): Parameters => {
      const parameters = core.parameters({ precision });
      parameters.draw("gpt2", { ...sizes, numLayers: 2, vocabulary: 11, positions: 12 }, 5);
      for (const { name, shape } of parameters.list().filter(({ shape }) => shape.length === 2)) {
        const data = parameters.get(name).data.map((value: number) => 40 * value);
        parameters.set(name, { shape, data } as Tensor);
      }
      return parameters;
    };

    test("has GPT-2's names and shapes, and the steps of its blocks by role", () => {
      using parameters = lively();
      expect(parameters.list().map(({ name, shape }) => `${name} ${shape.join()}`)).toEqual([
        "wte.weight 11,8",
        "wpe.weight 12,8",
        ...[0, 1].flatMap((block) =>
          [
            "ln_1.weight 8",
            "ln_1.bias 8",
            "attn.c_attn.weight 8,24",
            "attn.c_attn.bias 24",
            "attn.c_proj.weight 8,8",
            "attn.c_proj.bias 8",
            "ln_2.weight 8",
            "ln_2.bias 8",
            "mlp.c_fc.weight 8,16",
            "mlp.c_fc.bias 16",
            "mlp.c_proj.weight 16,8",
            "mlp.c_proj.bias 8",
          ].map((parameter) => `h.${block}.${parameter}`),
        ),
        "ln_f.weight 8",
        "ln_f.bias 8",
      ]);
      using graph = core.graph({ observe: true });
      const model = graph.gpt2(ids(1, 2, 3), parameters, { ...stack, name: "lm" });
      expect(model.logits).toMatchObject({ name: "lm.logits", shape: [3, 11] });
      expect(model.blocks.layers[1]!.selfAttention.weights!.name).toBe("lm.h.1.attn.weights");
      expect(model.blocks.layers[1]!.feedForward.hidden.name).toBe("lm.h.1.mlp.activation");
      expect(model.blocks.output.name).toBe("lm.ln_f");
      const moved = graph.gpt2(ids(1, 2, 3), parameters, {
        ...stack,
        positionIds: ids(3, 4, 5),
        name: "moved",
      });
      expect(graph.value(moved.positions).data).toEqual(parameters.get("wpe.weight").data.slice(24, 48));
      const bare = graph.gpt2(ids(1, 2, 3), parameters, {
        ...stack,
        norm: false,
        residual: false,
        name: "bare",
      });
      expect(bare.blocks.layers[0]!.norm1).toBeUndefined();
    });

    test("a decoder that is built once continues every text as a graph does, and the same seed gives the same text", () => {
      for (const precision of ["float64", "float32"] as const) {
        using parameters = lively(precision);
        using decoder = core.gpt2Decoder(parameters, { ...stack, length: 12, batch: 2 });
        const said = new Set<string>();
        for (let seed = 0; seed < 6; seed++) {
          const data = Int32Array.from(
            { length: 6 },
            (_, place) => (3 * seed * place + 7 * place + seed) % 11,
          );
          const prompt = { shape: [2, 3], data };
          const how = { steps: 8, temperature: 1.2, topK: 8, topP: 0.95, seed };
          using graph = core.graph({ precision });
          const expected = graph.gpt2Continuation(prompt, parameters, { ...stack, ...how });
          const text = decoder.continueTexts(prompt, how);
          expect(text.ids).toEqual(expected.ids);
          expect(text.ids.map((sample) => [...sample.slice(0, 3)]).flat()).toEqual([...data]);
          expect(decoder.continueTexts(prompt, how)).toEqual(text);
          expect(text.probabilities).toHaveLength(8);
          text.probabilities.forEach((row, step) => {
            expect(row.shape).toEqual([2, 11]);
            const byHand = core.nextProbabilities(graph.value(expected.logits[step]!) as Tensor, {
              temperature: 1.2,
              topK: 8,
              topP: 0.95,
            });
            expect(expected.probabilities[step]).toEqual(byHand);
          });
          said.add(text.ids.join());
        }
        expect(said.size).toBe(6);
      }
    });

    test("temperature 0, the first of k and a tiny p choose the likeliest id", () => {
      using parameters = lively();
      using decoder = core.gpt2Decoder(parameters, { ...stack, length: 12 });
      const continued = (how: object, seed: number) =>
        decoder.continueTexts(ids(1, 2, 3), { steps: 9, seed, ...how }).ids[0]!.join();
      const greedy = continued({ temperature: 0 }, 1);
      for (const how of [{ topK: 1 }, { topP: 1e-9 }, { temperature: 1e-200 }])
        expect(continued(how, 2)).toBe(greedy);
      expect(new Set([1, 2, 3, 4].map((seed) => continued({}, seed))).size).toBe(4);
    });

    test("a decoder refuses what it cannot continue, and continues afterwards", () => {
      using parameters = lively();
      const options = { ...stack, length: 5 };
      const decoder = core.gpt2Decoder(parameters, options);
      const how = { steps: 2, seed: 3 };
      const before = decoder.continueTexts(ids(1, 2), how);
      const prompts: [unknown, object, string][] = [
        [ids(), how, "continueTexts: prompt.shape is [0], expected [length], with at least one id"],
        [{ shape: [1, 2], data: Int32Array.of(1, 2) }, how, "continueTexts: prompt.shape is [1, 2]"],
        [normal(1, [2]), how, "continueTexts: prompt"],
        [ids(1, 11), how, "id of the prompt is 11, expected an id below 11, the size of the vocabulary"],
        [ids(-1), how, "continueTexts: id of the prompt is -1, expected an id from 0 up"],
        [ids(1, 2), { steps: 5 }, "steps is 5, expected at most 4 after a prompt of 2"],
        [ids(1, 2, 3, 4, 5, 6), { steps: 1 }, "expected a prompt of at most 5 ids, not 6"],
        [ids(1), {}, "continueTexts: steps is undefined"],
        [ids(1), { steps: 1, topK: 0 }, "continueTexts: topK is 0, expected an integer of at least 1"],
        [ids(1), { steps: 1, topP: 2 }, "continueTexts: topP is 2, expected a number above 0, at most 1"],
        [
          ids(1),
          { steps: 1, temperature: -1 },
          "continueTexts: temperature is -1, expected a number from 0 up",
        ],
        [ids(1), { steps: 1, end: 11 }, "end is 11, expected an id below 11"],
        [ids(1), { steps: 1, top: 1 }, 'continueTexts: unknown option "top"'],
      ];
      for (const [prompt, given, message] of prompts)
        expect(() => decoder.continueTexts(prompt as never, given as never)).toThrow(message);
      expect(decoder.continueTexts(ids(1, 2), how)).toEqual(before);
      decoder.delete();
      expect(() => decoder.continueTexts(ids(1), how)).toThrow("continueTexts: the decoder was deleted");
      const refused: [object, string][] = [
        [{ ...options, length: 13 }, "length is 13, expected from 1 to 12, the number of positions"],
        [{ ...options, length: 0 }, "gpt2Decoder: length is 0"],
        [{ ...options, batch: 0 }, "gpt2Decoder: batch is 0"],
        [{ ...options, numHeads: 3 }, "3"],
        [{ ...options, numLayers: 3 }, "h.2"],
        [{ ...options, dropout: { p: 0.5, seed: 1 } }, "dropout is 0.5, expected 0"],
        [{ ...options, maxBytes: 100 }, "100"],
        [{ ...options, steps: 1 }, 'gpt2Decoder: unknown option "steps"'],
      ];
      for (const [given, message] of refused)
        expect(() => core.gpt2Decoder(parameters, given as typeof options)).toThrow(message);
      expect(() => core.gpt2Decoder({} as Parameters, options)).toThrow("gpt2Decoder: parameters");
    });

    test("probabilities and draws are refused for what nothing can be chosen from", () => {
      const row = (...data: number[]) => ({ shape: [data.length], data: Float64Array.from(data) });
      expect(core.nextProbabilities(row(2, 2, 0), { topK: 1 }).data).toEqual(Float64Array.of(1, 0, 0));
      expect(() => core.nextProbabilities(row())).toThrow("nextProbabilities: logits.shape is [0]");
      expect(() => core.nextProbabilities(row(1, NaN))).toThrow("nextProbabilities: logits is nan");
      expect(() => core.nextProbabilities(row(1, Infinity))).toThrow("largest logit is inf");
      expect(() => core.nextProbabilities(row(1), { topP: 0 })).toThrow("nextProbabilities: topP is 0");
      using random = core.randomState(1);
      expect(core.drawIds(row(0, 3, 0), 4, random)).toEqual(ids(1, 1, 1, 1));
      expect(random.place).toEqual({ seed: 1, skip: "random_sample(4)" });
      expect(() => core.drawIds(row(0, 0), 1, random)).toThrow("drawIds: weights is [0, 0]");
      expect(() => core.drawIds(row(1, -1), 1, random)).toThrow("drawIds: weights is -1");
      expect(() => core.drawIds(row(1, NaN), 1, random)).toThrow("drawIds: weights.data");
      expect(() => core.drawIds(row(1), 1, 5 as never)).toThrow("drawIds: random is 5");
    });
  });

  test("seq2seq, ViT, BERT, recurrence, convolution and rollout have the shapes and sums of their papers", () => {
    using graph = core.graph({ observe: true });
    using translator = drawn("seq2seq", {
      ...sizes,
      vocabulary: 7,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
    });
    const one = { numHeads: 2, numEncoderLayers: 1, numDecoderLayers: 1 };
    const model = graph.seq2seq(ids(1, 2, 3), ids(0, 4), translator, { ...one, name: "seq2seq" });
    expect(model.logProbs.shape).toEqual([2, 7]);
    using vit = drawn("visionTransformer", {
      ...sizes,
      numLayers: 2,
      imageSize: [4, 6],
      patchSize: 2,
      numClasses: 3,
      channels: 1,
    });
    const image = normal(2, [1, 4, 6]);
    const classified = graph.visionTransformer(image, vit, { numHeads: 2, numLayers: 2, name: "vit" });
    expect(classified.logits.shape).toEqual([3]);
    const weights = classified.encoder.layers.map(({ selfAttention }) => selfAttention.weights!);
    const rollout = graph.attentionRollout(weights, { name: "rollout" });
    expect(rollout.shape.slice(-2)).toEqual([7, 7]);
    const rows = graph.value(graph.sum(rollout, { axis: -1 }));
    rows.data.forEach((sum) => expect(sum).toBeCloseTo(1, 12));
    using bert = drawn("bert", { ...sizes, numLayers: 1, vocabulary: 9, positions: 5 });
    const options = { numHeads: 2, numLayers: 1, segmentIds: ids(0, 0, 1), name: "bert" };
    const masked = graph.bert(ids(1, 2, 3), bert, options);
    expect(masked.logits.shape).toEqual([3, 9]);
    expect(masked.segments!.shape).toEqual([3, 8]);
    using recurrence = drawn("recurrent", { inputSize: 8, hiddenSize: 5 });
    const steps = graph.recurrent(sequence(graph), recurrence, { name: "rnn" });
    expect(steps.hidden).toHaveLength(4);
    expect(steps.output.shape).toEqual([4, 5]);
    using convolution = drawn("convolution", { inChannels: 8, outChannels: 6, kernelSize: 3 });
    expect(graph.convolution(graph.node("x"), convolution, { padding: 1, name: "conv" }).shape).toEqual([
      4, 6,
    ]);
  });

  test("ids and masks that a layer makes have their own types", () => {
    using graph = core.graph({ observe: true });
    using bert = drawn("bert", { ...sizes, numLayers: 1, vocabulary: 9, positions: 5 });
    const tokens = { shape: [1, 3], data: Int32Array.of(1, 2, 3) };
    const keyMask = { shape: [1, 3], data: Uint8Array.of(1, 1, 0) };
    graph.bert(tokens, bert, { numHeads: 2, numLayers: 1, keyMask, name: "bert" });
    using translator = drawn("seq2seq", {
      ...sizes,
      vocabulary: 7,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
    });
    const one = { numHeads: 2, numEncoderLayers: 1, numDecoderLayers: 1, begin: 1, steps: 2 };
    graph.greedyDecoding(ids(1, 2), translator, { ...one, name: "greedy" });
    using tables = drawn("word2vec", { vocabulary: 5, dim: 2 });
    graph.skipGramNegativeSampling(
      ids(1, 2),
      ids(0, 3),
      { shape: [2, 1], data: Int32Array.of(4, 4) },
      tables,
      {
        name: "pairs",
      },
    );
    const typed = Object.fromEntries(graph.describe().map(({ name, dataType }) => [name, dataType]));
    const named = (type: string) =>
      Object.keys(typed).filter((name) => typed[name] === type && name[0] !== "#");
    expect(named("int32")).toEqual([
      "bert.embeddings.position_ids",
      "bert.embeddings.segment_ids",
      "greedy.step_0.ids",
      "greedy.step_1.ids",
      "pairs.ids",
    ]);
    expect(named("bool").filter((name) => name.startsWith("bert"))).toEqual([
      "bert.layers.0.self_attn.key_mask_heads",
    ]);
    expect(graph.value("bert.embeddings.position_ids")).toEqual(ids(0, 1, 2));
    expect(graph.value("pairs.ids").data).toBeInstanceOf(Int32Array);
    expect(graph.value("bert.layers.0.self_attn.key_mask_heads").data).toEqual(Uint8Array.of(1, 1, 0));
    expect(() => graph.setCell("greedy.step_0.ids", [0], 0.5)).toThrow("setCell: value is 0.5");
  });

  test("greedy decoding with a cache refuses dropout, which would draw other numbers", () => {
    using parameters = drawn("seq2seq", {
      ...sizes,
      vocabulary: 7,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
    });
    using graph = core.graph();
    const decode = (cache: boolean) => () =>
      graph.greedyDecoding(ids(1, 2), parameters, {
        numHeads: 2,
        numEncoderLayers: 1,
        numDecoderLayers: 1,
        dropout: { p: 0.5, seed: 1 },
        begin: 1,
        steps: 2,
        cache,
      });
    expect(decode(true)).toThrow("greedy_decoding: dropout is 0.5, expected 0 when cache is true");
    expect(graph.describe()).toEqual([]);
    expect(decode(false)).not.toThrow();
  });

  test("a model that is refused leaves neither nodes nor the leaves of its parameters behind", () => {
    using parameters = drawn("encoderLayer", sizes);
    using graph = core.graph({ observe: true });
    const x = sequence(graph);
    const before = graph.describe().length;
    expect(() => graph.encoderLayer(x, parameters, { numHeads: 3 })).toThrow(/3/);
    expect(() => graph.decoderLayer(x, x, parameters, { numHeads: 2 })).toThrow("multihead_attn");
    expect(() => graph.encoderLayer(x, { "norm1.weight": x }, { numHeads: 2 })).toThrow("self_attn");
    expect(graph.describe()).toHaveLength(before);
    expect(graph.encoderLayer(x, parameters, { numHeads: 2 }).output.shape).toEqual([4, 8]);
  });

  test("the gradient of a parameter is explained: upstream times local, over every use", () => {
    using parameters = drawn("linear", { inFeatures: 8, outFeatures: 3 });
    using graph = core.graph({ observe: true });
    const { weight, bias } = graph.stateDict(parameters) as Record<string, ReturnType<Graph["leaf"]>>;
    const y = graph.linear(sequence(graph), weight!, bias, { name: "y" });
    graph.backward(graph.sum(graph.tanh(y, { name: "z" }), { name: "total" }));
    const explained = graph.explainGradient("weight", [1, 2], { full: true });
    expect(explained.value).toBe(graph.gradient("weight").data[1 * 8 + 2]);
    expect(explained.uses).toHaveLength(1);
    const [use] = explained.uses;
    const terms = (role: string) => use!.rows.find((row) => row.role === role)!.operands;
    const products = terms("upstream").map(({ value }, place) => value * terms("local")[place]!.value);
    expect(terms("upstream").every(({ node, gradient }) => node === "y" && gradient)).toBe(true);
    expect(terms("contributions").map(({ value }) => value)).toEqual(products);
    expect(products.reduce((sum, value) => sum + value, 0)).toBeCloseTo(explained.value, 12);
    expect(graph.explainGradient("total", []).sum.role).toBe("seed");
    expect(() => graph.explainGradient("weight", [9, 9])).toThrow();
  });
});
