// Random valid Configs of every lab, for property tests.
import fc from "fast-check";
import { bounds, choices, imageSizes, patchSizes, type Range } from "../../web/config/bounds.js";
import type { Config, ConfigOf, Edit, LabId, Matrix, NumbersOf } from "../../web/config/config.js";
import { labIds, settingsOf } from "../../web/config/labs.js";
import { keyCount } from "../../web/config/labs/attention.js";
import {
  bertBounds,
  parameterCount as bertParameterCount,
  sequenceOf,
  wordPlaces,
} from "../../web/config/labs/bert.js";
import { blockBounds, parameterCount } from "../../web/config/labs/block.js";
import { encoderFits, hasEncoder, parameterCount as vitParameterCount } from "../../web/config/labs/vit.js";
import * as translating from "../../web/config/labs/encoder-decoder.js";
import { lossesBounds } from "../../web/config/labs/losses.js";
import {
  batchCount,
  keyCount as keysOfHeads,
  multiHeadBounds,
  rowCount,
} from "../../web/config/labs/multi-head.js";
import * as optimizing from "../../web/config/labs/optimizers.js";
import { positionCount } from "../../web/config/labs/positions.js";
import { selectorText } from "../../web/config/selector.js";
import * as learning from "../../web/config/labs/training.js";
import * as wording from "../../web/config/labs/words.js";
import { isWord } from "../../web/config/tokens.js";
import { samples } from "../../web/examples/samples.js";
import { optionsOf, rangeOf } from "./setting-bounds.js";

/** A value that may be absent. */
const absent = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
/** The numbers without the settings that are absent. */
const withoutAbsent = <T extends object>(numbers: T): T =>
  Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)) as T;
const whole = ({ min, max }: Range, most = max) => fc.integer({ min, max: Math.min(max, most) });
const inside = ({ min, max }: Range) => fc.double({ min, max, noNaN: true });
/** Any finite double: -0, the smallest and the largest included. */
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const value = fc.oneof(
  double,
  fc.integer({ min: -9, max: 9 }),
  fc.constantFrom(0, -0, 0.1, 5e-324, 1.7976931348623157e308, 1e21, -1e-7),
);

/** A row of these numbers over and over. */
const repeated = (numbers: readonly number[], count: number): number[] =>
  Array.from({ length: count }, (_, at) => numbers[at % numbers.length]!);

const matrix = (height: number, width: number, entry: fc.Arbitrary<number> = value): fc.Arbitrary<Matrix> =>
  fc.array(fc.array(entry, { minLength: width, maxLength: width }), { minLength: height, maxLength: height });
const bits = (height: number, width: number) =>
  fc.array(fc.array(fc.boolean(), { minLength: width, maxLength: width }), {
    minLength: height,
    maxLength: height,
  });

const word = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12 }),
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(
        "猫",
        "坐",
        "が",
        "ー",
        "é",
        "ß",
        "😀",
        "👩‍👩‍👧",
        "🇨🇳",
        "%",
        ",",
        ";",
        "&",
        "=",
        "#",
        "+",
        "~",
        ":",
      ),
      minLength: 1,
      maxLength: 8,
    }),
    fc.constantFrom(
      "none",
      "z1:",
      "z1:abc",
      "b64:",
      "b32:",
      "%",
      "%2C",
      "%252C",
      "a,b",
      "the",
      "words",
      "constructor",
      "__proto__",
      "0",
    ),
  )
  .map((text) => text.normalize("NFC").trim())
  .filter((text) => isWord(text, bounds.wordLength.min, bounds.wordLength.max));

const edits = <L extends LabId>(lab: L, numbers: NumbersOf[L]): fc.Arbitrary<Edit[]> => {
  const shapes = Object.entries(settingsOf(lab).leaves(numbers));
  if (shapes.length === 0) return fc.constant([]);
  const edit = fc.constantFrom(...shapes).chain(([node, shape]) =>
    fc.record({
      node: fc.constant(node),
      index: fc.tuple(...shape.map((length) => fc.integer({ min: 0, max: length - 1 }))),
      value,
    }),
  );
  return fc.array(edit, { maxLength: 12 });
};

