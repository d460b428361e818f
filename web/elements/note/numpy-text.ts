/** Numbers as NumPy prints them by default: precision 8, columns aligned. The rules of numpy.array2string. */

const PRECISION = 8;

interface Parts {
  before: string;
  after: string;
  exponent: string;
}

/** The shortest digits that parse to the same number, at most 8 after the point; "2." keeps its point. */
function positional(value: number): Parts {
  const shortest = plainDecimal(value);
  const cut = (shortest.split(".")[1] ?? "").length > PRECISION ? value.toFixed(PRECISION) : shortest;
  const [before = "", after = ""] = cut.split(".");
  return { before, after: after.replace(/(?<!0)0+$/, ""), exponent: "" };
}

function scientific(value: number): Parts {
  const shortest = value.toExponential();
  const digits = (shortest.split("e")[0] ?? "").split(".")[1] ?? "";
  const [mantissa = "", exponent = ""] = (
    digits.length > PRECISION ? value.toExponential(PRECISION) : shortest
  ).split("e");
  const [before = "", after = ""] = mantissa.split(".");
  return {
    before,
    after: after.replace(/(?<!0)0+$/, ""),
    exponent: `e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`,
  };
}

/** String(value) without an exponent, for magnitudes below 1e21. */
function plainDecimal(value: number): string {
  const text = String(value);
  const [mantissa = "", exponent] = text.split("e-");
  if (exponent === undefined) return Object.is(value, -0) ? "-0" : text;
  const sign = mantissa.startsWith("-") ? "-" : "";
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${mantissa.replace(/[-.]/g, "")}`;
}

function notFinite(value: number): string {
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/** A row of numbers, each padded to the same width: "[0.24 0.01 0.75]". `gap` is the place of omitted terms, written as "...". */
export function numpyArray(values: readonly number[], gap?: number): string {
  const sizes = values.filter((value) => Number.isFinite(value) && value !== 0).map(Math.abs);
  const largest = Math.max(...sizes);
  const smallest = Math.min(...sizes);
  const exponents = sizes.length > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
  const parts = new Map<number, Parts>();
  values.forEach((value, place) => {
    if (Number.isFinite(value)) parts.set(place, exponents ? scientific(value) : positional(value));
  });
  const widest = (part: keyof Parts) => Math.max(0, ...[...parts.values()].map((one) => one[part].length));
  const [before, after] = [widest("before"), widest("after")];
  const texts = values.map((value, place) => {
    const part = parts.get(place);
    if (!part) return notFinite(value);
    return `${part.before.padStart(before)}.${part.after.padEnd(after, exponents ? "0" : " ")}${part.exponent}`;
  });
  const width = Math.max(...texts.map((text) => text.length));
  const padded = texts.map((text) => text.padStart(width));
  if (gap !== undefined) padded.splice(gap, 0, "...");
  return `[${padded.join(" ")}]`;
}

/** A number as str(np.float64(value)) writes it: "10.0", "1e-05", "-inf". */
export function numpyScalar(value: number): string {
  if (!Number.isFinite(value)) return notFinite(value);
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= 1e16)) {
    const { before, after, exponent } = scientificInFull(value);
    return `${before}${after === "" ? "" : `.${after}`}${exponent}`;
  }
  const text = plainDecimal(value);
  return text.includes(".") ? text : `${text}.0`;
}

function scientificInFull(value: number): Parts {
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const [before = "", after = ""] = mantissa.split(".");
  return { before, after, exponent: `e${exponent[0]}${exponent.slice(1).padStart(2, "0")}` };
}
