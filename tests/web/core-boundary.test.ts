// The boundary to the core: loading, both builds, memory, handles. Calls return results or throw Errors, and nothing else.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { load, type Core, type Tensor } from "../../web/core/index.js";
import createCore from "../../build/core/simd/transformer.mjs";

const wasm = (build: string): URL => new URL(`../../build/core/${build}/transformer.wasm`, import.meta.url);
const doubles = (shape: number[], ...data: number[]): Tensor<Float64Array> => ({
  shape,
  data: Float64Array.from(data),
});

let core: Core;
beforeAll(async () => {
  core = await load({ build: "simd" });
});

describe("loading", () => {
  test("takes the relaxed build where the engine supports it, or the requested one", async () => {
    expect((await load()).build).toBe("relaxed");
    expect((await load({ build: "relaxed" })).build).toBe("relaxed");
    expect(core.build).toBe("simd");
  });

  test("takes an address, a path, bytes, a response or a module, or a promise of one of these", async () => {
    const bytes = await readFile(wasm("simd"));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    const data = `data:application/wasm;base64,${bytes.toString("base64")}`;
    const answer = (type: string) => new Response(buffer, { headers: { "Content-Type": type } });
    for (const place of [
      answer("application/wasm"),
      Promise.resolve(answer("text/plain")),
      fetch(data),
      WebAssembly.compile(buffer),
      await WebAssembly.compile(buffer),
      wasm("simd"),
      wasm("simd").href,
      fileURLToPath(wasm("simd")),
      new Uint8Array(buffer),
      buffer,
      data,
    ]) {
      const loaded = await load({ build: "simd", wasm: place });
      expect(loaded.add(doubles([1], 1), doubles([1], 2))).toEqual(doubles([1], 3));
    }
  });

  test("refuses other files with an Error", async () => {
    await expect(load({ build: "fast" as "simd" })).rejects.toThrow(
      'load: build is "fast", expected "simd" or "relaxed"',
    );
    await expect(load({ wasm: 3 as unknown as string })).rejects.toThrow(
      "load: wasm is 3, expected an address",
    );
    await expect(load({ wasms: "x" } as object)).rejects.toThrow('load: unknown option "wasms"');
    await expect(load({ wasm: "/nowhere/core.wasm" })).rejects.toThrow(
      "load: /nowhere/core.wasm cannot be read: ENOENT",
    );
    await expect(load({ wasm: Promise.resolve(new Response("", { status: 503 })) })).rejects.toThrow(
      "load: wasm cannot be read: the answer is 503",
    );
    await expect(load({ wasm: Promise.reject(new Error("no line")) })).rejects.toThrow(
      "load: wasm cannot be read: no line",
    );
    const empty = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    for (const bytes of [new Uint8Array([1, 2, 3, 4]), empty, new Uint8Array()]) {
      await expect(load({ wasm: bytes })).rejects.toThrow("load: wasm is no core that this engine can run: ");
    }
  });

  test("gives cores that are independent of each other", async () => {
    const other = await load({ build: "simd" });
    const graph = other.graph();
    const x = graph.leaf("x", doubles([1], 1));
    expect([core.liveHandles, other.liveHandles]).toEqual([0, 1]);
    const mine = core.graph();
    expect(() => mine.value(x)).toThrow("expected a node of this graph");
    mine.delete();
    graph.delete();
  });
});

describe("both builds", () => {
  /** An attention with every option, and its gradients, over sizes that leave a remainder in every loop. */
  function bits(of: Core, length: number, width: number): BigUint64Array[] {
    const random = of.randomState(length * 100 + width);
    const graph = of.graph({ observe: length % 2 === 0 });
    try {
      const x = graph.draw("x", random, "randn", { shape: [2, length, 3 * width] });
      const weight = (name: string) =>
        graph.draw(name, random, "randn", { shape: [3 * width, 3 * width], divisor: Math.sqrt(width) });
      const [wQ, wK, wV, wO] = ["W_Q", "W_K", "W_V", "W_O"].map(weight) as [never, never, never, never];
      const turned = graph.rotary(graph.concat([x, x], { axis: -1 }), { layout: "half", name: "turned" });
      const attended = graph.multiHeadAttention(
        x,
        x,
        x,
        { wQ, wK, wV, wO },
        { numHeads: 3, isCausal: true, name: "a" },
      );
      const logits = graph.logSoftmax(
        graph.add(attended.output, graph.sinusoidal({ length, dim: 3 * width })),
        { name: "logits" },
      );
      graph.backward(logits);
      const tensors = [
        graph.value(turned),
        graph.value(logits),
        graph.gradient("x"),
        graph.gradient("W_K"),
        graph.gradient("W_O"),
      ];
      return tensors.map(({ data }) => new BigUint64Array(data.buffer));
    } finally {
      graph.delete();
      random.delete();
    }
  }

  test("give the same float64 bits", async () => {
    const relaxed = await load({ build: "relaxed" });
    let cells = 0;
    for (const length of [1, 2, 3, 5, 8, 17, 33]) {
      for (const width of [2, 4, 6, 10, 16]) {
        const [here, there] = [bits(core, length, width), bits(relaxed, length, width)];
        expect(there).toEqual(here);
        cells += here.reduce((sum, { length: count }) => sum + count, 0);
      }
    }
    expect(cells).toBeGreaterThan(50000);
  });
});