const masked = (height: number, width: number) =>
  fc.oneof(
    fc.record({
      mask: fc.constantFrom("none" as const, "causal" as const),
      paint: fc.option(bits(height, width)),
    }),
    fc.record({ mask: fc.constant("painted" as const), paint: bits(height, width) }),
  );
const withMask = <N extends object>(numbers: N, height: number, width: number) =>
  masked(height, width).map((mask) => ({ ...numbers, ...mask }));
const withEdits = <L extends LabId>(lab: L, numbers: NumbersOf[L]): fc.Arbitrary<NumbersOf[L]> =>
  edits(lab, numbers).map((made) => ({ ...numbers, edits: made }));

const attention: fc.Arbitrary<NumbersOf["attention"]> = fc
  .record({
    tokens: fc.array(word, { minLength: 1, maxLength: 9 }),
    memory: fc.oneof(fc.constant<string[]>([]), fc.array(word, { maxLength: 5 })),
    dim: whole(bounds.dim, 9),
    keyDim: whole(bounds.keyDim, 9),
    valueDim: whole(bounds.valueDim),
    seed: whole(bounds.seed),
    draw: fc.constantFrom(...optionsOf("attention", "draw")),
    scale: fc.boolean(),
    typed: fc.boolean(),
  })
  .chain(({ typed, ...rest }) =>
    fc
      .record({
        x: typed ? matrix(rest.tokens.length, rest.dim) : fc.option(matrix(rest.tokens.length, rest.dim)),
        wq: fc.option(matrix(rest.dim, rest.keyDim)),
        wk: fc.option(matrix(rest.dim, rest.keyDim)),
        wv: fc.option(matrix(rest.dim, rest.valueDim)),
      })
      .map((weights) => ({
        ...rest,
        ...weights,
        source: typed ? ("values" as const) : ("words" as const),
        mask: "none" as const,
        paint: null,
        edits: [] as Edit[],
      })),
  )
  .chain((numbers) => withMask(numbers, numbers.tokens.length, keyCount(numbers)))
  .chain((numbers) =>
    absent(fc.constantFrom("dot" as const, "additive" as const)).map((score) =>
      score ? { ...numbers, score } : numbers,
    ),
  )
  .chain((numbers) =>
    fc
      .record(
        {
          polarity: fc.constantFrom(...optionsOf("attention", "polarity")),
          fill: fc.constantFrom(...optionsOf("attention", "fill")),
          padding: fc.integer({ min: 0, max: keyCount(numbers) }),
          stable: fc.boolean(),
        },
        { requiredKeys: [] },
      )
      .map((masking) => ({ ...numbers, ...masking })),
  )
  .chain((numbers) => withEdits("attention", numbers));

const multiHead: fc.Arbitrary<NumbersOf["multi-head"]> = fc
  .record({
    tokens: fc.array(word, { maxLength: 9 }),
    drawn: fc.boolean(),
    length: whole(bounds.drawLength),
    batch: whole(bounds.batch),
    dim: whole(bounds.dim),
    heads: whole(bounds.heads),
    keyDim: whole(bounds.keyDim),
    valueDim: whole(bounds.valueDim),
    share: fc.boolean(),
    seed: whole(bounds.seed),
    draw: fc.constantFrom(...optionsOf("multi-head", "draw")),
    run: whole(bounds.run),
    scale: fc.boolean(),
    output: absent(fc.boolean()),
    biases: absent(fc.boolean()),
    memory: absent(fc.array(word, { minLength: 1, maxLength: 5 })),
    dropout: absent(inside(multiHeadBounds.dropout)),
  })
  .map(({ drawn, share, memory, ...rest }): NumbersOf["multi-head"] => ({
    ...rest,
    ...(!drawn && rest.tokens.length > 0 && memory && { memory }),
    ...(share &&
      rest.dim >= rest.heads && {
        keyDim: Math.min(Math.floor(rest.dim / rest.heads), 128),
        valueDim: Math.min(Math.floor(rest.dim / rest.heads), 128),
      }),
    source: drawn || rest.tokens.length === 0 ? "draw" : "words",
    mask: "none",
    paint: null,
    edits: [],
  }))
  .chain((numbers) => withMask(numbers, rowCount(numbers), keysOfHeads(numbers)))
  .chain((numbers) => {
    const { dim, heads, keyDim, valueDim, source, tokens } = numbers;
    // Weights wider than a link allows are always drawn from the seed.
    const typed = (height: number, width: number) =>
      height <= 512 && width <= 512 && height * width <= 4096
        ? absent(matrix(height, width))
        : fc.constant(undefined);
    return fc
      .record({
        x: source === "words" ? typed(tokens.length, dim) : fc.constant(undefined),
        wq: typed(dim, heads * keyDim),
        wk: typed(dim, heads * keyDim),
        wv: typed(dim, heads * valueDim),
        wo: typed(heads * valueDim, dim),
        lengths: absent(
          fc.array(whole({ min: 1, max: keysOfHeads(numbers) }), {
            minLength: batchCount(numbers),
            maxLength: batchCount(numbers),
          }),
        ),
      })
      .map((given) => ({ ...numbers, ...given }));
  })
  .chain((numbers) => withEdits("multi-head", numbers));

