/** The settings of the scaling lab as a sentence. The width of a row is dragged in the picture. */
import { WIDTHS, type ScalingNumbers } from "../../config/labs/scaling.js";
import { labControls } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

/** The numbers without a width that its row has anyway. */
const withoutOwnWidth = ({ width, ...rest }: ScalingNumbers): ScalingNumbers =>
  width === undefined || WIDTHS.includes(width) ? rest : { ...rest, width };

export const settings = labControls({
  id: "scaling",
  strings: stringsIn,
  sentence: ({ numbers }, words) =>
    stringsIn(words)(numbers.source === "unit" ? "sentence.unit" : "sentence.words"),
  controls: { source: { essential: true }, width: { then: withoutOwnWidth } },
});
