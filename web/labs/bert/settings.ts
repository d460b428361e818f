/** The settings sentence of the BERT lab and its controls. */
import {
  arcHead,
  encoderOf,
  sequenceOf,
  unknownWord,
  withDrawnParameters,
  wordPlaces,
  type BertNumbers,
} from "../../config/labs/bert.js";
import { refuseUnevenHeads, labControls, withoutDefaults } from "../../telling/controls.js";
import { parametersControl } from "../given-parameters.js";
import { stringsIn } from "./strings.js";
import { hiddenNames } from "./tensors.js";

/** The hidden places as a reader can type them: the word if it occurs once, else the number of its place. */
function hiddenText(numbers: BertNumbers): string[] {
  const sequence = sequenceOf(numbers);
  return numbers.hidden.map((place) => {
    const word = sequence[place]!;
    const isUnique = sequence.filter((other) => other === word).length === 1;
    return isUnique && !/^\d+$/.test(word) ? word : String(place);
  });
}

/** Reads typed words and place numbers as places in ascending order; null if one of them is neither. */
function readHiddenPlaces(typed: string, numbers: BertNumbers): number[] | null {
  const sequence = sequenceOf(numbers);
  const words = wordPlaces(numbers);
  const places = new Set<number>();
  for (const piece of typed.split(/[\s,，、]+/).filter(Boolean)) {
    const matches = words.filter((place) => sequence[place] === piece || String(place) === piece);
    if (matches.length === 0) return null;
    matches.forEach((place) => places.add(place));
  }
  return places.size > 0 ? words.filter((place) => places.has(place)) : null;
}

/** The words that given parameters know, without signs such as [PAD]. */
const knownText = ({ vocabulary = [] }: BertNumbers, between: string): string =>
  vocabulary.filter((word) => !/^\[.+\]$/.test(word)).join(between);

export const settings = labControls({
  id: "bert",
  strings: stringsIn,
  sentence({ numbers }, words) {
    const strings = stringsIn(words);
    const arcs = numbers.heads > 1 ? strings("sentence.arcs") : "";
    const stack = encoderOf(numbers).layers > 1 ? strings("sentence.stack") : "";
    const sentence = numbers.parameters ? "sentence.given" : "sentence";
    return strings(numbers.rule === "drawn" ? `${sentence}.drawn` : sentence, { arcs, stack });
  },
  controls: {
    tokens: {
      essential: true,
      help({ numbers }, words) {
        const strings = stringsIn(words);
        return numbers.vocabulary
          ? strings("help.tokens.given", { known: knownText(numbers, " ") })
          : strings("help.tokens");
      },
    },
    second: {
      label({ numbers: { second } }, words) {
        const n = second.length;
        return stringsIn(words)(n === 0 ? "second.0" : n === 1 ? "tokens.one" : "tokens.many", { n });
      },
      help: ({ numbers }, words) =>
        stringsIn(words)(numbers.parameters ? "help.second.given" : "help.second"),
    },
    hidden: {
      kind: "words",
      essential: true,
      value: ({ numbers }) => hiddenText(numbers).join(" "),
      label: ({ numbers }) => (hiddenNames(numbers) ?? []).join(" "),
      set(numbers, typed, _reading, words) {
        const hidden = readHiddenPlaces(typed, numbers);
        return hidden
          ? { ...numbers, rule: "chosen", hidden }
          : { refused: stringsIn(words)("refused.hidden", { given: typed }) };
      },
    },
    heads: { then: refuseUnevenHeads },
    head: {
      kind: "choice",
      value: ({ numbers }) => String(arcHead(numbers)),
      label: ({ numbers }, words) => stringsIn(words)("head", { n: arcHead(numbers) }),
      options: ({ numbers }, words) =>
        Array.from({ length: numbers.heads }, (_, n) => ({
          value: String(n),
          label: stringsIn(words)("head", { n }),
        })),
      then: (after) => withoutDefaults(after, { head: arcHead({}) }),
    },
    layer: {
      range: (numbers) => ({ min: 0, max: encoderOf(numbers).layers - 1 }),
      value: ({ numbers }) => String(encoderOf(numbers).layer),
      label: ({ numbers }, words) => stringsIn(words)("layer.n", { n: encoderOf(numbers).layer }),
      then: (after) => withoutDefaults(after, { layer: 0 }),
    },
    parameters: parametersControl<BertNumbers>(withDrawnParameters),
    trained: { essential: true },
  },
  after(answer, words) {
    const strings = stringsIn(words);
    const given = unknownWord(answer);
    if (given !== undefined)
      return { refused: strings("refused.word", { known: knownText(answer, ", "), given }) };
    const { positions: most } = encoderOf(answer);
    const { length } = sequenceOf(answer);
    return length > most ? { refused: strings("refused.places", { most, given: length }) } : answer;
  },
});
