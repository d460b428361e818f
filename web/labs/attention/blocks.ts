/** Names of words, for labs that look for them here. */
export { wordNames } from "../../telling/phrases.js";
