/** Validates numbers and Configs, with a message for each invalid field. */
import * as v from "valibot";
import { expected as texts } from "../i18n/en/expected.js";
import { fillSlots } from "../i18n/words.js";
import type { Config, LabId, NumbersOf } from "./config.js";
import { expectedBy, type Expected } from "./expected.js";
import type { Problem as Broken } from "./rule.js";
import { entriesOf, labIds, settingsOf } from "./labs.js";
import { itemProblem, reachedProblem } from "./rules.js";
import { schemasOf } from "./schema.js";
import { shortened } from "./shortened.js";
import { viewEntries } from "./view.js";

/** An invalid field, with its expected and actual value as text. */
export interface Problem {
  field: string;
  expected: string;
  actual: string;
}

/** A value as text for a message: short, on one line. */
export function valueText(value: unknown): string {
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

const english = (expected: Expected): string => fillSlots(texts[`expected.${expected.kind}`], expected);
const inWords = ({ field, expected, actual }: Broken): Problem => ({
  field,
  expected: english(expected),
  actual,
});

const problemOf = (lab: LabId, issue: v.BaseIssue<unknown>): Problem => {
  const field = v.getDotPath(issue) ?? "";
  const checks: Record<string, v.GenericSchema> = { ...entriesOf(lab), ...viewEntries };
  const check = checks[field.replace(/^(?:numbers|view)\./, "").split(".", 1)[0]!];
  const unknown = issue.message.startsWith("Invalid key") && "no such field";
  return {
    field,
    expected: unknown || (check ? english(expectedBy(check)) : issue.message),
    actual: valueText(issue.input),
  };
};

/** The problems between fields. */
function rulesBroken<L extends LabId>(lab: L, numbers: NumbersOf[L]): Problem[] {
  return settingsOf(lab).rules.flatMap((rule) => {
    const trouble = rule.broken(numbers);
    return trouble ? [inWords({ field: rule.field, ...trouble })] : [];
  });
}

/** The problems of the numbers of a lab; empty if they are valid. */
export function problems(lab: LabId, numbers: unknown): Problem[] {
  const { issues } = v.safeParse(schemasOf(lab).numbers, numbers);
  return issues?.map((issue) => problemOf(lab, issue)) ?? rulesBroken(lab, numbers as NumbersOf[typeof lab]);
}

export function message({ field, expected, actual }: Problem): string {
  return `${field}: expected ${expected}, got ${actual}`;
}

/** Returns valid numbers. Throws an Error that names every invalid field, what was expected and what was given. */
export function validateNumbers<L extends LabId>(lab: L, numbers: unknown): NumbersOf[L] {
  const found = problems(lab, numbers);
  if (found.length > 0) throw new Error(`${lab}: ${found.map(message).join("; ")}`);
  return numbers as NumbersOf[L];
}

/** Returns a valid Config, such as one read from a file. Throws as `validateNumbers` does. */
export function validateConfig(config: unknown): Config {
  const lab: unknown = (config as { view?: { lab?: unknown } } | null)?.view?.lab;
  if (typeof lab !== "string" || !labIds.includes(lab as LabId)) {
    throw new Error(
      message({
        field: "view.lab",
        expected: `one of ${labIds.join(", ")}`,
        actual: valueText(lab),
      }),
    );
  }
  const id = lab as LabId;
  const valid = config as Config;
  const { issues } = v.safeParse(schemasOf(id).config, config);
  const found = issues?.map((issue) => problemOf(id, issue)) ?? [];
  if (!issues) {
    found.push(...rulesBroken(id, valid.numbers).map((one) => ({ ...one, field: `numbers.${one.field}` })));
    const item = itemProblem(valid);
    if (item) found.push({ ...inWords(item), field: "view.item" });
    const reached = reachedProblem(valid.view);
    if (reached) found.push({ ...inWords(reached), field: "view.reached" });
  }
  if (found.length > 0) throw new Error(`${lab}: ${found.map(message).join("; ")}`);
  return valid;
}
