/** Makes links.schema.json from the tables of settings: the fields of a link by name, with the values that link.py turns into text. */
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Json } from "./checks.js";
import { entriesOf, labIds } from "./labs.js";
import { numberFields } from "./state.js";
import { viewEntries, viewFields } from "./view.js";

/** Checks that Valibot cannot convert to JSON Schema: our own checks, which hold their JSON Schema, and a nullable value that must not be null. */
function ownForm(check: object): Json | undefined {
  const { json, type, wrapped } = check as {
    json?: Json;
    type: string;
    wrapped?: { wrapped: v.GenericSchema };
  };
  return json ?? (type === "non_nullable" ? jsonOf(wrapped!.wrapped) : undefined);
}

/** A check as JSON Schema. Throws for a kind of check that no field uses yet. */
export function jsonOf(check: v.GenericSchema): Json {
  const { $schema: _, ...json } = toJsonSchema(check, {
    overrideSchema: ({ valibotSchema }) => ownForm(valibotSchema),
    // JSON Schema cannot express this check; the page makes it.
    ignoreActions: ["check"],
  });
  return json as Json;
}

const object = (properties: Record<string, Json>, required = Object.keys(properties)): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

type Named = readonly { key: string; name: string }[];
const named = (list: Named, checks: Record<string, v.GenericSchema>): Record<string, Json> =>
  Object.fromEntries(list.map(({ key, name }) => [name, jsonOf(checks[key]!)]));

/** The fields of a comparison: the numbers of the lab, which the schema has at `place`, and the example that they start from. */
const compared = (list: Named, place: number, ex: Json): Json =>
  object(
    {
      ex,
      ...Object.fromEntries(list.map(({ name }) => [name, { $ref: `#/anyOf/${place}/properties/${name}` }])),
    },
    [],
  );

const exampleId: Json = { type: "string", pattern: "^[a-z0-9][a-z0-9-]{0,63}$" };

/** The whole schema, in draft 7. The page checks what holds between two fields, such as heads that divide dim. */
export const linkSchema = (): Json => ({
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "Fields of a link, version 1",
  description: "Made from the schema in code. README.md tells what an absent field means.",
  anyOf: labIds.map((lab, place) =>
    object(
      {
        v: { const: 1 },
        lab: { const: lab },
        ex: exampleId,
        ...named(numberFields(lab), entriesOf(lab)),
        ...named(viewFields, viewEntries),
        before: compared(numberFields(lab), place, exampleId),
      },
      ["lab"],
    ),
  ),
});
