/** A formula as data: the MathML that the build makes from a lab's .tex file. */

export interface FormulaElement {
  tag: string;
  attributes: Record<string, string>;
  /** The name given in the .tex file by \class{sym-NAME}{…}. */
  symbol?: string;
  children: FormulaNode[];
}

export type FormulaNode = string | FormulaElement;