const positions: fc.Arbitrary<NumbersOf["positions"]> = fc
  .record({
    encoding: fc.constantFrom(...choices.encoding),
    length: whole(bounds.length, 60),
    positions: fc.option(fc.array(whole(bounds.position), { minLength: 1, maxLength: 9 })),
    half: fc.integer({ min: 1, max: 6 }),
    odd: fc.boolean(),
    base: fc.oneof(
      fc.constant(10000),
      fc.double({ min: bounds.base.min, max: bounds.base.max, noNaN: true }),
    ),
    offset: whole(bounds.offset),
    heads: whole(bounds.heads),
    seed: whole(bounds.seed),
    tokens: fc.option(fc.array(word, { minLength: 1, maxLength: 9 }), { nil: undefined }),
    swapped: fc.option(fc.tuple(fc.nat(), fc.nat()), { nil: undefined }),
    pairs: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  })
  .map(({ half, odd, tokens, swapped, pairs, ...rest }): NumbersOf["positions"] => ({
    ...rest,
    ...(tokens && { tokens }),
    ...(swapped && { swap: swapped.map((place) => place % (tokens?.length ?? 5)) }),
    ...(pairs !== undefined && { wordDim: 2 * pairs + (odd && rest.encoding !== "compare" ? 1 : 0) }),
    dim: 2 * half - (odd && rest.encoding !== "rotary" && rest.encoding !== "shift" ? 1 : 0),
    x: null,
    edits: [],
  }))
  .chain((numbers) =>
    fc
      .option(fc.oneof(matrix(positionCount(numbers), numbers.dim), matrix(1, numbers.dim)))
      .map((x) => ({ ...numbers, x })),
  )
  .chain((numbers) => withEdits("positions", numbers));

const pixels = (size: number) =>
  fc
    .uint8Array({ minLength: size * size * 3, maxLength: size * size * 3, max: 15 })
    .map((levels) => ({ pixels: levels }));

const vit: fc.Arbitrary<NumbersOf["vit"]> = fc
  .constantFrom(...imageSizes)
  .chain((size) =>
    fc.record({
      image: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...samples.map(({ id }) => ({ sample: id }))) },
        { weight: 1, arbitrary: pixels(size > 32 ? 16 : size) },
      ),
      size: fc.constant<number>(size),
      patch: fc.constantFrom(...patchSizes.filter((patch) => size % patch === 0)),
      compare: fc.constantFrom(...choices.compare),
      dim: whole(bounds.dim),
      cls: fc.boolean(),
      seed: whole(bounds.seed),
      edits: fc.constant<Edit[]>([]),
    }),
  )
  .map((numbers): NumbersOf["vit"] =>
    "pixels" in numbers.image
      ? { ...numbers, size: Math.sqrt(numbers.image.pixels.length / 3), patch: Math.min(numbers.patch, 16) }
      : numbers,
  )
  .chain((numbers) =>
    fc
      .record({
        layers: absent(encoderFits(numbers) ? whole(bounds.vitLayers) : fc.constant(0)),
        heads: absent(fc.constantFrom(...[1, 2, 4, 8].filter((count) => numbers.dim % count === 0))),
        positionSize: absent(fc.constantFrom(...imageSizes.filter((size) => size % numbers.patch === 0))),
        interpolation: absent(fc.constantFrom(...choices.interpolation)),
        classes: absent(fc.uniqueArray(word, { minLength: 1, maxLength: 4 })),
        given: fc.array(double, { minLength: 1, maxLength: 5 }),
      })
      .map(({ classes, given, ...later }): NumbersOf["vit"] => {
        const all = { ...numbers, ...withoutAbsent(later) };
        const count = classes && hasEncoder(all) ? vitParameterCount({ ...all, classes }) : Infinity;
        // Larger models would make the tests slow.
        return count > 3000 ? all : { ...all, classes: classes!, parameters: [repeated(given, count)] };
      }),
  )
  .chain((numbers) => withEdits("vit", numbers));

