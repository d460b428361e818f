/** The control of labs whose parameters a link can give: those trained ones, or others drawn from the seed. */
import type { Matrix } from "../config/config.js";
import { ownStrings, type OwnWords, type Words } from "../i18n/words.js";
import type { Reading, Refused } from "../telling/typed-values.js";

const en = {
  title: "Parameters",
  help: "Those of a model that was trained in the training lab, or others drawn from a seed. Layers of another number, width or kind need others, and so do other patches of an image. After a change to drawn ones, only the link has the trained ones.",
  given: "trained parameters",
  refused:
    "Parameters: expected {expected} numbers for such layers, got {given} trained ones. Choose parameters drawn from the seed first.",
};
const zh: typeof en = {
  title: "参数",
  help: "训练实验里训练好的参数，或由种子随机生成的参数。层数、宽度或种类不同的层，或图像的图块大小不同，都需要别的参数。改为随机生成后，训练好的参数只留在链接里。",
  given: "训练好的参数",
  refused: "参数：这样的层应有 {expected} 个数，训练好的有 {given} 个。请先选由种子随机生成的参数。",
};

const stringsIn = (words: Words): OwnWords<typeof en> => ownStrings(words, { en, "zh-CN": zh });

interface Numbers {
  seed: number;
  parameters?: Matrix;
}

const kinds = ["given", "drawn"] as const;

function textOf(kind: (typeof kinds)[number], { seed: n }: Numbers, words: Words): string {
  return kind === "given" ? stringsIn(words)("given") : words("labs.seed", { n });
}

const kindOf = ({ parameters }: Numbers): (typeof kinds)[number] => (parameters ? "given" : "drawn");

/** `withDrawn` returns the numbers with drawn parameters. */
export const parametersControl = <N extends Numbers>(withDrawn: (numbers: N) => N) => ({
  kind: "choice" as const,
  title: (words: Words): string => stringsIn(words)("title"),
  help: (_config: unknown, words: Words): string => stringsIn(words)("help"),
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
  return { refused: stringsIn(words)("refused", { expected, given }) };
}
