/** links.schema.json, made of the schema in code: the fields of a link by name, with the values that link.py writes as text. */
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Json } from "./checks.js";
import { entriesOf, labIds } from "./labs.js";
import { numberFields } from "./state.js";
import { viewEntries, viewFields } from "./view.js";

/** The form of what Valibot cannot put into JSON Schema: checks of our own, which name theirs, and a nullable that must be given after all. */
function ownForm(check: object): Json | undefined {
  const { json, type, wrapped } = check as {
    json?: Json;
    type: string;
    wrapped?: { wrapped: v.GenericSchema };
  };
  return json ?? (type === "non_nullable" ? jsonOf(wrapped!.wrapped) : undefined);
}

/** A check in JSON Schema. Throws for a kind of check that no field has had so far. */
export function jsonOf(check: v.GenericSchema): Json {
  const { $schema: _, ...json } = toJsonSchema(check, {
    overrideSchema: ({ valibotSchema }) => ownForm(valibotSchema),
    // What JSON Schema has no words for: the page checks it.
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