const encoderDecoder: fc.Arbitrary<NumbersOf["encoder-decoder"]> = fc
  .record({
    tokens: fc.array(fc.constantFrom(...translating.sourceWords), {
      minLength: translating.sourceLength({}).min,
      maxLength: translating.sourceLength({}).max,
    }),
    trained: fc.constantFrom(...optionsOf("encoder-decoder", "trained")),
    parameters: absent(fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: 8, maxLength: 8 })),
    given: absent(
      fc.record({
        words: fc.uniqueArray(
          word.filter((one) => !one.startsWith("<")),
          { minLength: 1, maxLength: 4 },
        ),
        picks: fc.array(fc.nat(3), { minLength: 1, maxLength: 16 }),
        heads: absent(fc.constantFrom(1, 2, 3, 6)),
        layers: absent(fc.constantFrom(1, 2)),
        hidden: absent(fc.integer({ min: 1, max: 5 })),
        norm: absent(fc.constantFrom("post" as const, "pre" as const)),
        parts: fc.record({
          residual: absent(fc.boolean()),
          positions: absent(fc.boolean()),
          scaleEmbedding: absent(fc.boolean()),
        }),
        steps: fc.integer({ min: 1, max: 24 }),
        isLast: fc.boolean(),
      }),
    ),
  })
  .chain(({ tokens, trained, parameters, given }): fc.Arbitrary<NumbersOf["encoder-decoder"]> => {
    if (parameters && given) {
      const { words, picks, heads, layers, hidden, norm, parts, steps, isLast } = given;
      const vocabulary = ["<pad>", translating.BEGIN, ...words];
      const model = { vocabulary, dim: 6, heads, layers, hidden, norm };
      const count = translating.parameterCount(model);
      return fc.constant(
        withoutAbsent({
          ...model,
          ...parts,
          tokens: picks.map((pick) => words[pick % words.length]!),
          steps,
          trained,
          edits: [],
          parameters: [repeated(parameters, count)],
          ...(isLast && layers === 2 && { layer: 1 }),
          ...(isLast && heads && heads > 2 && { head: 2 }),
        }),
      );
    }
    return fc.record({
      tokens: fc.constant<string[]>(tokens),
      steps: fc.integer({ min: 1, max: tokens.length + 1 }),
      trained: fc.constant(trained),
      edits: fc.constant<Edit[]>([]),
      ...(parameters && {
        parameters: fc.constant(Array.from({ length: translating.parametersShape[0] }, () => parameters)),
      }),
    });
  });
const optimizers: fc.Arbitrary<NumbersOf["optimizers"]> = fc
  .record({
    topic: fc.constantFrom(...optimizing.topics),
    surface: fc.constantFrom(...optimizing.surfaces),
    optimizer: fc.constantFrom(...optimizing.optimizers),
    compare: fc.boolean(),
    rates: fc.array(inside(optimizing.bounds.rate), {
      minLength: optimizing.optimizers.length,
      maxLength: optimizing.optimizers.length,
    }),
    momentum: inside(optimizing.bounds.kept),
    alpha: inside(optimizing.bounds.kept),
    beta1: inside(optimizing.bounds.kept),
    beta2: inside(optimizing.bounds.kept),
    start: fc.array(inside(optimizing.bounds.coordinate), { minLength: 2, maxLength: 2 }),
    steps: whole(rangeOf("optimizers", "steps")),
    share: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    points: fc
      .integer(optimizing.bounds.points)
      .chain((count) => matrix(count, 2, inside(optimizing.bounds.coordinate))),
    schedule: fc.constantFrom(...optimizing.schedules),
    model: whole(rangeOf("optimizers", "model")),
    warmup: whole(rangeOf("optimizers", "warmup")),
    length: whole(rangeOf("optimizers", "length")),
    peak: inside(optimizing.bounds.rate),
    batch: absent(whole(optimizing.bounds.batch)),
    seed: absent(whole(bounds.seed)),
    samples: absent(
      fc
        .integer(optimizing.bounds.points)
        .chain((count) => matrix(count, 3, inside(optimizing.bounds.coordinate))),
    ),
  })
  .map(({ share, ...rest }) => ({ ...rest, step: Math.floor(share * rest.steps), edits: [] }));

