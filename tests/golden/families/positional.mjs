// Positional encodings: sinusoidal, added, learned, shift matrix, RoPE, ALiBi, absolute index.
import { ids, tensor } from "../fixture.mjs";

const place = ({ positions, len }) => (positions ? { positions } : { length: len });

const operations = {
  sinusoidal(core, { params }, precision) {
    const pe = core.sinusoidal({ ...place(params), dim: params.d_model }, precision);
    return { pe, printed: pe };
  },
  add(core, { inputs, params }, precision) {
    const x = tensor(inputs.x, precision);
    const [length, dim] = x.shape.slice(-2);
    const pe = core.sinusoidal({ ...place({ len: length, ...params }), dim }, precision);
    const y = core.add(params.scale_embedding ? core.scale(x, { factor: Math.sqrt(dim) }) : x, pe);
    return { y, printed: y };
  },
  learned: (core, { inputs }, precision) => ({
    pe: core.embedding(ids(inputs.positions), tensor(inputs.table, precision)),
  }),
  shift_matrix(core, { params }, precision) {
    const { positions, k, d_model: dim } = params;
    const matrix = core.shiftMatrix({ offset: k, dim }, precision);
    const before = core.sinusoidal({ positions, dim }, precision);
    const after = core.sinusoidal({ positions: positions.map((position) => position + k), dim }, precision);
    const shifted = core.matmul(before, core.transpose(matrix));
    return { matrix, pe_pos: before, pe_pos_plus_k: [after, shifted] };
  },
  rope(core, { inputs, params }, precision) {
    const { positions, base, layout } = params;
    const options = { layout, ...(base === undefined ? {} : { base }), ...(positions ? { positions } : {}) };
    return { y: core.rotary(tensor(inputs.x, precision), options) };
  },
  alibi(core, { params }, precision) {
    const { heads, q_len, k_len, causal = false } = params;
    return core.alibi({ numHeads: heads, queryLength: q_len, keyLength: k_len, causal }, precision);
  },
  absolute_index: (core, { params }, precision) => ({
    pe: core.absoluteIndex({ ...place(params), dim: params.d_model }, precision),
  }),
};

export function run(core, fixture, precision) {
  const operation = operations[fixture.params.op];
  if (!operation) throw new TypeError(`positional: the operation ${fixture.params.op} is unknown`);
  return operation(core, fixture, precision);
}
