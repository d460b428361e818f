/** The positions lab: the positional encodings of the paper (section 3.5) and later ones. */
import type { PositionsNumbers } from "../../config/config.js";
import { hasOrder } from "../../config/labs/positions.js";
import type { Key } from "../../i18n/words.js";
import { stringsFrom, type FormulaSymbols, type SeveralDeclarations } from "../../telling/declaration.js";
import { declareLab } from "../../telling/declare-lab.js";
import { arrange, flow, opening, stops } from "./flow.js";
import { order } from "./order/index.js";
import { picture } from "./picture.js";
import { settings } from "./settings.js";
import { axes, tensors } from "./tensors.js";
import sinusoidal from "./sinusoidal.tex?mathml";
import sinusoidalBase from "./sinusoidal-base.tex?mathml";
import orderFormula from "./order/order.tex?mathml";
import orderEachFormula from "./order/order-each.tex?mathml";
import absolute from "./absolute.tex?mathml";
import learned from "./learned.tex?mathml";
import rotary from "./rotary.tex?mathml";
import alibi from "./alibi.tex?mathml";
import shift from "./shift.tex?mathml";

/** The base in the paper (section 3.5). */
const PAPER_BASE = 10000;

/** The id of an encoding's formula. The paper's base is a number in it, another base a letter. */
const formulaOf = ({ encoding, base }: PositionsNumbers): string =>
  encoding === "sinusoidal" && base !== PAPER_BASE ? "sinusoidal-base" : encoding;

const symbols: Partial<Record<PositionsNumbers["encoding"], FormulaSymbols["symbols"]>> = {
  rotary: { R: "rotated", X: "X" },
  alibi: { B: "bias", m: "bias.slopes" },
  shift: { PEk: "PE_pk", M: ["M_T", "M"], PE: "PE_p" },
};

/** The declaration of a single encoding. */
const singleEncoding: ReturnType<SeveralDeclarations<"positions">["declarationOf"]> = {
  strings: stringsFrom("labs.positions.", "labs."),
  title: ({ numbers }, words) => words(`labs.positions.title.${numbers.encoding}` as Key),
  lede: ({ numbers }, words, isNarrow) =>
    words(`labs.positions.lede.${isNarrow ? "narrow" : numbers.encoding}` as Key),
  symbols: ({ numbers }) => ({
    id: formulaOf(numbers),
    symbols: symbols[numbers.encoding] ?? { PE: "PE" },
  }),
  opening,
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
};

export const lab = declareLab<"positions">({
  id: "positions",
  formulas: {
    sinusoidal,
    "sinusoidal-base": sinusoidalBase,
    absolute,
    learned,
    rotary,
    alibi,
    shift,
    order: orderFormula,
    "order-each": orderEachFormula,
  },
  ...settings,
  declarationOf: ({ numbers }) => (hasOrder(numbers) ? order : singleEncoding),
});
