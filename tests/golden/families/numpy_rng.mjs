// NumPy's legacy generator. Draws are doubles, whatever the precision.
const draw = (random, { op, args }) => {
  if (op === "uint32") return random.uint32(...args);
  if (op === "random_sample") return random.randomSample(args.flat());
  if (op === "randn") return random.randn(args.flat());
  if (op === "normal") return random.normal(...args);
  if (op === "uniform") return random.uniform(...args);
  if (op === "randint") return random.randint(...args);
  if (op === "permutation") return random.permutation(...args);
  throw new TypeError(`numpy_rng: the operation ${op} is unknown`);
};

export function run(core, { params }) {
  const random = core.randomState(params.seed);
  try {
    if (params.op === "sequence") {
      return Object.fromEntries(params.steps.map((step, place) => [`step${place}`, draw(random, step)]));
    }
    const out = draw(random, params);
    if (params.take_last === undefined) return { out };
    return { out: { shape: [params.take_last], data: out.data.slice(-params.take_last) } };
  } finally {
    random.delete();
  }
}