const block: fc.Arbitrary<NumbersOf["block"]> = fc
  .record({
    tokens: fc.array(word, { minLength: 1, maxLength: 9 }),
    width: fc.integer({ min: 1, max: 8 }),
    heads: whole(bounds.heads),
    hidden: whole(rangeOf("block", "hidden")),
    activation: fc.constantFrom(...optionsOf("block", "activation")),
    norm: fc.constantFrom(...optionsOf("block", "norm")),
    unbiased: fc.boolean(),
    dropout: fc.double({ ...blockBounds.dropout, noNaN: true }),
    seed: whole(bounds.seed),
    x: fc.option(
      fc
        .integer({ min: blockBounds.row.min, max: 9 })
        .chain((width) => fc.record({ x: matrix(1, width), claim: fc.option(matrix(1, width)) })),
    ),
    alone: fc.boolean(),
    curves: fc.boolean(),
    residual: absent(fc.boolean()),
    layerNorm: absent(fc.boolean()),
    layers: absent(whole(blockBounds.layers)),
    layer: absent(whole(blockBounds.layer)),
    scaleEmbedding: absent(fc.boolean()),
    causal: absent(fc.boolean()),
    // As many learned positions as there are words, and so many more; with drawn parameters none.
    positions: absent(fc.nat(3)),
    given: absent(
      fc.record({
        words: fc.uniqueArray(word, { maxLength: 4 }),
        parameters: fc.array(double, { minLength: 1, maxLength: 5 }),
      }),
    ),
  })
  .map(({ width, x, alone, curves, layer, given, positions, ...rest }): NumbersOf["block"] => {
    const drawn: NumbersOf["block"] = {
      ...withoutAbsent(rest),
      ...(positions !== undefined && { positions: 0 }),
      ...(layer !== undefined && { layer: Math.min(layer, (rest.layers ?? 1) - 1) }),
      dim: width * rest.heads,
      part: x && alone ? "norm" : curves ? "curves" : "block",
      x: x?.x ?? null,
      claim: x?.claim ?? null,
      edits: [],
    };
    if (!given) return drawn;
    const numbers = { ...drawn, ...(positions && { positions: rest.tokens.length + positions }) };
    const vocabulary = [...new Set([...given.words, ...rest.tokens])];
    const count = parameterCount({ ...numbers, vocabulary });
    // Larger models would make the tests slow.
    if (count > 3000) return drawn;
    return { ...numbers, vocabulary, parameters: [repeated(given.parameters, count)] };
  })
  .chain((numbers) => withEdits("block", numbers));
const losses: fc.Arbitrary<NumbersOf["losses"]> = fc
  .record({
    topic: fc.constantFrom(...optionsOf("losses", "topic")),
    classes: fc.uniqueArray(word, { minLength: lossesBounds.classes.min, maxLength: 6 }),
    picks: fc.array(fc.nat(5), { minLength: lossesBounds.rows.min, maxLength: lossesBounds.rows.max }),
    smoothing: fc.double({ ...lossesBounds.share, noNaN: true }),
    spread: fc.constantFrom(...optionsOf("losses", "spread")),
    dropout: fc.double({ ...lossesBounds.share, noNaN: true }),
    draws: whole(rangeOf("losses", "draws")),
    seed: whole(bounds.seed),
  })
  .chain(({ picks, ...rest }) =>
    fc.option(matrix(picks.length, rest.classes.length)).map((logits) => ({
      ...rest,
      targets: picks.map((pick) => pick % rest.classes.length),
      logits,
      edits: [] as Edit[],
    })),
  )
  .chain((numbers) => withEdits("losses", numbers));
