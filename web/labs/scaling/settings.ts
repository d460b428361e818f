/** The settings of the scaling lab as a sentence. */
import { labControls } from "../../telling/controls.js";
import { say } from "./strings.js";

export const settings = labControls({
  id: "scaling",
  strings: say,
  sentence: ({ numbers }, words) =>
    say(words)(numbers.source === "unit" ? "sentence.unit" : "sentence.words"),
  controls: { source: { essential: true } },
});
