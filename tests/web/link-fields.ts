/** A Config as the fields of a link: the JSON that links.schema.json describes and link.py writes. */
import type { Config } from "../../web/config/config.js";
import { firstExamples } from "../../web/config/defaults.js";
import { fields, viewFields } from "../../web/config/fields.js";

type Fields = Record<string, unknown>;
type Named = readonly { key: string; name: string }[];

const named = (list: Named, values: Fields): Fields =>
  Object.fromEntries(
    list.filter(({ key }) => values[key] !== undefined).map(({ key, name }) => [name, values[key]]),
  );

export function linkFields({ example, numbers, view }: Config): Fields {
  const { lab, before, ...looked } = view;
  const all = {
    lab,
    ex: example ?? "none",
    ...named(fields[lab] as Named, numbers as unknown as Fields),
    ...named(viewFields, looked),
    // In full, from an example whose fields of later days are absent.
    ...(before && {
      before: { ex: firstExamples[lab], ...named(fields[lab] as Named, before as unknown as Fields) },
    }),
  };
  return JSON.parse(
    JSON.stringify(all, (_key, value: unknown) => (value instanceof Uint8Array ? [...value] : value)),
  ) as Fields;
}
