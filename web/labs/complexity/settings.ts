/** The settings of the complexity lab as a sentence. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { labControls } from "../../telling/controls.js";
import { stringsIn } from "./strings.js";

/** The options of the timing: none, the present one, and another. Untimed, the sentence says what can be done. */
function timings({ numbers }: ConfigOf<"complexity">, words: Words): { value: string; label: string }[] {
  const say = stringsIn(words);
  const { measured } = numbers;
  const next = String(measured >= 9 ? 1 : measured + 1);
  return [
    { value: "0", label: say("measured.no") },
    ...(measured > 0 ? [{ value: String(measured), label: say("measured.yes") }] : []),
    { value: next, label: say(measured > 0 ? "measured.again" : "measured.go") },
  ];
}

export const settings = labControls({
  id: "complexity",
  strings: stringsIn,
  sentence: (_config, words) => stringsIn(words)("sentence"),
  controls: {
    length: { essential: true },
    dim: { essential: true },
    measured: {
      essential: true,
      options: timings,
      label: ({ numbers }, words) => stringsIn(words)(numbers.measured > 0 ? "measured.yes" : "measured.go"),
    },
  },
});
