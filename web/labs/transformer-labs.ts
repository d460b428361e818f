/** The labs of the whole core, fetched one by one. Frames and elements carry them all. */
import type { Lab } from "./lab.js";
import type { LabOf } from "./part.js";

export const transformerLabs: { [L in LabOf<"transformer">]: () => Promise<Lab<L>> } = {
  complexity: () => import("./complexity/index.js").then(({ complexity }) => complexity),
  "encoder-decoder": () => import("./encoder-decoder/index.js").then(({ encoderDecoder }) => encoderDecoder),
  words: () => import("./words/index.js").then(({ words }) => words),
  optimizers: () => import("./optimizers/index.js").then(({ optimizers }) => optimizers),
  bert: () => import("./bert/index.js").then(({ bert }) => bert),
  block: () => import("./block/index.js").then(({ block }) => block),
  scaling: () => import("./scaling/index.js").then(({ scaling }) => scaling),
  losses: () => import("./losses/index.js").then(({ losses }) => losses),
};
