/** The controls of the BERT lab's sentence, and hidden words as they are typed. */
import { bounds } from "../../config/bounds.js";
import { bertBounds, bertChoices, sequenceOf, wordPlaces, type BertNumbers } from "../../config/labs/bert.js";
import type { Control } from "../../marks/wording.js";
import { hiddenNames, type Say } from "./tensors.js";

/** The hidden places as a reader may type them: the word where it stands once, else its place. */
export function hiddenText(numbers: BertNumbers): string[] {
  const sequence = sequenceOf(numbers);
  return numbers.hidden.map((place) => {
    const word = sequence[place]!;
    const once = sequence.filter((other) => other === word).length === 1;
    return once && !/^\d+$/.test(word) ? word : String(place);
  });
}

/** The places of typed words and places, in rising order; null where one of them is none of these. */
export function hiddenPlaces(typed: string, numbers: BertNumbers): number[] | null {
  const sequence = sequenceOf(numbers);
  const words = wordPlaces(numbers);
  const places = new Set<number>();
  for (const piece of typed.split(/[\s,，、]+/).filter(Boolean)) {
    const named = words.filter((place) => sequence[place] === piece || String(place) === piece);
    if (named.length === 0) return null;
    named.forEach((place) => places.add(place));
  }
  return places.size > 0 ? words.filter((place) => places.has(place)) : null;
}

export function controls(numbers: BertNumbers, say: Say): Control[] {
  const counted = (key: "tokens" | "dim" | "heads", n: number): string =>
    say(n === 1 ? `${key}.one` : `${key}.many`, { n });
  const named = (id: "tokens" | "second" | "rule" | "hidden" | "dim" | "heads" | "trained" | "seed") => ({
    id,
    title: say(`control.${id}`),
    help: say(`help.${id}`),
  });
  const steps = (n: number): string => (n === 0 ? say("trained.none") : say("trained.some", { n }));
  const hidden = hiddenText(numbers).join(" ");
  return [
    {
      ...named("tokens"),
      kind: "words",
      essential: true,
      value: numbers.tokens.join(" "),
      label: counted("tokens", numbers.tokens.length),
    },
    {
      ...named("second"),
      kind: "words",
      value: numbers.second.join(" "),
      label: numbers.second.length === 0 ? say("second.none") : counted("tokens", numbers.second.length),
    },
    {
      ...named("rule"),
      kind: "choice",
      value: numbers.rule,
      label: say(`rule.${numbers.rule}`),
      options: bertChoices.rule.map((value) => ({ value, label: say(`rule.option.${value}`) })),
    },
    {
      ...named("hidden"),
      kind: "words",
      essential: true,
      value: hidden,
      label: (hiddenNames(numbers) ?? []).join(" "),
    },
    {
      ...named("dim"),
      kind: "number",
      value: String(numbers.dim),
      ...bertBounds.dim,
      label: counted("dim", numbers.dim),
    },
    {
      ...named("heads"),
      kind: "number",
      value: String(numbers.heads),
      ...bertBounds.heads,
      label: counted("heads", numbers.heads),
    },
    {
      ...named("trained"),
      kind: "choice",
      essential: true,
      value: String(numbers.trained),
      label: steps(numbers.trained),
      options: bertChoices.trained.map((n) => ({ value: String(n), label: steps(n) })),
    },
    {
      ...named("seed"),
      kind: "number",
      value: String(numbers.seed),
      ...bounds.seed,
      label: say("seed", { n: numbers.seed }),
    },
  ];
}