describe("memory", () => {
  test("above maxBytes is refused with both figures, and the graph stays usable", () => {
    const graph = core.graph({ maxBytes: 1000 });
    const x = graph.leaf("x", doubles([100], ...Array<number>(100).fill(1)));
    expect(() => graph.scale(x, { factor: 2 })).toThrow(
      "scale: needs 1600 bytes, of which 800 bytes are in use; the limit is 1000 bytes",
    );
    expect(() => graph.leaf("y", doubles([26], ...Array<number>(26).fill(1)))).toThrow(
      "leaf: needs 1008 bytes",
    );
    expect(graph.bytes).toBe(800);
    expect(graph.value(x).data[99]).toBe(1);
    graph.delete();
  });

  test("is estimated before any of it is allocated", async () => {
    const fresh = await load({ build: "simd" });
    const before = fresh.memoryBytes;
    const doubling = Array.from({ length: 40 }, (_, place): [number, number] =>
      place === 0 ? [97, 97] : [255 + place, 255 + place],
    );
    expect(() => fresh.bytePairVocabulary({ merges: doubling, maxBytes: 1e6 })).toThrow(
      /^byte_pair_vocabulary: needs \d+ bytes, of which \d+ bytes are in use; the limit is 1000000 bytes$/,
    );
    const text = Array.from({ length: 40000 }, (_, place) => place);
    expect(() => fresh.skipGramPairs(text, 40000)).toThrow(
      /^skip_gram_pairs: needs \d+\.\d MB; the limit is 512\.0 MB$/,
    );
    expect(() => fresh.skipGramPairs([1, 2, 3], 2, { maxBytes: 47 })).toThrow(
      "skip_gram_pairs: needs 48 bytes; the limit is 47 bytes",
    );
    expect(fresh.skipGramPairs([1, 2, 3], 2, { maxBytes: 48 }).word.data).toHaveLength(6);
    const stack = { dModel: 1, dFf: 1, numLayers: 2 ** 31 };
    for (const maxBytes of [1e6, 5e8]) {
      const parameters = fresh.parameters({ maxBytes });
      const needed = /^draw: needs [0-9.]+ (bytes|MB); the limit is /;
      expect(() => parameters.draw("encoder", stack)).toThrow(needed);
      expect(() => parameters.draw("decoder", stack)).toThrow(needed);
      expect(() => parameters.draw("bert", { ...stack, vocabulary: 2 })).toThrow(needed);
      const image = { imageSize: [1, 1] as const, patchSize: 1, numClasses: 1 };
      expect(() => parameters.draw("visionTransformer", { ...stack, ...image })).toThrow(needed);
      const depths = { dModel: 1, dFf: 1, numEncoderLayers: 1, numDecoderLayers: 2 ** 31 };
      expect(() => parameters.draw("transformer", depths)).toThrow(needed);
      expect(() => parameters.draw("seq2seq", { ...depths, vocabulary: 2 })).toThrow(needed);
      expect(() => parameters.draw("linear", { inFeatures: 2 ** 26, outFeatures: 2 })).toThrow(needed);
      expect([parameters.count, parameters.bytes]).toEqual([0, 0]);
      parameters.delete();
    }
    expect(fresh.memoryBytes).toBe(before);
    expect([fresh.liveHandles, fresh.liveValues]).toEqual([0, 0]);
  });

  test("is an Error if the machine cannot provide it, and the module still works", async () => {
    const fresh = await load({ build: "simd" });
    const graph = fresh.graph({ maxBytes: 2 ** 31 });
    expect(() => graph.sinusoidal({ length: 53660, dim: 5000 })).toThrow(
      /sinusoidal: needs 204\d\.\d MB, which could not be allocated; the limit is 2048\.0 MB/,
    );
    expect(() => graph.alibi({ numHeads: 1, queryLength: 2 ** 31, keyLength: 2 ** 31 })).toThrow(Error);
    expect(graph.snapshot()).toEqual([]);
    expect(graph.value(graph.add(doubles([1], 1), doubles([1], 1)))).toEqual(doubles([1], 2));
    graph.delete();
    expect([fresh.liveHandles, fresh.liveValues]).toEqual([0, 0]);
  });

  test("limits above the 2 GB of a module are refused", async () => {
    const fresh = await load({ build: "simd" });
    const above = { maxBytes: 2 ** 31 + 1 };
    const refused = (operation: string): string =>
      `${operation}: maxBytes is 2147483649, expected from 0 to 2147483648, the most that the core can hold`;
    using parameters = fresh.parameters();
    const ids = { shape: [1], data: Int32Array.of(1) };
    const npz = fresh.writeNpz({});
    const tensors = fresh.writeSafetensors({});
    expect(() => fresh.graph(above)).toThrow(refused("graph"));
    expect(() => fresh.randomState(1, above)).toThrow(refused("randomState"));
    expect(() => fresh.parameters(above)).toThrow(refused("parameters"));
    expect(() => fresh.readNpz(npz, above)).toThrow(refused("readNpz"));
    expect(() => fresh.readSafetensors(tensors, above)).toThrow(refused("readSafetensors"));
    expect(() => fresh.skipGramPairs(ids, 1, above)).toThrow(refused("skipGramPairs"));
    expect(() => fresh.bytePairVocabulary({ merges: [], ...above })).toThrow(refused("bytePairVocabulary"));
    expect(() => fresh.bytePairVocabulary({ text: "a", size: 256, ...above })).toThrow(
      refused("bytePairVocabulary"),
    );
    const decoder = {
      numHeads: 1,
      numEncoderLayers: 1,
      numDecoderLayers: 1,
      begin: 0,
      steps: 1,
      source: [1],
    };
    expect(() => fresh.greedyDecoder(parameters, { ...decoder, ...above })).toThrow(refused("greedyDecoder"));
    fresh.graph({ maxBytes: 2 ** 31 }).delete();
  });

  test("is reused: after a thousand runs there is no more than after ten", async () => {
    const fresh = await load({ build: "simd" });
    const run = (): void => {
      const random = fresh.randomState([1, 2]);
      const graph = fresh.graph({ observe: true });
      const x = graph.tokenVectors("x", ["one", "two", "三", "😀"], 1, 16);
      const w = graph.draw("W", random, "randn", { shape: [16, 16], divisor: 4 });
      const { output } = graph.multiHeadAttention(
        x,
        x,
        x,
        { wQ: w, wK: w, wV: w, wO: w },
        { numHeads: 4, isCausal: true },
      );
      graph.setCell(x, [1, 2], 3);
      graph.backward(output);
      graph.explain(output, [0, 0]);
      graph.snapshot();
      graph.describe();
      expect(() =>
        graph.matmul(x, doubles([2, 2], 1, 2, 3, 4), {
          name: "a rather long name for a product that is refused",
        }),
      ).toThrow();
      expect(() => graph.node("a name that is not there, long enough to be allocated")).toThrow();
      expect(() => fresh.softmax(doubles([2], 1, 2), { axis: 9 })).toThrow();
      graph.delete();
      random.delete();
    };
    for (let i = 0; i < 10; ++i) run();
    const after = [fresh.memoryBytes, fresh.liveHandles, fresh.liveValues];
    for (let i = 0; i < 1000; ++i) run();
    expect([fresh.memoryBytes, fresh.liveHandles, fresh.liveValues]).toEqual(after);
    expect(after.slice(1)).toEqual([0, 0]);
  });
});

