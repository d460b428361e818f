/** The control of labs whose parameters a link can give: those trained ones, or others drawn from the seed. */
import type { Matrix } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { Reading, Refused } from "../telling/typed-values.js";
import { stringsIn } from "./block/strings.js";

interface Numbers {
  seed: number;
  parameters?: Matrix;
}

const kinds = ["given", "drawn"] as const;

function textOf(kind: (typeof kinds)[number], { seed: n }: Numbers, words: Words): string {
  return kind === "given" ? stringsIn(words)("parameters.given") : stringsIn(words)("seed.n", { n });
}

const kindOf = ({ parameters }: Numbers): (typeof kinds)[number] => (parameters ? "given" : "drawn");

/** `withDrawn` returns the numbers with drawn parameters. */
export const parametersControl = <N extends Numbers>(withDrawn: (numbers: N) => N) => ({
  kind: "choice" as const,
  title: (words: Words): string => stringsIn(words)("field.parameters"),
  help: (_config: unknown, words: Words): string => stringsIn(words)("help.parameters"),
  options: ({ numbers }: { numbers: N }, words: Words) =>
    kinds.map((value) => ({ value, label: textOf(value, numbers, words) })),
  value: ({ numbers }: { numbers: N }): string => kindOf(numbers),
  label: ({ numbers }: { numbers: N }, words: Words): string => textOf(kindOf(numbers), numbers, words),
  set(numbers: N, typed: string, reading: Reading): N | Refused {
    const kind = reading.choice(typed, kinds);
    if (typeof kind === "object") return kind;
    return kind === "drawn" ? withDrawn(numbers) : numbers;
  },
});

/** The numbers; refused if given parameters are not as many as such layers have. */
export function refuseOtherCount<N extends Numbers>(numbers: N, expected: number, words: Words): N | Refused {
  const given = numbers.parameters?.[0]?.length;
  if (given === undefined || given === expected) return numbers;
  return { refused: stringsIn(words)("refused.parameters", { expected, given }) };
}
