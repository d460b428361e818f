// Writes a model as a TensorFlow Lite file (schema version 3) with flatbuffers. It has only what the tasks need.
import { Builder } from "flatbuffers";

/** The number of each operation in the schema, and the number of its kind of options. */
const OPERATIONS = {
  ADD: [0, 11],
  CONV_2D: [3, 1],
  FULLY_CONNECTED: [9, 8],
  MUL: [18, 21],
  RESHAPE: [22, 17],
  CONCATENATION: [2, 10],
  SOFTMAX: [25, 9],
  TRANSPOSE: [39, 26],
  MEAN: [40, 27],
  SUB: [41, 28],
  SIN: [66, 0],
  RSQRT: [76, 0],
  SQUARED_DIFFERENCE: [99, 66],
  BATCH_MATMUL: [126, 101],
  COS: [108, 0],
};
const [FLOAT32, INT32] = [0, 2];
export const RELU = 1;

/** The options of an operation that differ from their defaults: [field, type, value]. */
const optionsOf = (name, { activation = 0, stride = 1, axis = 0, adjointRight = false }) =>
  ({
    ADD: [[0, "Int8", activation]],
    MUL: [[0, "Int8", activation]],
    SUB: [[0, "Int8", activation]],
    CONV_2D: [
      [0, "Int8", 1], // valid
      [1, "Int32", stride],
      [2, "Int32", stride],
      [3, "Int8", activation],
      [4, "Int32", 1],
      [5, "Int32", 1],
    ],
    FULLY_CONNECTED: [
      [0, "Int8", activation],
      [2, "Int8", 1], // keeps the leading axes
    ],
    CONCATENATION: [[0, "Int32", axis]],
    SOFTMAX: [[0, "Float32", 1]],
    MEAN: [[0, "Int8", 1]], // keeps the axis
    BATCH_MATMUL: [[1, "Int8", adjointRight ? 1 : 0]],
  })[name] ?? [];

export class TfliteModel {
  #buffers = [null];
  #tensors = [];
  #operations = [];
  #codes = [];
  #inputs = [];

  #tensor(shape, type, data) {
    const buffer = data
      ? this.#buffers.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) - 1
      : 0;
    return this.#tensors.push({ shape, type, buffer }) - 1;
  }

  input(shape) {
    const place = this.#tensor(shape, FLOAT32);
    this.#inputs.push(place);
    return place;
  }

  numbers(data, shape = [data.length]) {
    return this.#tensor(shape, FLOAT32, data);
  }

  number(value) {
    return this.numbers(Float32Array.of(value));
  }

  integers(values) {
    return this.#tensor([values.length], INT32, Int32Array.from(values));
  }

  /** Adds an operation and returns its output. */
  apply(name, inputs, shape, options = {}) {
    const known = this.#codes.indexOf(name);
    const code = known < 0 ? this.#codes.push(name) - 1 : known;
    const output = this.#tensor(shape, FLOAT32);
    this.#operations.push({ name, code, inputs, output, options });
    return output;
  }

  reshape(x, shape) {
    return this.apply("RESHAPE", [x, this.integers(shape)], shape);
  }

  transpose(x, order, shape) {
    return this.apply("TRANSPOSE", [x, this.integers(order)], shape);
  }

  /** The bytes of the file. */
  bytes(...outputs) {
    const to = new Builder(1 << 20);
    const integers = (values) => {
      to.startVector(4, values.length, 4);
      for (const value of values.toReversed()) to.addInt32(value);
      return to.endVector();
    };
    const offsets = (values) => {
      to.startVector(4, values.length, 4);
      for (const value of values.toReversed()) to.addOffset(value);
      return to.endVector();
    };
    /** Adds a table. Fields are [place, type, value]; those with an undefined value are left out. */
    const table = (count, fields) => {
      to.startObject(count);
      for (const [place, type, value] of fields)
        if (value !== undefined) to[`addField${type}`](place, value, undefined);
      return to.endObject();
    };
    const buffers = this.#buffers.map((data) => {
      let place;
      if (data) {
        to.startVector(1, data.length, 16);
        to.space -= data.length;
        to.bb.bytes().set(data, to.space);
        place = to.endVector();
      }
      return table(3, [[0, "Offset", place]]);
    });
    const tensors = this.#tensors.map(({ shape, type, buffer }, place) => {
      const [name, sizes] = [to.createString(`t${place}`), integers(shape)];
      return table(8, [
        [0, "Offset", sizes],
        [1, "Int8", type],
        [2, "Int32", buffer],
        [3, "Offset", name],
      ]);
    });
    const operations = this.#operations.map(({ name, code, inputs, output, options }) => {
      const kind = OPERATIONS[name][1];
      const [from, into] = [integers(inputs), integers([output])];
      const settings = kind ? table(6, optionsOf(name, options)) : undefined;
      return table(9, [
        [0, "Int32", code],
        [1, "Offset", from],
        [2, "Offset", into],
        [3, "Int8", kind || undefined],
        [4, "Offset", settings],
      ]);
    });
    const graph = [offsets(tensors), integers(this.#inputs), integers(outputs), offsets(operations)];
    const title = to.createString("main");
    const subgraph = table(6, [
      ...graph.map((value, place) => [place, "Offset", value]),
      [4, "Offset", title],
    ]);
    const codes = this.#codes.map((name) => {
      const [number] = OPERATIONS[name];
      return table(4, [
        [0, "Int8", Math.min(number, 127)],
        [2, "Int32", 1],
        [3, "Int32", number],
      ]);
    });
    const parts = [offsets(codes), offsets([subgraph]), to.createString("bench"), offsets(buffers)];
    const model = table(8, [[0, "Int32", 3], ...parts.map((value, place) => [place + 1, "Offset", value])]);
    to.finish(model, "TFL3");
    return to.asUint8Array().slice();
  }
}