const complexity: fc.Arbitrary<NumbersOf["complexity"]> = fc.record({
  length: whole(rangeOf("complexity", "length")),
  dim: fc.constantFrom(...optionsOf("complexity", "dim")),
  heads: fc.constantFrom(...optionsOf("complexity", "heads")),
  kernel: fc.constantFrom(...optionsOf("complexity", "kernel")),
  near: fc.constantFrom(...optionsOf("complexity", "near")),
  projected: fc.boolean(),
  measured: whole(rangeOf("complexity", "measured")),
  edits: fc.constant<Edit[]>([]),
});
const words: fc.Arbitrary<NumbersOf["words"]> = fc
  .record({
    topic: fc.constantFrom(...optionsOf("words", "topic")),
    tokens: fc.array(word, { minLength: 1, maxLength: wording.bounds.sentence.max }),
    other: fc.array(word, { minLength: 1, maxLength: wording.bounds.sentence.max }),
    dim: whole(wording.bounds.dim),
    seed: whole(bounds.seed),
    names: fc.uniqueArray(word, {
      minLength: wording.bounds.names.min,
      maxLength: wording.bounds.names.max,
    }),
    width: whole(wording.bounds.width),
    text: fc
      .uniqueArray(
        word.filter((one) => one !== wording.STOP),
        { minLength: 2, maxLength: 9 },
      )
      .chain((known) =>
        fc
          .array(fc.constantFrom(...known, wording.STOP), { maxLength: 30 })
          .map((more) => [known[0]!, known[1]!, ...more]),
      ),
    method: fc.constantFrom(...optionsOf("words", "method")),
    loss: fc.constantFrom(...optionsOf("words", "loss")),
    negatives: whole(rangeOf("words", "negatives")),
    window: whole(rangeOf("words", "window")),
    rate: inside(rangeOf("words", "rate")),
    steps: whole(rangeOf("words", "steps")),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    rows: absent(whole(wording.bounds.rows)),
    picks: absent(fc.array(fc.nat(), { minLength: 1, maxLength: wording.bounds.ids.max })),
  })
  // Without ids the table has a row for each of the default ids.
  .map(({ picks, rows, ...rest }) => ({
    ...rest,
    rows: picks ? rows : rows && Math.max(rows, 134),
    ids: picks?.map((pick) => pick % (rows ?? 1000)),
  }))
  .chain(({ width, share, ...rest }) =>
    fc
      .record({
        x: matrix(rest.names.length, width),
        analogy: fc.array(fc.integer({ min: 0, max: rest.names.length - 1 }), {
          minLength: 3,
          maxLength: 3,
        }),
      })
      .map((more) => ({
        ...rest,
        ...more,
        step: Math.floor(share * rest.steps),
        at: Math.floor(share * (wording.textWords(rest.text).length - 1)),
        edits: [] as Edit[],
      })),
  )
  .chain((numbers) => withEdits("words", numbers));

const scaling: fc.Arbitrary<NumbersOf["scaling"]> = fc.record({
  source: fc.constantFrom(...optionsOf("scaling", "source")),
  keys: whole(rangeOf("scaling", "keys")),
  query: whole(rangeOf("scaling", "query")),
  seed: whole(bounds.seed),
  edits: fc.constant<Edit[]>([]),
  width: absent(whole(rangeOf("scaling", "width"))),
});

