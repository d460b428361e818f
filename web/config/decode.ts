/** Reads a link: the Config that it holds, and notices about its problems. */
import * as v from "valibot";
import { exampleById, examples } from "../examples/index.js";
import { linkBounds, type Work } from "./bounds.js";
import type { Config, ConfigNotice, LabId, Matrix, NumbersOf, View } from "./config.js";
import { defaults, firstExamples } from "./defaults.js";
import { expectedBy, expecting, type Expected } from "./expected.js";
import { Repairable, unescapePercent, withoutEntities } from "./forms.js";
import { Allowance, Unreadable, checksum, noWork } from "./packing.js";
import type { WidthOf } from "./lab-settings.js";
import { headsProblem, type Problem } from "./rule.js";
import { itemProblem, nearestHeads, reachedProblem, repairNumbers } from "./rules.js";
import { labIds, settingsOf } from "./labs.js";
import {
  type LooseField,
  type Values,
  beforeFields,
  beforePrefix,
  lookedFields,
  numberFields,
  plainsOf,
  readingOrder,
  sameNumbers,
  stateText,
  valuesOf,
} from "./state.js";
import { withoutSecret } from "./secret.js";
import { printable, shortened } from "./shortened.js";
import { withUnseen } from "./tokens.js";
import { viewEntries } from "./view.js";

/** Characters in the longest link that is read; longer links are not offered. */
export const longestLink = linkBounds.characters;

export interface Decoded {
  config: Config;
  notices: ConfigNotice[];
}

interface Attempt extends Decoded {
  /** Whether it has any known field, and whether its checksum is right. */
  recognised: boolean;
  sealed: "none" | "right" | "wrong";
}

/** Tracking fields that social networks and chats append to links. None of them is a field of ours. */
const tracking =
  /&(?:(?:utm_[a-z]+|fbclid|gclid|msclkid|igshid|isappinstalled)=|from=(?:singlemessage|groupmessage|timeline))[^&]*/gi;

/**
 * What may follow a link in a sentence: punctuation, spaces, invisible characters. The length is bounded, because searching for an unbounded
 * run takes quadratic time.
 */
const tail = /[\p{Pe}\p{Pf}\p{Po}\p{Cf}\s>]{1,9}$/u;

/** Splits a link into its fields. Its end shows whether it was cut off, ends with a checksum, or was written by hand. */
function dissect(text: string) {
  const parts = text.split("&", linkBounds.fields + 2).filter((part) => part !== "");
  const generated =
    parts.some((part, at) => at < parts.length - 1 && (part === "c" || part === "c=")) || parts[1] === "c";
  const last = parts.at(-1) ?? "";
  // Punctuation at the end belongs to the sentence that contained the link.
  const seal = /^c=([0-9a-z]{7,})/i.exec(last);
  const stub = !seal && /^c(?:=[0-9a-z]{0,6})?$/i.test(last) && (generated || parts.length > 2);
  const many = parts.length > linkBounds.fields;
  const cut = !many && (stub || (generated && !seal));
  const body = parts.filter((part) => !/^c(?:=|$)/i.test(part));
  // The last value of a cut link may be incomplete.
  const half = cut && !stub && !text.endsWith("&") ? body.pop() : undefined;
  return { body, seal: seal?.[1]?.toLowerCase(), cut, half: half?.split("=", 1)[0], many };
}

/** The result of reading a field: a valid value, or an error. */
type Reading = { value: unknown; error?: never } | { value?: never; error: unknown };

/** The checks of the fields, by key. */
type Schemas = Readonly<Record<string, v.GenericSchema>>;

class Reader {
  readonly notices: ConfigNotice[] = [];
  private readonly given = new Map<string, string>();
  private readonly taken = new Map<string, string>();
  private readonly readings = new Map<string, Reading>();
  private readonly allowance: Allowance;

  /** Adds the work of reading to `work`. `tailless`: ignores punctuation after the last field. */
  constructor(body: readonly string[], work: Work, tailless: boolean) {
    this.allowance = new Allowance(linkBounds.inflated, linkBounds.cells, work);
    work.attempts += 1;
    for (const part of body.slice(0, linkBounds.fields)) {
      work.fields += 1;
      const at = part.indexOf("=");
      const name = unescapePercent(at < 0 ? part : part.slice(0, at))
        .trim()
        .toLowerCase();
      const whole = unescapePercent(at < 0 ? "" : part.slice(at + 1));
      const value = tailless && part === body.at(-1) ? whole.replace(tail, "") : whole;
      const known = this.given.get(name);
      if (known === undefined) this.given.set(name, value);
      else if (known !== value) this.field(printable(name), value, expecting("once"), printable(known));
    }
  }

