/** What reads the stage, fetched when it is first asked for. */
export { Comparison } from "./compare.js";
export { Gradient } from "./gradient.js";
