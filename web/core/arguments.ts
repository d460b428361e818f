/** Plain arguments at the boundary: numbers, flags, choices and options, checked before the core sees them. */

/** "a Uint8Array", "an Int32Array". */
export const withArticle = (kind: string): string => `${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}`;

/** A value as an error message shows it: shortened, but recognisable. */
function valueText(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) {
    const first = value.slice(0, 8).map((item) => (typeof item === "object" ? "…" : valueText(item)));
    return `[${first.join(", ")}${value.length > 8 ? ", …" : ""}]`;
  }
  if (typeof value === "object" && value !== null) {
    return withArticle(Object.prototype.toString.call(value).slice(8, -1));
  }
  return String(value);
}

/** Refuses an argument: "softmax: axis is 1.5, expected an integer". */
export function refuse(operation: string, argument: string, expected: string, actual: unknown): never {
  throw new Error(`${operation}: ${argument} is ${valueText(actual)}, expected ${expected}`);
}

/** The range of a whole number, both ends included. */
export interface Bounds {
  min?: number;
  max?: number;
}

function bounds({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  if (max !== undefined) return ` of at most ${max}`;
  return "";
}

/** A whole number within bounds. Throws Error. */
export function integer(operation: string, argument: string, value: unknown, limits: Bounds = {}): number {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = limits;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
  return refuse(operation, argument, `an integer${bounds(limits)}`, value);
}

/** A finite number; `positive` leaves out zero and below. Throws Error. */
export function finiteNumber(
  operation: string,
  argument: string,
  value: unknown,
  { positive = false } = {},
): number {
  if (typeof value === "number" && Number.isFinite(value) && (!positive || value > 0)) return value;
  return refuse(operation, argument, positive ? "a finite number above 0" : "a finite number", value);
}

/** A number that may be infinite but not NaN. Throws Error. */
export function number(operation: string, argument: string, value: unknown): number {
  if (typeof value === "number" && !Number.isNaN(value)) return value;
  return refuse(operation, argument, "a number", value);
}

/** true or false. Throws Error. */
export function flag(operation: string, argument: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  return refuse(operation, argument, "true or false", value);
}

/** One of a few words. Throws Error. */
export function choice<Word extends string>(
  operation: string,
  argument: string,
  value: unknown,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  return refuse(operation, argument, words.map((word) => JSON.stringify(word)).join(" or "), value);
}

/** A string. Half a character (a lone surrogate) has no UTF-8 and would come back as another. Throws Error. */
export function text(operation: string, argument: string, value: unknown): string {
  if (typeof value !== "string") return refuse(operation, argument, "a string", value);
  if (/\p{Surrogate}/u.test(value)) return refuse(operation, argument, "a string of whole characters", value);
  return value;
}

/** The default memory limit of a graph, or of one draw of a generator: 512 MB. */
export const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;

/** A list of whole numbers, as a plain array or a typed one. Throws Error. */
export function integers(operation: string, argument: string, value: unknown, limits: Bounds = {}): number[] {
  return list(operation, argument, value, "integers").map((item, place) =>
    integer(operation, `${argument}[${place}]`, item, limits),
  );
}

/** A list of finite numbers, as a plain array or a typed one. Throws Error. */
export function finiteNumbers(operation: string, argument: string, value: unknown): number[] {
  return list(operation, argument, value, "numbers").map((item, place) =>
    finiteNumber(operation, `${argument}[${place}]`, item),
  );
}

function list(operation: string, argument: string, value: unknown, of: string): unknown[] {
  if (Array.isArray(value)) return value;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return Array.from(value as Iterable<unknown> & ArrayBufferView);
  return refuse(operation, argument, `a list of ${of}`, value);
}

/** The options as given; none when absent. They must be an object with known names only: a misspelt one would be ignored. Throws Error. */
export function options<Options extends object>(
  operation: string,
  given: Options | undefined,
  known: readonly (keyof Options & string)[],
): Options {
  if (given === undefined) return {} as Options;
  if (typeof given !== "object" || given === null || Array.isArray(given) || ArrayBuffer.isView(given))
    return refuse(operation, "options", `an object { ${known.join(", ")} }`, given);
  for (const name of Object.keys(given)) {
    if (!(known as readonly string[]).includes(name))
      throw new Error(
        `${operation}: unknown option ${JSON.stringify(name)}, expected ${known.join(", ") || "none"}`,
      );
  }
  return given;
}

type Method = (this: unknown, ...given: unknown[]) => unknown;

/**
 * A function that refuses more arguments than `method` declares; JavaScript would ignore them. The count comes from `length`,
 * which stops at the first parameter with a default value: public functions therefore have no default values in their parameter lists.
 */
export function exact<Function extends (...given: never[]) => unknown>(
  name: string,
  method: Function,
): Function {
  const most = method.length;
  const checked: Method = function (...given) {
    if (given.length > most)
      throw new Error(`${name}: ${given.length} arguments given, expected at most ${most}`);
    return (method as unknown as Method).apply(this, given);
  };
  return checked as unknown as Function;
}

const checkedPrototypes = new WeakSet<object>();

/** Makes every method of a class and of those it extends refuse more arguments than it declares. */
export function refuseExtraArguments(Class: { prototype: object }): void {
  let prototype = Class.prototype;
  while (prototype !== Object.prototype && !checkedPrototypes.has(prototype)) {
    checkedPrototypes.add(prototype);
    for (const [name, { value, ...property }] of Object.entries(
      Object.getOwnPropertyDescriptors(prototype),
    )) {
      if (name !== "constructor" && typeof value === "function")
        Object.defineProperty(prototype, name, { ...property, value: exact(name, value as Method) });
    }
    prototype = Object.getPrototypeOf(prototype) as object;
  }
}
