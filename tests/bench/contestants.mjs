// The contestants: the module of each in contestants/, its start options, and the package that it uses.

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

/** The contestants that are loaded for a first result: one of the three ways of onnxruntime, and both of our parts. */
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

/** The contestant that the others are compared with. */
export const OURS = contestants[0].name;
