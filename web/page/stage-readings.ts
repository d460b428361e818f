/** The classes of comparisons and gradients and the element that names them, fetched when first needed. */
import "../elements/reading.js";

export { Comparison } from "./compare.js";
export { Gradient } from "./gradient.js";