/** Values that a program without types could pass. */
const anything = (): fc.Arbitrary<unknown> => {
  const size = fc.oneof(
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(-1, 0.5, NaN, Infinity, 2 ** 31, 2 ** 53, "3"),
  );
  const number = fc.oneof(
    fc.integer({ min: -2, max: 5 }),
    fc.double(),
    fc.constantFrom(NaN, -0, Infinity, -Infinity),
  );
  const validTensors = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }).chain((shape) => {
    const count = shape.reduce((product, side) => product * side, 1);
    const data = (kind: (values: number[]) => unknown) =>
      fc
        .array(number, { minLength: count, maxLength: count })
        .map((values) => ({ shape, data: kind(values) }));
    return fc.oneof(
      { weight: 6, arbitrary: data((values) => Float64Array.from(values)) },
      { weight: 2, arbitrary: data((values) => Uint8Array.from(values, (value) => (value > 0 ? 1 : 0))) },
      { weight: 2, arbitrary: data((values) => Int32Array.from(values)) },
      data((values) => Float32Array.from(values)),
    );
  });
  const invalidTensors = fc.record({
    shape: fc.oneof(fc.array(size, { maxLength: 4 }), size),
    data: fc.oneof(
      fc.array(number).map((values) => Float64Array.from(values)),
      fc.array(number),
      fc.constant(null),
    ),
  });
  const names =
    "axis axes start stop shape factor divisor emptyIsZero numHeads patch order positions length dim base offset layout queryLength keyLength causal mask keyMask isCausal scale temperature fill scaleBySqrtDim cls position".split(
      " ",
    );
  const value = fc.oneof(
    number,
    size,
    fc.boolean(),
    fc.array(size, { maxLength: 3 }),
    fc.constantFrom("c p1 p2", "p1 p2 c", "half", "interleaved", "top_left"),
    validTensors,
  );
  const options = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 });
  const parameters = fc.dictionary(
    fc.constantFrom("wQ", "wK", "wV", "wO", "inProjWeight", "inProjBias", "outProjWeight", "outProjBias"),
    validTensors,
  );
  return fc.oneof(
    { weight: 8, arbitrary: validTensors },
    invalidTensors,
    { weight: 3, arbitrary: options },
    parameters,
    fc.array(validTensors, { maxLength: 3 }),
    fc.constantFrom(undefined, null, 3, "x", {}, [], () => 1),
  );
};

