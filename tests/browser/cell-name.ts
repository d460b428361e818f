/** The number in the name of a cell, as it is written there; undefined where it has none. */
export const numberIn = (name: string): string | undefined =>
  name.split(/[,，:：]\s*/).findLast((part) => /^(NaN|−?∞|−?\d[\d.]*(e−?\d+)?)$/.test(part));
