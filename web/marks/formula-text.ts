/** A formula in words, for those who cannot see it: "O = softmax(Q K transposed / square root of d_k) V". */
import type { Words } from "../i18n/words.js";
import type { FormulaNode } from "./formula.js";

/** In brackets where it is more than one thing, or a sum. */
const one = (text = ""): string => (/ /.test(text) ? `(${text})` : text);
const term = (text = ""): string => (/ [+−/] /.test(text) ? `(${text})` : text);

/** Characters that only say how the letters around them belong together. */
const UNSEEN = /[\u2061-\u2064]/g;

export function formulaText(formula: FormulaNode, words: Words): string {
  const said = (node: FormulaNode | undefined): string => {
    if (node === undefined) return "";
    if (typeof node === "string") return node.replace(UNSEEN, "").trim();
    const [base, first, second] = node.children.map(said);
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
        return words("formula.root", { of: term(node.children.map(said).join(" ")) });
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
        return node.children.map(said).filter(Boolean).join(" ");
    }
  };
  return said(formula)
    .replace(/ ([),])/g, "$1")
    .replace(/(\p{L}\p{L}|[(|]) (?=\()/gu, "$1")
    .replaceAll("( ", "(");
}