const functions = [
  "matmul add scale transpose reshape slice concat mask softmax logSoftmax linear splitHeads mergeHeads embedding tiedLogits patchify",
  "patchEmbedding sinusoidal absoluteIndex shiftMatrix rotary alibi scaledDotProductAttention multiHeadAttention",
].flatMap((line) => line.split(" "));

describe("any arguments", () => {
  let answered = 0;
  test.each(functions)("%s returns tensors or refuses with an Error", (name) => {
    const call = (core as unknown as Record<string, (...given: unknown[]) => unknown>)[name]!.bind(core);
    fc.assert(
      fc.property(fc.array(anything(), { maxLength: 5 }), (given) => {
        try {
          const result = call(...given) as Tensor | Record<string, Tensor>;
          const tensors = "shape" in result ? [result as Tensor] : Object.values(result);
          for (const { shape, data } of tensors) {
            expect(data.length).toBe(shape.reduce((product, size) => product * size, 1));
          }
          answered += 1;
        } catch (error) {
          if ((error as Error).constructor !== Error) throw error;
          expect((error as Error).message).toMatch(/^\w+: ./);
        }
        expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
      }),
      { numRuns: 300 },
    );
  });

  test("some calls succeed", () => {
    // About 60 of 300 calls of each function succeed: most of the drawn arguments are refused.
    expect(answered).toBeGreaterThan(20);
  });
});

test("the exports are those of the generated types", async () => {
  const types = await readFile(new URL("../../build/core/simd/transformer.d.mts", import.meta.url), "utf8");
  const listed = /interface EmbindModule \{\n([\s\S]*?)\n\}/.exec(types)![1]!;
  const names = [...listed.matchAll(/^ {2}(\w+)[(:]/gm)].map(([, name]) => name!).sort();
  const module = (await createCore({ wasmBinary: await readFile(wasm("simd")) })) as unknown as Record<
    string,
    unknown
  >;
  const exported = Object.keys(module).filter(
    (name) => typeof module[name] === "function" && /^[A-Za-z]/.test(name),
  );
  // The functions that manage the stack of wasm are not functions of the core.
  expect(exported.sort()).toEqual([...names, "stackRestore", "stackSave"].sort());
  for (const name of ["Graph", "RandomState"]) {
    const body = new RegExp(`interface ${name} extends ClassHandle \\{([^}]*)\\}`).exec(types)![1]!;
    const methods = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, method]) => method!).sort();
    const prototype = (module[name] as { prototype: object }).prototype;
    expect(
      Object.getOwnPropertyNames(prototype)
        .filter((method) => method !== "constructor")
        .sort(),
    ).toEqual(methods);
  }
});