const bert: fc.Arbitrary<NumbersOf["bert"]> = fc
  .record({
    tokens: fc.array(word, { minLength: 1, maxLength: rangeOf("bert", "tokens").max }),
    second: fc.array(word, { minLength: 0, maxLength: rangeOf("bert", "second").max }),
    rule: fc.constantFrom(...optionsOf("bert", "rule")),
    width: fc.integer({ min: 1, max: 4 }),
    heads: whole(rangeOf("bert", "heads")),
    trained: whole(rangeOf("bert", "trained")),
    seed: whole(bounds.seed),
  })
  .chain(({ width, ...rest }) =>
    fc
      .record({
        hidden: fc.subarray(wordPlaces(rest), { minLength: 1 }),
        head: absent(fc.integer({ min: 0, max: rest.heads - 1 })),
        layers: absent(whole(rangeOf("bert", "layers"))),
        layer: absent(whole(rangeOf("bert", "layer"))),
        width: absent(whole({ min: 1, max: 64 })),
        // As many positions as there are places, and so many more.
        positions: absent(fc.nat(bertBounds.positions.max - sequenceOf(rest).length)),
        given: absent(
          fc.record({
            words: fc.uniqueArray(word, { maxLength: 4 }),
            parameters: fc.array(double, { minLength: 1, maxLength: 5 }),
          }),
        ),
      })
      .map(({ layer, positions, given, ...more }): NumbersOf["bert"] => {
        const drawn: NumbersOf["bert"] = {
          ...rest,
          ...withoutAbsent(more),
          dim: width * rest.heads,
          edits: [],
          ...(layer !== undefined && { layer: Math.min(layer, (more.layers ?? 1) - 1) }),
          ...(positions !== undefined && { positions: sequenceOf(rest).length + positions }),
        };
        if (!given) return drawn;
        const vocabulary = [...new Set([...given.words, ...rest.tokens, ...rest.second])];
        const count = bertParameterCount({ ...drawn, vocabulary });
        // Larger models would make the tests slow.
        if (count > 3000) return drawn;
        return { ...drawn, vocabulary, parameters: [repeated(given.parameters, count)] };
      }),
  )
  .chain((numbers) => withEdits("bert", numbers));

const configOf = <L extends LabId>(lab: L, numbers: fc.Arbitrary<NumbersOf[L]>): fc.Arbitrary<ConfigOf<L>> =>
  numbers.chain((made) =>
    fc.record({
      version: fc.constant(1 as const),
      example: fc.constant(null),
      numbers: fc.constant(made),
      view: fc
        .record({
          lab: fc.constant(lab),
          cell: fc.option(
            fc.record({
              node: fc.constantFrom("scores", "Q_heads", "K_T", "output", "PE"),
              index: fc.array(whole(bounds.place), { maxLength: bounds.axes.max }),
            }),
          ),
          pinned: fc.boolean(),
          scales: fc.constantFrom("shared" as const, "own" as const),
          item: fc.integer({
            min: 0,
            max: lab === "multi-head" ? batchCount(made as NumbersOf["multi-head"]) - 1 : 0,
          }),
          lang: fc.option(fc.constantFrom(...choices.lang)),
          theme: fc.option(fc.constantFrom("light" as const, "dark" as const)),
          ...later(numbers, made),
        })
        .chain((view) => story.map((told) => ({ ...view, ...told }))),
    }),
  );

const name = fc.stringMatching(/^[A-Za-z0-9][\w.,/-]{0,63}$/);

/** The view fields that were added after the first version: a comparison with other numbers, with the same, or with none. */
const later = <L extends LabId>(numbers: fc.Arbitrary<NumbersOf[L]>, made: NumbersOf[L]) => ({
  before: fc.oneof(
    fc.constant(undefined),
    fc.constant(made),
    fc.constant({ ...made, edits: [] as Edit[] }),
    numbers,
  ),
  gradient: absent(
    fc.record({
      node: fc.constantFrom("weights", "loss"),
      index: fc.array(whole(bounds.place), { maxLength: 4 }),
    }),
  ),
  guess: absent(
    fc.record({
      node: fc.constantFrom("Q", "scaled"),
      index: fc.array(whole(bounds.place), { maxLength: 4 }),
    }),
  ),
  read: absent(fc.constant("numbers" as const)),
  stop: absent(name),
  unfolded: absent(fc.subarray([...choices.unfolded], { minLength: 1 })),
  picture: absent(name),
  lesson: absent(name),
});

/** A line of any characters, possibly empty. */
const line = ({ min, max }: Range, unit: "grapheme" | "grapheme-ascii") =>
  fc
    .string({ unit, maxLength: 30 })
    .map((text) =>
      text
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
        .trim()
        .slice(0, max),
    )
    .filter((text) => text.length >= min && !/\p{Cs}/u.test(text));
