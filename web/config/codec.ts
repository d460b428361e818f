/** The link codec: a Config as the text after "#", and back. The format is described in README.md. */
import { exampleById, examples } from "../examples/index.js";
import type { Config, LabId, NumbersOf, View } from "./config.js";
import { firstExamples } from "./defaults.js";
import { checksum } from "./packing.js";
import {
  type LooseField,
  type Values,
  beforeFields,
  lookedFields,
  numberFields,
  plainsOf,
  readingOrder,
  sameNumbers,
  stateText,
  valuesOf,
} from "./state.js";

export { type Decoded, decode, decodeSent, longestLink, unseenNotices } from "./decode.js";

/** A link starts from another example than the first only if that makes it shorter by at least this many characters. */
const worthNaming = 40;

/** Escapes everything except letters, digits and a few signs that no program changes when a link is pasted into it. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]|%2C|%3B|%3A/g, (part) =>
    part.length > 1 ? decodeURIComponent(part) : `%${part.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The fields of `values`, as name=text, that differ from the value that their absence means. Null if such a field is undefined, because a link cannot express that. */
function differing(
  list: readonly LooseField[],
  values: Values,
  plains: Map<string, string>,
  base: Values,
  packed: Map<string, string>,
): string[] | null {
  const now: Values = { ...base };
  const written: string[] = [];
  for (const { key, name, form, absent } of readingOrder(list)) {
    const without = absent(now, base);
    if (form.plain(without) === plains.get(key)) {
      now[key] = without;
      continue;
    }
    if (values[key] === undefined) return null;
    now[key] = values[key];
    let text = packed.get(key);
    if (text === undefined) {
      text = `${name}=${escaped(form.packed ? form.packed(values[key]) : plains.get(key)!)}`;
      packed.set(key, text);
    }
    written.push(text);
  }
  return written;
}

/** The id of the example with these numbers, or null. A change may lead back to an example. */
export function exampleOf<L extends LabId>(lab: L, numbers: NumbersOf[L]): string | null {
  const plains = plainsOf(numberFields(lab), valuesOf(numbers));
  return (
    examples.find(({ config }) => config.view.lab === lab && sameNumbers(lab, plains, config.numbers))?.id ??
    null
  );
}

/** The fields for the numbers of a comparison: as changes of the state's own numbers or of an example, whichever is shorter. */
function compared(lab: LabId, numbers: Values, before: Values): string[] {
  const list = beforeFields(lab);
  const plains = plainsOf(list, before);
  const packed = new Map<string, string>();
  const own = examples.filter(({ config }) => config.view.lab === lab);
  const starts = own.map(({ id, config }) => ({ head: [`before=${id}`], base: valuesOf(config.numbers) }));
  const tried = [{ head: [], base: numbers }, ...starts].flatMap(({ head, base }) => {
    const written = differing(list, before, plains, base, packed);
    return written ? [[...head, ...written]] : [];
  });
  const [shortest = []] = tried.sort((a, b) => a.join("&").length - b.join("&").length);
  return shortest.length > 0 ? shortest : ["before=this"];
}

/** The text of a link to `config`, without "#". A text longer than `longestLink` is too large for a link and must be saved as a file. */
export function encode(config: Config): string {
  const { lab } = config.view;
  const list = numberFields(lab);
  const numbers = valuesOf(config.numbers);
  const plains = plainsOf(list, numbers);
  const packed = new Map<string, string>();

  let start: string[] | null = null;
  let baseView: View | null = null;
  const named = config.example === null ? undefined : exampleById(config.example);
  const own = named?.config.view.lab === lab && sameNumbers(lab, plains, named.config.numbers) ? named : null;
  if (own) {
    start = [`ex=${own.id}`];
    baseView = own.config.view;
  } else {
    // Changed numbers are written as changes of the lab's first example, or of another one if that is much shorter.
    for (const example of [exampleById(firstExamples[lab])!, ...examples]) {
      if (example.config.view.lab !== lab) continue;
      const isFirst = example.id === firstExamples[lab];
      const isSame = sameNumbers(lab, plains, example.config.numbers);
      if (isSame && !isFirst) continue;
      const head = isFirst ? [`lab=${lab}`, ...(isSame ? ["ex=none"] : [])] : [`ex=${example.id}`];
      const written = differing(list, numbers, plains, valuesOf(example.config.numbers), packed);
      if (!written) continue;
      const tried = [...head, ...written];
      if (!start || tried.join("&").length + worthNaming <= start.join("&").length) {
        start = tried;
        baseView = example.config.view;
      }
    }
  }
  const looks = valuesOf(config.view);
  const view = differing(lookedFields, looks, plainsOf(lookedFields, looks), valuesOf(baseView!), new Map())!;
  const { before } = config.view;
  if (before) view.push(...compared(lab, numbers, valuesOf(before)));
  const state = { ...config, example: own?.id ?? null } as Config;
  return ["v=1", "c", ...start!, ...view, `c=${checksum(stateText(state))}`].join("&");
}
