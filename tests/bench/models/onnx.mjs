// Writes a model as an ONNX file, byte by byte in the wire format of protocol buffers. It has only what the tasks need.

const [FLOAT, INT64] = [1, 7];
const OTHER_DOMAIN = "com.microsoft";

/** A message: fields by number, in the order in which they are added. */
class Message {
  #parts = [];

  #varint(value) {
    const bytes = [];
    let rest = BigInt.asUintN(64, BigInt(value));
    do {
      const low = Number(rest & 0x7fn);
      rest >>= 7n;
      bytes.push(rest ? low | 0x80 : low);
    } while (rest);
    this.#parts.push(Uint8Array.from(bytes));
  }

  integer(field, value) {
    this.#varint(field * 8);
    this.#varint(value);
    return this;
  }

  float(field, value) {
    this.#varint(field * 8 + 5);
    this.#parts.push(new Uint8Array(Float32Array.of(value).buffer));
    return this;
  }

  data(field, bytes) {
    this.#varint(field * 8 + 2);
    this.#varint(bytes.length);
    this.#parts.push(bytes);
    return this;
  }

  text(field, value) {
    return this.data(field, new TextEncoder().encode(value));
  }

  inside(field, message) {
    return this.data(field, message.bytes());
  }

  bytes() {
    const all = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let place = 0;
    for (const part of this.#parts) {
      all.set(part, place);
      place += part.length;
    }
    return all;
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** An attribute: a whole number, a list of whole numbers, or `{ float }` for a number with a fraction. */
function attribute(name, value) {
  const message = new Message().text(1, name);
  if (Array.isArray(value)) {
    for (const one of value) message.integer(8, one);
    return message.integer(20, 7);
  }
  if (typeof value === "object") return message.float(2, value.float).integer(20, 1);
  return message.integer(3, value).integer(20, 2);
}

export class OnnxModel {
  #opset;
  #nodes = [];
  #constants = [];
  #inputs = [];
  #outputs = [];
  #names = 0;
  #other = false;

  constructor(opset) {
    this.#opset = opset;
  }

  #name() {
    return `t${this.#names++}`;
  }

  /** The description of an input or output. A size that is a word stands for any size. */
  #described(name, shape) {
    const sizes = new Message();
    for (const size of shape)
      sizes.inside(
        1,
        typeof size === "string" ? new Message().text(2, size) : new Message().integer(1, size),
      );
    const tensor = new Message().integer(1, FLOAT).inside(2, sizes);
    return new Message().text(1, name).inside(2, new Message().inside(1, tensor));
  }

  input(name, shape) {
    this.#inputs.push(this.#described(name, shape));
    return name;
  }

  output(name, shape) {
    this.#outputs.push(this.#described(name, shape));
    return name;
  }

  #constant(type, shape, data, name) {
    const tensor = new Message();
    for (const size of shape) tensor.integer(1, size);
    this.#constants.push(tensor.integer(2, type).text(8, name).data(9, bytesOf(data)));
    return name;
  }

  numbers(data, shape = [data.length], name = this.#name()) {
    return this.#constant(FLOAT, shape, data, name);
  }

  integers(values) {
    return this.#constant(INT64, [values.length], BigInt64Array.from(values.map(BigInt)), this.#name());
  }

  /** Adds an operation and returns the name of its output. */
  apply(type, inputs, attributes = {}, { output = this.#name(), other = false } = {}) {
    const node = new Message();
    for (const input of inputs) node.text(1, input);
    node.text(2, output).text(3, this.#name()).text(4, type);
    for (const [name, value] of Object.entries(attributes)) node.inside(5, attribute(name, value));
    if (other) node.text(7, OTHER_DOMAIN);
    this.#other ||= other;
    this.#nodes.push(node);
    return output;
  }

  /** Adds one of ONNX Runtime's own operations. */
  applyOther(type, inputs, attributes, options) {
    return this.apply(type, inputs, attributes, { ...options, other: true });
  }

  /** The bytes of the file. */
  bytes() {
    const graph = new Message();
    for (const node of this.#nodes) graph.inside(1, node);
    graph.text(2, "bench");
    for (const constant of this.#constants) graph.inside(5, constant);
    for (const input of this.#inputs) graph.inside(11, input);
    for (const output of this.#outputs) graph.inside(12, output);
    const version = (domain, number) => new Message().text(1, domain).integer(2, number);
    const model = new Message()
      .integer(1, this.#opset < 23 ? 8 : 11)
      .text(2, "bench")
      .inside(7, graph)
      .inside(8, version("", this.#opset));
    if (this.#other) model.inside(8, version(OTHER_DOMAIN, 1));
    return model.bytes();
  }
}
