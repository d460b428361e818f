// Compares results with the expectations of a golden file, by the rules of README.md.
import { numbersOf } from "./fixture.mjs";

function sameNumber(got, expected, tolerance) {
  if (tolerance.exact) return Object.is(got, expected) || (got === 0 && expected === 0);
  if (Number.isNaN(expected) || Number.isNaN(got)) return Number.isNaN(got) && Number.isNaN(expected);
  if (!Number.isFinite(expected) || !Number.isFinite(got)) return got === expected;
  return Math.abs(got - expected) <= tolerance.atol + tolerance.rtol * Math.abs(expected);
}

/** The reason why `got` differs from the expectation; null when it does not. */
function difference(key, got, fixture, tolerance) {
  if (got === undefined) return `${key} is not computed`;
  if (got.shape.join() !== fixture.shape.join())
    return `${key} has shape (${got.shape}), expected (${fixture.shape})`;
  const expected = numbersOf(fixture);
  const wrong = expected.findIndex((value, place) => !sameNumber(got.data[place], value, tolerance));
  return wrong < 0 ? null : `${key}[${wrong}] is ${got.data[wrong]}, expected ${expected[wrong]}`;
}

/** The tolerance of a key in a precision; null if the value cannot be required in that precision. */
function toleranceOf(tolerances, key, precision) {
  const tolerance = tolerances[key];
  if (!tolerance) throw new TypeError(`${key} has no tolerance`);
  return tolerance.exact ? tolerance : tolerance[precision === "float64" ? "f64" : "f32"];
}

/** The keys to compare: if there are two policies for an empty row, the one with zeros. */
export function comparedKeys({ expected, tolerance }, precision) {
  return Object.keys(expected).filter((key) => {
    if (key.endsWith("_nan_policy") && key.replace("_nan_", "_zero_") in expected) return false;
    return toleranceOf(tolerance, key, precision) !== null;
  });
}

/** The reason why a result is wrong, or null. If one key has several results, all must be right. */
export function faultOf({ expected, tolerance }, results, precision) {
  for (const key of comparedKeys({ expected, tolerance }, precision)) {
    const found = results[key] ?? results[key.replace(/_(zero|nan)_policy$/, "")];
    for (const got of Array.isArray(found) ? found : [found]) {
      const reason = difference(key, got, expected[key], toleranceOf(tolerance, key, precision));
      if (reason) return reason;
    }
  }
  return null;
}
