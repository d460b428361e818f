/** A Config as the fields of a link: the JSON that links.schema.json describes and link.py writes. */
import type { Config } from "../../web/config/config.js";
import { firstExamples } from "../../web/config/defaults.js";
import { numberFields } from "../../web/config/state.js";
import { viewFields } from "../../web/config/view.js";

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
    ...named(numberFields(lab), numbers as unknown as Fields),
    ...named(viewFields, looked),
    // Written in full, starting from the first example, which has none of the settings that were added later.
    ...(before && {
      before: { ex: firstExamples[lab], ...named(numberFields(lab), before as unknown as Fields) },
    }),
  };
  return JSON.parse(
    JSON.stringify(all, (_key, value: unknown) => (value instanceof Uint8Array ? [...value] : value)),
  ) as Fields;
}
