/** links.schema.json, made of the schema in code: the fields of a link by name, with the values that link.py writes as text. */
import type * as v from "valibot";
import { choices } from "./bounds.js";
import type { Json } from "./checks.js";
import { fields, viewFields } from "./fields.js";
import { entries, viewEntries } from "./schema.js";

/** What of Valibot's checks is read here. */
type Check = v.GenericSchema & {
  json?: Json;
  wrapped?: Check;
  item?: Check;
  entries?: Record<string, Check>;
  options?: readonly unknown[];
  pipe?: readonly { type: string; requirement?: unknown }[];
};

/** A list's bounds, which Valibot keeps beside it. */
function boundsOf({ pipe = [] }: Check): Json {
  const keywords: Record<string, string[]> = {
    min_length: ["minItems"],
    max_length: ["maxItems"],
    length: ["minItems", "maxItems"],
  };
  return Object.fromEntries(
    pipe.flatMap(({ type, requirement }) => (keywords[type] ?? []).map((keyword) => [keyword, requirement])),
  );
}

const object = (properties: Record<string, Json>, required = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** A check in JSON Schema. Throws Error for a kind of check that no field has had so far. */
export function jsonOf(check: Check): Json {
  if (check.json) return check.json;
  switch (check.type) {
    case "boolean":
      return { type: "boolean" };
    case "picklist":
      return { enum: check.options };
    case "array":
      return { type: "array", items: jsonOf(check.item!), ...boundsOf(check) };
    case "strict_object":
      return object(
        Object.fromEntries(Object.entries(check.entries!).map(([key, one]) => [key, jsonOf(one)])),
      );
    case "union":
      return { anyOf: (check.options as Check[]).map(jsonOf) };
    case "optional":
      return jsonOf(check.wrapped!);
    case "nullable":
      return { anyOf: [jsonOf(check.wrapped!), { type: "null" }] };
    case "non_nullable":
      return jsonOf(check.wrapped!.wrapped!);
    default:
      throw new Error(`jsonOf: ${check.type} has no form in JSON Schema yet`);
  }
}

type Named = readonly { key: string; name: string }[];
const named = (list: Named, checks: Record<string, v.GenericSchema>): Record<string, Json> =>
  Object.fromEntries(list.map(({ key, name }) => [name, jsonOf(checks[key] as Check)]));

/** What a state is compared with: the numbers of its lab, which stand at `place` of the schema, and the example that they start from. */
const compared = (list: Named, place: number, ex: Json): Json =>
  object(
    {
      ex,
      ...Object.fromEntries(list.map(({ name }) => [name, { $ref: `#/anyOf/${place}/properties/${name}` }])),
    },
    [],
  );

const exampleId: Json = { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,63}$" };

/** The whole of it, in draft 7. What holds between two fields, such as heads that divide dim, is said by the page. */
export const linkSchema = (): Json => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Fields of a link, version 1",
  description: "Made from the schema in code. README.md tells what an absent field means.",
  anyOf: choices.lab.map((lab, place) =>
    object(
      {
        v: { const: 1 },
        lab: { const: lab },
        ex: exampleId,
        ...named(fields[lab] as Named, entries[lab]),
        ...named(viewFields, viewEntries),
        before: compared(fields[lab] as Named, place, exampleId),
      },
      ["lab"],
    ),
  ),
});
