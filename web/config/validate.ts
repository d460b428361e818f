/** Checking numbers and Configs: what does not hold, field by field, in words. */
import * as v from "valibot";
import type { Config, LabId, NumbersOf } from "./config.js";
import type { Problem } from "./rule.js";
import { itemProblem } from "./rules.js";
import { numbersSchemas, schemaOf } from "./schema.js";

export type { Problem };

const longest = 60;

/** A value as a message may show it: short, on one line. */
export function shown(value: unknown): string {
  let text: string;
  if (value instanceof Uint8Array) text = `${value.length} levels`;
  else if (typeof value === "number" || value === undefined)
    text = Object.is(value, -0) ? "-0" : String(value);
  else {
    try {
      text = JSON.stringify(value) ?? String(value);
    } catch {
      text = typeof value;
    }
  }
  return shortened(text);
}

/** At most 60 characters, the rest as an ellipsis; never half a character. */
export function shortened(text: string): string {
  if (text.length <= longest) return text;
  const end = /[\uD800-\uDBFF]/.test(text[longest - 1]!) ? longest - 1 : longest;
  return `${text.slice(0, end)}…`;
}

const problemOf = (issue: v.BaseIssue<unknown>): Problem => {
  const path = v.getDotPath(issue);
  return {
    field: path ?? "",
    expected: issue.message.startsWith("Invalid key") ? "no such field" : issue.message,
    // A rule says what came in its own words; a field's own check shows the value.
    actual: issue.type === "raw_check" ? issue.received : shown(issue.input),
  };
};

/** What does not hold in the numbers of a lab; empty when all does. */
export function problems(lab: LabId, numbers: unknown): Problem[] {
  return v.safeParse(numbersSchemas[lab], numbers).issues?.map(problemOf) ?? [];
}

export function message({ field, expected, actual }: Problem): string {
  return `${field}: expected ${expected}, got ${actual}`;
}

/** The numbers themselves. Throws an Error that names every field that does not hold, what was expected and what came. */
export function validateNumbers<L extends LabId>(lab: L, numbers: unknown): NumbersOf[L] {
  const found = problems(lab, numbers);
  if (found.length > 0) throw new Error(`${lab}: ${found.map(message).join("; ")}`);
  return numbers as NumbersOf[L];
}

/** A whole Config, such as one read from a file. Throws as `validateNumbers` does. */
export function validateConfig(config: unknown): Config {
  const lab: unknown = (config as { view?: { lab?: unknown } } | null)?.view?.lab;
  if (typeof lab !== "string" || !Object.hasOwn(numbersSchemas, lab)) {
    throw new Error(
      message({
        field: "view.lab",
        expected: `one of ${Object.keys(numbersSchemas).join(", ")}`,
        actual: shown(lab),
      }),
    );
  }
  const result = v.safeParse(schemaOf(lab as LabId), config);
  const found = result.issues?.map(problemOf) ?? [];
  const valid = config as Config;
  const item = found.length === 0 ? itemProblem(valid) : null;
  if (item) found.push({ ...item, field: "view.item" });
  if (found.length > 0) throw new Error(`${lab}: ${found.map(message).join("; ")}`);
  return valid;
}
