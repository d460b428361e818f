/** The number in the accessible name of a cell, as text; undefined if there is none. */
export const numberIn = (name: string): string | undefined =>
  name.split(/[,，:：]\s*/).findLast((part) => /^(NaN|−?∞|−?\d[\d.]*(e−?\d+)?)$/.test(part));
