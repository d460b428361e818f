/** The spoken form of a formula, for screen readers: "O = softmax(Q K transposed / square root of d_k) V". */
import type { Words } from "../i18n/words.js";
import type { FormulaNode } from "./formula.js";

/** Puts a term into brackets if it has more than one factor or is a sum. */
const one = (text = ""): string => (/ /.test(text) ? `(${text})` : text);
const term = (text = ""): string => (/ [+−/] /.test(text) ? `(${text})` : text);

/** Invisible characters that only say how the letters around them belong together. */
const UNSEEN = /[\u2061-\u2064]/g;

export function formulaText(formula: FormulaNode, words: Words): string {
  const textOf = (node: FormulaNode | undefined): string => {
    if (node === undefined) return "";
    if (typeof node === "string") return node.replace(UNSEEN, "").trim();
    const [base, first, second] = node.children.map(textOf);
    const raised = (of = "", power = ""): string => {
      if (/^[T𝖳]$/u.test(power)) return words("formula.transposed", { of });
      return power === "′" ? `${of}′` : `${of}^${one(power)}`;
    };
    switch (node.tag) {
      case "mphantom":
        return "";
      case "mfrac":
        return `${term(base)} / ${term(first)}`;
      case "msqrt":
        return words("formula.root", { of: term(node.children.map(textOf).join(" ")) });
      case "msub":
      case "munder":
        return `${base}_${one(first)}`;
      case "mover":
        return `${base}${first}`;
      case "msup":
        return raised(base, first);
      case "msubsup":
        return raised(`${base}_${one(first)}`, second);
      default:
        return node.children.map(textOf).filter(Boolean).join(" ");
    }
  };
  return textOf(formula)
    .replace(/ ([),])/g, "$1")
    .replace(/(\p{L}\p{L}|[(|]) (?=\()/gu, "$1")
    .replaceAll("( ", "(");
}
