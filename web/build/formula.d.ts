/** A formula in TeX, imported as a MathML tree (formula-plugin.ts). */
declare module "*.tex?mathml" {
  const formula: import("../marks/formula.js").FormulaElement;
  export default formula;
}
