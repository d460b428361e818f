// The contestants: the module of each in contestants/, the options that it is started with, and its package.

const onnx = (way, name) => ({ name, module: "onnx", options: { way }, library: "onnxruntime-web" });

export const contestants = [
  { name: "ours", module: "ours", options: { build: "relaxed" }, library: null },
  { name: "ours, plain SIMD", module: "ours", options: { build: "simd" }, library: null },
  onnx("plain", "onnxruntime-web"),
  onnx("contrib", "onnxruntime-web, contrib"),
  onnx("attention", "onnxruntime-web, opset 23"),
  { name: "LiteRT.js", module: "litert", options: {}, library: "@litertjs/core" },
  { name: "TensorFlow.js", module: "tensorflow", options: {}, library: "@tensorflow/tfjs-backend-wasm" },
  { name: "jax-js", module: "jax", options: {}, library: "@jax-js/jax" },
  { name: "numpy-ts", module: "numpy", options: {}, library: "numpy-ts" },
];

/** The contestants whose first result is timed: one of the three ways of onnxruntime, and both parts of our core. */
export const firstResultContestants = [
  contestants[0],
  {
    name: "ours, attention part",
    module: "ours",
    options: { build: "relaxed", part: "attention" },
    library: null,
  },
  ...contestants.filter(({ library, name }) => library && !/,/.test(name)),
];

/** The name of the contestant that the others are compared with. */
export const OURS = contestants[0].name;
