/** The tasks that are timed: their sizes, and the floating-point operations of their products; a multiply-add counts as two. */

/** A batch of sequences of vectors, split into heads of width dim / heads. */
export interface Sequences {
  batch: number;
  heads: number;
  length: number;
  dim: number;
}

export interface Stack extends Sequences {
  layers: number;
  vocabulary: number;
}

/** The sizes that each kind of task needs. */
export interface Sizes {
  matmul: { n: number };
  attention: Sequences & { causal: boolean };
  multiHead: Sequences;
  encoder: Sequences;
  sinusoidal: { length: number; dim: number };
  patches: { size: number; channels: number; patch: number; dim: number };
  training: Stack;
  /** Greedy decoding: encoder and decoder of so many layers, a source of `length` ids, `steps` new ids. */
  decoding: Stack & { steps: number };
}

export type Kind = keyof Sizes;

export interface WorkOf<K extends Kind> {
  id: string;
  kind: K;
  sizes: Sizes[K];
  flops: number;
  /** Whether a quick run leaves it out. */
  thorough?: boolean;
  /** The day when it was added, as 2026-11-23; earlier published runs do not contain it. Absent: as old as all of them. */
  since?: string;
}

export type Work = { [K in Kind]: WorkOf<K> }[Kind];

/** A prepared task: inputs written, weights packed, programs compiled. Only `run` is timed; it ends when its numbers can be read. */
export interface Ready {
  run(): Float32Array | Promise<Float32Array>;
  /** The numbers in the order in which all contestants are compared, where `run` leaves them in another. */
  ordered?(output: Float32Array): Float32Array;
  end?(): void | Promise<void>;
}

/** The functions with which a contestant prepares its tasks; a missing kind is one it cannot do. Throws Error for sizes it cannot do. */
export type Makers = { [K in Kind]?: (sizes: Sizes[K]) => Ready | Promise<Ready> };

const tiny: Sequences = { batch: 1, heads: 1, length: 4, dim: 3 };

/** The sequences of the attention, multi-head and encoder tasks. */
const sequences: readonly (readonly [string, Sequences])[] = [
  ["L4 D3", tiny],
  ["B10 L20 D128", { batch: 10, heads: 8, length: 20, dim: 128 }],
  ["L64 D128", { batch: 1, heads: 4, length: 64, dim: 128 }],
  ["L197 D192", { batch: 1, heads: 3, length: 197, dim: 192 }],
  ["L512 D512", { batch: 1, heads: 8, length: 512, dim: 512 }],
];

const attentionFlops = ({ batch, length, dim }: Sequences): number => 4 * batch * length * length * dim;
const projection = ({ batch, length, dim }: Sequences): number => 2 * batch * length * dim * dim;
const multiHeadFlops = (sizes: Sequences): number => 4 * projection(sizes) + attentionFlops(sizes);
/** Four projections, attention, and two products four times as wide. */
export const encoderFlops = (sizes: Sequences): number => 8 * projection(sizes) + multiHeadFlops(sizes);

/** The forward pass, and the backward pass with two products for each one of the forward pass. */
const trainingFlops = ({ layers, vocabulary, ...sizes }: Stack): number =>
  3 * (layers * encoderFlops(sizes) + 2 * sizes.batch * sizes.length * sizes.dim * vocabulary);

/** The source once; for every new token its projections, its scores over the earlier tokens and over the source, and its logits. */
function decodingFlops({ layers, vocabulary, steps, ...sizes }: Sizes["decoding"]): number {
  const { batch, length, dim } = sizes;
  const perToken = batch * (layers * (6 + 8) * 2 * dim * dim + 2 * dim * vocabulary);
  const scores = batch * layers * 4 * dim * (steps * length + (steps * (steps + 1)) / 2);
  const memory = layers * 2 * projection(sizes);
  return layers * encoderFlops(sizes) + memory + steps * perToken + scores;
}

const matmulOf = (n: number): Work => ({
  id: `matmul ${n}`,
  kind: "matmul",
  sizes: { n },
  flops: 2 * n ** 3,
});
const attentionOf = (name: string, sizes: Sequences): Work => ({
  id: `attention ${name}`,
  kind: "attention",
  sizes: { ...sizes, causal: false },
  flops: attentionFlops(sizes),
});
const multiHeadOf = (name: string, sizes: Sequences): Work => ({
  id: `multi-head ${name}`,
  kind: "multiHead",
  sizes,
  flops: multiHeadFlops(sizes),
});
const encoderOf = (name: string, sizes: Sequences): Work => ({
  id: `encoder layer ${name}`,
  kind: "encoder",
  sizes,
  flops: encoderFlops(sizes),
});