  get size(): number {
    return this.given.size;
  }

  addNotice(notice: ConfigNotice): void {
    if (this.notices.length < linkBounds.notices) this.notices.push(notice);
  }

  /** Adds a notice of a field that cannot be used as given. `used` is the value used instead, `actual` what was given if `given` does not show it. */
  field(field: string, given: string, expected: Expected, used?: string, actual = given): void {
    this.addNotice({
      kind: "field",
      field,
      given: printable(given),
      expected,
      ...(actual !== given && { actual: printable(actual) }),
      ...(used !== undefined && { used }),
    });
  }

  /** Adds a notice of a field that breaks a rule. An earlier notice of a value used for this field is replaced. */
  broken(name: string, { expected, actual }: Pick<Problem, "expected" | "actual">, used?: string): void {
    const before = this.notices.findIndex(({ field, used }) => field === name && used !== undefined);
    if (before >= 0) this.notices.splice(before, 1);
    const given = this.textOf(name) ?? actual;
    this.field(name, given, expected, used, before >= 0 ? given : actual);
  }

  has(name: string): boolean {
    return this.given.has(name);
  }

  /** Whether the name of a field begins with `prefix`. */
  hasAny(prefix: string): boolean {
    return [...this.given.keys()].some((name) => name.startsWith(prefix));
  }

  peek(name: string): string | undefined {
    return this.given.get(name);
  }

  take(name: string): string | undefined {
    const value = this.given.get(name);
    if (value !== undefined) this.taken.set(name, value);
    this.given.delete(name);
    return value;
  }

  /** The text of a field that was taken, as the link has it. */
  textOf(name: string): string | undefined {
    return this.taken.get(name);
  }

  /** Reads a field, at most once; undefined if the link does not have it. */
  private reading({ name, form }: LooseField, schema: v.GenericSchema): Reading | undefined {
    const known = this.readings.get(name);
    const text = this.given.get(name);
    if (known || text === undefined) return known;
    let reading: Reading;
    try {
      const value = form.read(text, this.allowance);
      reading = v.is(schema, value) ? { value } : { error: new Unreadable("not what the field may hold") };
    } catch (error) {
      reading = { error };
    }
    this.readings.set(name, reading);
    return reading;
  }

  /** The number of columns of the first of `matrices` in the link that has one of the row counts `heights`; undefined if none has. */
  width(matrices: readonly LooseField[], schemas: Schemas, heights: readonly number[]): number | undefined {
    for (const field of matrices) {
      const rows = this.reading(field, schemas[field.key]!)?.value as Matrix | null | undefined;
      if (rows && heights.includes(rows.length)) return rows[0]?.length;
    }
    return undefined;
  }

  /** The value of a field: the given one if it is valid, else the nearest valid one, else the value that its absence means, else `before`. */
  value(field: LooseField, schema: v.GenericSchema, absent: unknown, before: unknown): unknown {
    const reading = this.reading(field, schema);
    const text = this.take(field.name);
    if (!reading || text === undefined) return absent;
    if (!("error" in reading)) return reading.value;
    const { error } = reading;
    const repair = error instanceof Repairable ? error : null;
    const wrong = repair?.wrong;
    // `undefined` is valid for an optional field, so a missing nearest value must not be taken for a value.
    const used =
      repair && v.is(schema, repair.nearest) ? repair.nearest : v.is(schema, absent) ? absent : before;
    const shown = used === undefined || wrong !== undefined ? undefined : shortened(field.form.plain(used));
    this.field(field.name, text, expectedBy(schema), shown, wrong);
    return used;
  }

  /** Adds a notice for each field that was not read. */
  leftOver(): void {
    for (const [name, value] of this.given)
      this.addNotice({ kind: "unknown-field", field: printable(name), given: printable(value) });
  }
}

/** The Config and the example that a link starts from. */
function baseOf(reader: Reader): { config: Config; example: string | null } {
  const asked = reader.take("lab");
  const lab = labIds.find((id) => id === asked?.trim().toLowerCase());
  const ex = reader.take("ex");
  const example = ex === undefined || ex === "none" ? undefined : exampleById(ex);
  const used = example?.config.view.lab ?? lab ?? "attention";
  if (ex !== undefined && ex !== "none" && !example) {
    const options = examples.filter(({ config }) => config.view.lab === used).map(({ id }) => id);
    reader.field("ex", ex, expecting("choice", { options: options.join(", ") }), firstExamples[used]);
  }
  if (asked !== undefined && lab !== used) {
    const options = labIds.join(", ");
    const expected = example ? expecting("just", { value: used }) : expecting("choice", { options });
    reader.field("lab", asked, expected, used);
  }
  const config = example?.config ?? (defaults(used) as Config);
  return { config, example: ex === "none" ? null : (example?.id ?? firstExamples[used]) };
}

