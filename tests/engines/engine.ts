/** A browser that the tests drive, with any engine. */

export interface Engine {
  name: string;
  version: string;
  /** Opens an address and waits for its load event. */
  open(address: string): Promise<void>;
  /** The value of an expression in the page, or in its frame, awaited; it is passed as JSON. */
  evaluate(expression: string, where?: "page" | "frame"): Promise<unknown>;
  /** The errors on the console, and the uncaught ones, since the last call. */
  complaints(): Promise<string[]>;
  /** How the browser died, once that is known; null while it runs. It can be closed either way. */
  gone(): string | null;
  close(): Promise<void>;
}

/** An expression whose value is text, so that it passes through every protocol unchanged. */
export const asText = (expression: string): string =>
  `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`;

/** An environment variable that the step of `npm test` sets. */
export function given(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: \`npm test -- engines\` runs these tests`);
  return value;
}
