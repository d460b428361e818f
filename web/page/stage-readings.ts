/** The classes of comparisons and gradients, fetched when first needed. */
export { Comparison } from "./compare.js";
export { Gradient } from "./gradient.js";
