// Who takes part: the module of each in contestants/, what it is started with, and the packages behind it.

const onnx = (way, name) => ({ name, module: "onnx", started: { way }, library: "onnxruntime-web" });

export const contestants = [
  { name: "ours", module: "ours", started: { build: "relaxed" }, library: null },
  { name: "ours, plain SIMD", module: "ours", started: { build: "simd" }, library: null },
  onnx("plain", "onnxruntime-web"),
  onnx("contrib", "onnxruntime-web, contrib"),
  onnx("attention", "onnxruntime-web, opset 23"),
  { name: "LiteRT.js", module: "litert", started: {}, library: "@litertjs/core" },
  { name: "TensorFlow.js", module: "tensorflow", started: {}, library: "@tensorflow/tfjs-backend-wasm" },
  { name: "jax-js", module: "jax", started: {}, library: "@jax-js/jax" },
  { name: "numpy-ts", module: "numpy", started: {}, library: "numpy-ts" },
];

/** What is loaded for a first result: of the three ways of onnxruntime one, of ours both parts. */
export const loaded = [
  contestants[0],
  {
    name: "ours, attention part",
    module: "ours",
    started: { build: "relaxed", part: "attention" },
    library: null,
  },
  ...contestants.filter(({ library, name }) => library && !/,/.test(name)),
];

/** Ours is what the others are compared with. */
export const OURS = contestants[0].name;
