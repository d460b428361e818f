/** The settings of the scaling lab as a sentence. The width of a row is dragged in the picture. */
import { labControls } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

export const settings = labControls({
  id: "scaling",
  strings: stringsIn,
  sentence: ({ numbers }, words) =>
    stringsIn(words)(numbers.source === "unit" ? "sentence.unit" : "sentence.words"),
  controls: { source: { essential: true } },
});