/** A single pass takes seconds in cores that store every score. */
const longSequences: Work[] = [2048, 8192].flatMap((length) =>
  [false, true].map((causal): Work => {
    const sizes = { batch: 1, heads: 1, length, dim: 64 };
    return {
      id: `attention L${length} d64${causal ? " causal" : ""}`,
      kind: "attention",
      sizes: { ...sizes, causal },
      // Half of the scores, and the diagonal.
      flops: causal ? 2 * length * (length + 1) * sizes.dim : attentionFlops(sizes),
      thorough: length > 4096,
    };
  }),
);

const trainingOf = (name: string, sizes: Sizes["training"]): Work => ({
  id: `training step ${name}`,
  kind: "training",
  sizes,
  flops: trainingFlops(sizes),
});
const decoding: Sizes["decoding"] = {
  batch: 1,
  heads: 4,
  length: 16,
  dim: 64,
  layers: 2,
  vocabulary: 64,
  steps: 32,
};
const patches: Sizes["patches"] = { size: 224, channels: 3, patch: 16, dim: 192 };

/** Less regular widths and lengths: odd ones, and those of real models. */
const otherSizes: readonly Work[] = [
  ...[96, 333, 768].map(matmulOf),
  attentionOf("L384 D768 H12", { batch: 1, heads: 12, length: 384, dim: 768 }),
  attentionOf("L3000 d128", { batch: 1, heads: 1, length: 3000, dim: 128 }),
  attentionOf("L4096 d32", { batch: 1, heads: 1, length: 4096, dim: 32 }),
  multiHeadOf("B8 L48 D96", { batch: 8, heads: 3, length: 48, dim: 96 }),
  multiHeadOf("B2 L77 D768", { batch: 2, heads: 12, length: 77, dim: 768 }),
  multiHeadOf("L256 D384", { batch: 1, heads: 6, length: 256, dim: 384 }),
  encoderOf("L101 D300", { batch: 1, heads: 5, length: 101, dim: 300 }),
  encoderOf("L128 D384", { batch: 1, heads: 6, length: 128, dim: 384 }),
  encoderOf("L256 D640", { batch: 1, heads: 10, length: 256, dim: 640 }),
  encoderOf("L64 D1024", { batch: 1, heads: 16, length: 64, dim: 1024 }),
  trainingOf("B16 L24 D96", { batch: 16, heads: 4, length: 24, dim: 96, layers: 2, vocabulary: 16 }),
  {
    ...trainingOf("B16 L64 D128 N4", {
      batch: 16,
      heads: 4,
      length: 64,
      dim: 128,
      layers: 4,
      vocabulary: 16,
    }),
    since: "2026-11-26",
  },
].map((work) => ({ ...work, thorough: true }));

const inOrder: readonly Work[] = [
  ...[64, 128, 256, 512, 1024].map(matmulOf),
  ...sequences.map(([name, sizes]) => attentionOf(name, sizes)),
  ...longSequences,
  ...sequences.map(([name, sizes]) => multiHeadOf(name, sizes)),
  ...sequences.map(([name, sizes]) => encoderOf(name, sizes)),
  {
    id: "sinusoidal L512 D512",
    kind: "sinusoidal",
    sizes: { length: 512, dim: 512 },
    flops: 2 * 512 * 512,
  },
  {
    id: "patches 224x224x3 P16 D192",
    kind: "patches",
    sizes: patches,
    flops: 2 * (patches.size / patches.patch) ** 2 * patches.channels * patches.patch ** 2 * patches.dim,
  },
  trainingOf("B32 L16 D64", { batch: 32, heads: 4, length: 16, dim: 64, layers: 2, vocabulary: 16 }),
  { id: "greedy decoding", kind: "decoding", sizes: decoding, flops: decodingFlops(decoding) },
];

/** The longest come last, so that the memory they leave behind affects no other task. */
export const works: readonly Work[] = [
  ...inOrder.filter(({ thorough }) => !thorough),
  ...otherSizes,
  ...inOrder.filter(({ thorough }) => thorough),
];

/** The first task of each contestant: the time from navigation to its result is measured. */
export const firstWork: WorkOf<"multiHead"> = {
  id: "multi-head L4 D3",
  kind: "multiHead",
  sizes: tiny,
  flops: multiHeadFlops(tiny),
};

/** The task whose memory is measured. */
export const memoryWork: WorkOf<"attention"> = {
  id: "attention L8192 d64",
  kind: "attention",
  sizes: { batch: 1, heads: 1, length: 8192, dim: 64, causal: false },
  flops: 4 * 8192 * 8192 * 64,
};

/** The tasks whose names contain all of the words; a quick run has only some of them. */
export function worksWith(words: string, quick = false): Work[] {
  const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
  return works.filter(
    ({ id, thorough }) => !(quick && thorough) && asked.every((word) => id.toLowerCase().includes(word)),
  );
}
