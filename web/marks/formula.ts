/** A formula as data: the MathML that the build made from a lab's .tex. */

export interface FormulaElement {
  tag: string;
  attributes: Record<string, string>;
  /** The name given in the .tex by \class{sym-NAME}{…}. */
  symbol?: string;
  children: FormulaNode[];
}

export type FormulaNode = string | FormulaElement;
