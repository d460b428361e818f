/** The settings of the attention lab as a sentence, and its title. */
import type { ConfigOf } from "../../config/config.js";
import { bounds, choices } from "../../config/bounds.js";
import { inPieces } from "../../config/tokens.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { isAdditive } from "./blocks.js";
import { isOwn } from "./own.js";
import { counted, countedTokens, maskControl, scaleControl } from "../controls.js";
import { helped } from "../help.js";

type Config = ConfigOf<"attention">;

export function title(_config: Config, words: Words): string {
  return words("labs.attention.title");
}

export function lede({ numbers }: Config, words: Words, narrow: boolean): string {
  const key = narrow ? "labs.attention.lede.narrow" : "labs.attention.lede";
  return words(inPieces(numbers.tokens) ? `${key}.pieces` : key);
}

export function sentence(config: Config, words: Words): { text: string; controls: Control[] } {
  const { numbers } = config;
  const typed = [numbers.wq, numbers.wk, numbers.wv].every((weights) => weights !== null);
  const width = (id: "keyDim" | "valueDim"): Control => ({
    id,
    kind: "number",
    label: String(numbers[id]),
    title: words(`labs.field.${id}`),
    value: String(numbers[id]),
    ...bounds[id],
  });
  const draws = (["scaled", "randint", "own"] as const).map((value) => ({
    value,
    label: words(`labs.draw.${value}`),
  }));
  const score = numbers.score ?? "dot";
  const additive = isAdditive(numbers);
  const draw = isOwn(numbers) ? "own" : typed ? "given" : numbers.draw;
  const controls: Control[] = [
    {
      id: "words",
      kind: "words",
      pieces: true,
      essential: true,
      title: words("labs.field.words"),
      value: numbers.tokens.join(" "),
      label: countedTokens(words, "labs.words", numbers.tokens),
    },
    {
      id: "dim",
      kind: "number",
      title: words("labs.field.dim"),
      value: String(numbers.dim),
      ...bounds.dim,
      label: counted(words, "labs.numbers", numbers.dim),
    },
    {
      id: "draw",
      kind: "choice",
      title: words("labs.field.draw"),
      value: draw,
      label: words(`labs.draw.${draw}`),
      options: draw === "given" ? [{ value: "given", label: words("labs.draw.given") }, ...draws] : draws,
    },
    {
      id: "seed",
      kind: "number",
      essential: true,
      title: words("labs.field.seed"),
      value: String(numbers.seed),
      ...bounds.seed,
      label: words("labs.seed", { n: numbers.seed }),
    },
    width("keyDim"),
    width("valueDim"),
    {
      id: "score",
      kind: "choice",
      title: words("labs.field.score"),
      value: score,
      // Short, so that the sentence of the first example stays on one line.
      label: additive ? words("labs.score.additive") : "q · k",
      options: choices.attentionScore.map((value) => ({ value, label: words(`labs.score.${value}`) })),
    },
    // Additive scores are never divided.
    ...(additive ? [] : [scaleControl(numbers.scale, "d_k", words)]),
    maskControl(numbers.mask, words),
    {
      id: "memory",
      kind: "words",
      pieces: true,
      title: words("labs.field.memory"),
      value: numbers.memory.join(" "),
      label: numbers.memory.length
        ? countedTokens(words, "labs.memory", numbers.memory)
        : words("labs.memory.none"),
    },
  ];
  // Where words and weights are typed in, nothing is drawn from the seed but v.
  const given = !additive && typed && numbers.source === "values" && numbers.memory.length === 0;
  const text = words(
    additive
      ? "labs.attention.sentence.additive"
      : given
        ? "labs.attention.sentence.given"
        : "labs.attention.sentence",
  );
  const shown = given ? controls.filter(({ id }) => id !== "seed") : controls;
  return { text, controls: helped("attention", shown, words) };
}