const widthOf = <L extends LabId>(lab: L, key: string): WidthOf<NumbersOf[L]> | undefined =>
  (settingsOf(lab).widths as Readonly<Record<string, WidthOf<NumbersOf[L]>>>)[key];

/** The value of a missing width that follows from typed matrices; undefined if there are none or if the width is invalid. */
function widthFromMatrices<L extends LabId>(
  reader: Reader,
  lab: L,
  list: readonly LooseField[],
  { key, name }: LooseField,
  schemas: Schemas,
  now: NumbersOf[L],
): number | undefined {
  const source = reader.has(name) ? undefined : widthOf(lab, key);
  if (!source) return undefined;
  const matrices = list.filter((field) => source.matrices.includes(field.key));
  const width = reader.width(matrices, schemas, source.heights(now));
  const fits =
    v.is(schemas[key]!, width) &&
    settingsOf(lab).rules.every((rule) => rule.field !== key || !rule.broken({ ...now, [key]: width }));
  return fits ? width : undefined;
}

/** The numbers read from the fields of `list`, whose names begin with `prefix`. */
function readNumbers<L extends LabId>(
  reader: Reader,
  lab: L,
  base: NumbersOf[L],
  list = numberFields(lab),
  prefix = "",
): NumbersOf[L] {
  const schemas = settingsOf(lab).entries as unknown as Schemas;
  const now: Values = { ...base };
  for (const field of readingOrder(list)) {
    const free =
      field.key !== "keyDim" ||
      lab !== "multi-head" ||
      (reader.has(`${prefix}dk`) && reader.has(`${prefix}dv`));
    const heads = free ? null : headsProblem(now as unknown as NumbersOf["multi-head"]);
    if (heads) {
      const { dim, heads: count } = now as unknown as NumbersOf["multi-head"];
      now.heads = nearestHeads(dim, count, (base as NumbersOf["multi-head"]).heads);
      reader.broken(`${prefix}heads`, heads, String(now.heads));
    }
    const schema = schemas[field.key]!;
    const absent =
      widthFromMatrices(reader, lab, list, field, schemas, now as unknown as NumbersOf[L]) ??
      field.absent(now, base);
    now[field.key] = reader.value(field, schema, absent, valuesOf(base)[field.key]);
  }
  return repairNumbers(lab, now as unknown as NumbersOf[L], base, ({ field, ...problem }, fixed) => {
    const { name, form } = list.find(({ key }) => key === field)!;
    const value = valuesOf(fixed)[field];
    const used = field === "edits" || value === undefined ? undefined : shortened(form.plain(value));
    reader.broken(name, problem, used);
  });
}

/** The numbers that `numbers` are compared with; undefined if the link has no comparison. */
function readBefore<L extends LabId>(
  reader: Reader,
  lab: L,
  numbers: NumbersOf[L],
): NumbersOf[L] | undefined {
  const start = reader.take("before");
  if (start === undefined && !reader.hasAny(beforePrefix)) return undefined;
  const own = examples.filter(({ config }) => config.view.lab === lab);
  const example = own.find(({ id }) => id === start);
  if (start !== undefined && start !== "this" && !example) {
    const options = ["this", ...own.map(({ id }) => id)].join(", ");
    reader.field("before", start, expecting("choice", { options }), "this");
  }
  const base = (example?.config.numbers ?? numbers) as NumbersOf[L];
  return readNumbers(reader, lab, base, beforeFields(lab), beforePrefix);
}

