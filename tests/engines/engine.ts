/** A browser that the tests drive, whatever its engine. */

export interface Engine {
  name: string;
  version: string;
  /** Opens an address and waits for its load event. */
  open(address: string): Promise<void>;
  /** The value of an expression in the page, or in the frame of it, awaited; it comes as JSON. */
  evaluate(expression: string, where?: "page" | "frame"): Promise<unknown>;
  /** What was said on the console as an error since it was last asked, and what failed uncaught. */
  complaints(): Promise<string[]>;
  /** How its browser died, once that was seen; null while it runs. It can be closed even so. */
  gone(): string | null;
  close(): Promise<void>;
}

/** An expression whose value is text, so that it goes through every protocol alike. */
export const asText = (expression: string): string =>
  `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`;

/** A variable that the step of `npm test` sets. */
export function given(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: \`npm test -- engines\` runs these tests`);
  return value;
}