/** A story with the step that the reader has reached, or no story. */
const story = absent(
  fc.array(
    fc.record({ words: line(bounds.storyWords, "grapheme"), link: line(bounds.storyLink, "grapheme-ascii") }),
    { minLength: bounds.storySteps.min, maxLength: bounds.storySteps.max },
  ),
).chain((steps) =>
  fc.record({
    story: fc.constant(steps),
    reached: steps ? absent(fc.nat(steps.length - 1)) : fc.constant(undefined),
  }),
);

const place = whole({ min: -9999, max: 9999 });
const end = fc.option(place, { nil: null });
/** Any selector, as links hold it. */
export const anySelector: fc.Arbitrary<string> = fc
  .record({
    name: fc.stringMatching(/^[A-Za-z][\w.]{0,40}$/),
    parts: fc.array(fc.oneof(place, fc.tuple(end, end)), { maxLength: 4 }),
    of: fc.constantFrom("numbers", "gradient", "move"),
    histogram: fc.boolean(),
  })
  .map(({ of, ...selector }) =>
    selectorText({ ...selector, gradient: of === "gradient", move: of === "move" }),
  );

const training: fc.Arbitrary<NumbersOf["training"]> = fc.constantFrom(...learning.tasks).chain((task) => {
  const range = (name: keyof NumbersOf["training"]) => whole(rangeOf("training", name));
  const option = <K extends keyof NumbersOf["training"]>(name: K) =>
    fc.constantFrom(...optionsOf("training", name));
  return fc
    .record({
      task: fc.constant(task),
      length: range("length"),
      model: fc.constantFrom(...learning.modelsOf[task]),
      layers: range("layers"),
      heads: option("heads"),
      dim: option("dim"),
      norm: option("norm"),
      residual: fc.boolean(),
      positions: fc.boolean(),
      divide: fc.boolean(),
      factor: fc.boolean(),
      optimizer: option("optimizer"),
      rate: inside(learning.bounds.rate),
      schedule: option("schedule"),
      warmup: whole({ min: 1, max: 100 }),
      decay: inside(learning.bounds.decay),
      batch: option("batch"),
      dropout: inside(learning.bounds.share),
      smoothing: inside(learning.bounds.share),
      seed: range("seed"),
      steps: whole({ min: 101, max: learning.bounds.steps.max }),
      beside: fc
        .subarray([...learning.variants, "pre-norm+no-warmup", "no-residual+no-norm"])
        .map((all) => all.slice(0, learning.bounds.beside.max)),
      samples: fc.array(fc.constantFrom("43+34", "0", "12", "(()())", "我_爱_你", "the"), {
        minLength: 1,
        maxLength: learning.bounds.samples.max,
      }),
      temperature: absent(inside(learning.bounds.temperature)),
      step: whole({ min: 0, max: 101 }),
      edits: fc.constant<Edit[]>([]),
      watch: absent(anySelector),
      ff: absent(range("ff")),
      clip: absent(inside(learning.bounds.clip)),
      language: absent(fc.constantFrom(...(learning.languagesOf[task] ?? (["en", "zh", "fr"] as const)))),
      window: absent(range("window")),
      held: absent(range("held")),
      decayEmbedding: absent(fc.boolean()),
    })
    .map((all): NumbersOf["training"] => withoutAbsent(all) as NumbersOf["training"])
    .map((numbers) => ({
      ...numbers,
      beside: numbers.beside.filter((one) => learning.fitsBeside(one, numbers)),
      samples: learning.isOfDigits(numbers) ? learning.digitsOf(numbers.length) : numbers.samples,
    }));
});

/** Valid numbers of each lab, with all of its settings. */
export const numbersOf: { readonly [L in LabId]: fc.Arbitrary<NumbersOf[L]> } = {
  attention,
  "multi-head": multiHead,
  positions,
  vit,
  "encoder-decoder": encoderDecoder,
  optimizers,
  block,
  losses,
  complexity,
  scaling,
  bert,
  words,
  training,
};

/** Any valid Config. */
export const anyConfig = fc.oneof(
  ...labIds.map(<L extends LabId>(lab: L) => configOf(lab, numbersOf[lab])),
) as fc.Arbitrary<Config>;
