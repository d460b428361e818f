/** The numbers of a text that has two digits of base 64 for each, in thousandths: toolchain/train-translator.mjs writes it. */

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const base = digits.length;

export function numbersInThousandths(text: string): Float64Array {
  const valueAt = (at: number): number => digits.indexOf(text[at]!);
  return Float64Array.from(
    { length: text.length / 2 },
    (_, at) => (valueAt(2 * at) * base + valueAt(2 * at + 1) - base ** 2 / 2) / 1000,
  );
}