function attempt(text: string, work: Work, tailless = false): Attempt {
  const { body, seal, cut, half, many } = dissect(text);
  const reader = new Reader(body, work, tailless && !cut);
  if (many) reader.addNotice({ kind: "too-large", used: String(linkBounds.fields) });
  if (cut) reader.addNotice({ kind: "cut", ...(half !== undefined && { field: printable(half) }) });
  const count = reader.size;
  const version = reader.take("v");
  if (version !== undefined && /^\d{1,9}$/.test(version) && Number(version) > 1) {
    const lab = labIds.find((id) => id === reader.peek("lab"));
    return {
      config: defaults(lab ?? "attention") as Config,
      notices: [{ kind: "newer", field: "v", given: version, used: "1" }],
      recognised: true,
      sealed: "none",
    };
  }
  if (version !== undefined && version !== "1")
    reader.field("v", version, expecting("just", { value: "1" }), "1");

  const { config: base, example } = baseOf(reader);
  const { lab } = base.view;
  const numbers = readNumbers(reader, lab, base.numbers as NumbersOf[typeof lab]);
  const looked = viewEntries as unknown as Record<string, v.GenericSchema>;
  const view: Values = { lab };
  for (const field of lookedFields) {
    const before = valuesOf(base.view)[field.key];
    view[field.key] = reader.value(field, looked[field.key]!, before, before);
  }
  const item = itemProblem({ numbers, view: view as unknown as View });
  if (item) {
    view.item = 0;
    reader.broken("item", item, "0");
  }
  // If some steps could not be read, the positions of the other steps have changed.
  if (reader.notices.some(({ field }) => field === "story")) view.reached = undefined;
  const reached = reachedProblem(view as unknown as View);
  if (reached) {
    view.reached = undefined;
    reader.broken("reached", reached);
  }
  const before = readBefore(reader, lab, numbers);
  if (before) view.before = before;
  const unknown = reader.size;
  reader.leftOver();

  const unchanged = sameNumbers(lab, plainsOf(numberFields(lab), valuesOf(numbers)), base.numbers);
  const config = structuredClone({
    version: 1,
    example: unchanged ? example : null,
    numbers,
    view,
  }) as unknown as Config;
  const sealed = seal === undefined ? "none" : seal === checksum(stateText(config)) ? "right" : "wrong";
  if (sealed === "wrong") reader.addNotice({ kind: "edited" });
  return { config, notices: reader.notices, recognised: unknown < count, sealed };
}

/**
 * The Config that a link holds, and notices about its problems.
 * Never throws; the Config is always valid. The work of reading is added to `work` and is never more than `mostWork`.
 */
export function decode(hash: string, work: Work = noWork()): Decoded {
  const text = withoutEntities(withoutSecret(hash.trim()).replace(/^#/, "")).replace(tracking, "");
  if (text === "") return { config: defaults("attention"), notices: [] };
  if (text.length > longestLink) {
    return {
      config: defaults("attention"),
      notices: [{ kind: "too-large", given: String(text.length), used: String(longestLink) }],
    };
  }
  let first = attempt(text, work);
  let read = text;
  // Some programs escape a link once more, others unescape it once.
  for (const other of [unescapePercent(text), text.replaceAll("%", "%25")]) {
    if (other === text || (first.recognised && first.sealed !== "wrong")) continue;
    const second = attempt(other, work);
    if (second.sealed === "right" || (!first.recognised && second.recognised))
      [first, read] = [second, other];
  }
  // Text behind a checksum is always ignored. In a link without one, it is ignored only if that leads to fewer notices.
  if (
    first.recognised &&
    first.sealed === "none" &&
    first.notices.length > 0 &&
    tail.test(unescapePercent(read))
  ) {
    const second = attempt(read, work, true);
    if (second.notices.length < first.notices.length) first = second;
  }
  if (!first.recognised) {
    const cut = first.notices.filter(({ kind }) => kind === "cut");
    return {
      config: defaults("attention"),
      notices: cut.length > 0 ? cut : [{ kind: "unreadable", given: printable(text) }],
    };
  }
  return { config: first.config, notices: first.notices };
}

/** A notice about words with invisible characters: two words that look alike may be different. */
export function unseenNotices({ numbers }: Config): ConfigNotice[] {
  const words = Object.values(numbers).flatMap((value: unknown) =>
    Array.isArray(value) && typeof value[0] === "string" ? (value as string[]) : [],
  );
  const shown = new Set(words.map(withUnseen).filter((word) => word !== null));
  return shown.size > 0 ? [{ kind: "unseen", given: shortened([...shown].join(", ")) }] : [];
}

/**
 * Decodes a link that was sent, with two more notices: a link that ends right after "v=1&" was cut off, and words may have invisible characters.
 * `sent` is the link as it came, if the fields of a frame were removed from `hash`.
 */
export function decodeSent(hash: string, sent = hash): Decoded {
  const { config, notices } = decode(hash);
  const cut: ConfigNotice[] = /^#?v=1&$/.test(sent.trim()) ? [{ kind: "cut" }] : [];
  return { config, notices: [...notices, ...cut, ...unseenNotices(config)] };
}
