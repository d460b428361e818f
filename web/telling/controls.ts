/** Makes a lab's controls from its settings: their names and texts, and how setting one changes the numbers. */
import { settingsOf } from "../config/labs.js";
import type { Range } from "../config/bounds.js";
import type { ConfigOf, LabId, NumbersOf } from "../config/config.js";
import type { Editor } from "../config/kinds.js";
import { repairNumbers } from "../config/rules.js";
import type { Key, Slots, Words } from "../i18n/words.js";
import type { Snapshots } from "../marks/scene.js";
import type { Control } from "../marks/wording.js";
import type { Lab } from "./lab.js";
import type { StringsIn } from "./declaration.js";
import { Reading, isRefused, type Refused } from "./typed-values.js";

/** The properties of a control that do not follow from its setting. `L` is the lab. */
export interface ControlOf<L extends LabId> {
  /** The id of the setting that the control changes. Absent: the control's own id. */
  readonly setting?: keyof NumbersOf[L] & string;
  /** Whether the short settings sentence of a frame contains the control. */
  readonly essential?: true;
  /** The words before its value in that sentence: "against ". */
  readonly lead?: (words: Words) => string;
  readonly kind?: Control["kind"];
  readonly pieces?: true;
  readonly many?: true;
  /** The values that − and + step to, for a number that need not be whole. */
  readonly stops?: readonly number[];
  /** The allowed range, if it depends on the other settings. */
  readonly range?: (numbers: NumbersOf[L]) => Range;
  readonly options?: (config: ConfigOf<L>, words: Words, snapshots?: Snapshots) => Control["options"];
  readonly value?: (config: ConfigOf<L>, words: Words) => string;
  /** Its text in the settings sentence. */
  readonly label?: (config: ConfigOf<L>, words: Words) => string;
  /** Its name, or the key of its name in the page's strings. Absent: the string `field.ID`. */
  readonly title?: Key | ((words: Words) => string);
  /** The id of the control whose `field` and `help` strings it uses. Absent: its own. */
  readonly stringsId?: (numbers: NumbersOf[L]) => string;
  /** Its help text. Absent: the string `help.ID`. */
  readonly help?: (config: ConfigOf<L>, words: Words) => string;
  /** The numbers after `typed` was entered, if that changes more than the setting's own value. */
  readonly set?: (
    numbers: NumbersOf[L],
    typed: string,
    reading: Reading,
    words: Words,
  ) => NumbersOf[L] | Refused;
  /** Makes the changes that go with the new value, or returns the reason why the value is refused. */
  readonly then?: (after: NumbersOf[L], before: NumbersOf[L], words: Words) => NumbersOf[L] | Refused;
}

export interface LabControls<L extends LabId> {
  readonly id: L;
  /**
   * The lab's own strings: `field.ID`, `help.ID`, `ID.VALUE`, `ID.one`, `ID.many`. A string that is missing is taken from the
   * page's `labs.` strings.
   */
  readonly strings: StringsIn | null;
  /** The settings sentence, with a {slot} for each control. */
  readonly sentence: (config: ConfigOf<L>, words: Words) => string;
  /** By id: the controls of settings that need more than their table gives, and controls that are not settings. */
  readonly controls: Readonly<Record<string, ControlOf<L>>>;
  /** Applied after every change: the numbers, or the reason why the change is refused. */
  readonly after?: (answer: NumbersOf[L], words: Words) => NumbersOf[L] | Refused;
}

/** The first of these strings that the lab has, else the first that the page has; null if there is none. */
function firstOf(
  lab: { strings: StringsIn | null },
  words: Words,
  own: readonly string[],
  shared: readonly string[],
  slots: Slots,
): string | null {
  const strings = lab.strings?.(words);
  const key = strings && own.find((one) => strings.has(one));
  if (key !== undefined) return strings!(key as never, slots);
  const other = shared.find((one) => words.has(one));
  return other === undefined ? null : words(other as Key, slots);
}

const pluralKeys = (key: string, n: number): string[] => [
  ...(n === 1 ? [`${key}.one`] : []),
  `${key}.many`,
  `${key}.n`,
];

/** The text of a value: an option's name, a number with its noun, or a list of words. */
function valueText<L extends LabId>(
  lab: LabControls<L>,
  id: string,
  value: unknown,
  words: Words,
  slots: Slots,
  isOption = false,
): string {
  const count = Array.isArray(value) ? value.length : value;
  if (typeof count === "number") {
    const countSlots = { ...slots, n: count };
    const phrase = firstOf(
      lab,
      words,
      [`${id}.${count}`, ...pluralKeys(id, count)],
      [...pluralKeys(`labs.${id}`, count), `labs.${id}`],
      countSlots,
    );
    return phrase ?? (Array.isArray(value) ? value.join(" ") : String(value));
  }
  const name = typeof value === "boolean" ? (value ? "on" : "off") : String(value);
  const own = [...(isOption ? [`option.${id}.${name}`] : []), `${id}.${name}`];
  return firstOf(lab, words, own, [`labs.${id}.${name}`], slots) ?? name;
}

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(" ")
    : typeof value === "boolean"
      ? value
        ? "on"
        : "off"
      : String(value);

const optionsOf = (editor: Editor | undefined): readonly unknown[] | null =>
  editor?.kind === "choice" ? editor.options : editor?.kind === "flag" ? [false, true] : null;

const kindOf = (editor: Editor | undefined): Control["kind"] =>
  editor?.kind === "words" ? "words" : optionsOf(editor) ? "choice" : "number";

function titleOf<L extends LabId>(
  lab: LabControls<L>,
  id: string,
  numbers: NumbersOf[L],
  words: Words,
): string {
  const { title, stringsId } = lab.controls[id] ?? {};
  if (title) return typeof title === "string" ? words(title) : title(words);
  const key = stringsId?.(numbers) ?? id;
  return firstOf(lab, words, [`field.${key}`], [`labs.field.${key}`], {}) ?? key;
}

const editorOf = (lab: LabId, setting: string): Editor | undefined =>
  (settingsOf(lab).editors as Readonly<Record<string, Editor | undefined>>)[setting];

function controlOf<L extends LabId>(
  lab: LabControls<L>,
  id: string,
  config: ConfigOf<L>,
  words: Words,
  snapshots: Snapshots | undefined,
): Control {
  const own: ControlOf<L> = lab.controls[id] ?? {};
  const { setting = id } = own;
  const { numbers } = config;
  const values = numbers as unknown as Record<string, unknown>;
  const editor = editorOf(lab.id, setting);
  const slots = Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
  const value = values[setting];
  const { stops, essential, pieces, many } = own;
  const stringsId = own.stringsId?.(numbers) ?? id;
  const page = lab.id.replace("-", "_");
  const help =
    own.help?.(config, words) ??
    firstOf(
      lab,
      words,
      [`help.${stringsId}`],
      [`labs.help.${page}.${stringsId}`, ...(lab.strings ? [] : [`labs.help.attention.${stringsId}`])],
      slots,
    );
  const options =
    own.options?.(config, words, snapshots) ??
    optionsOf(editor)?.map((one) => ({
      value: textOf(one),
      label: valueText(lab, id, one, words, slots, true),
    }));
  const kind = own.kind ?? (options ? "choice" : kindOf(editor));
  const range = own.range?.(numbers) ?? (editor && "range" in editor ? editor.range : undefined);
  return {
    id,
    kind,
    title: titleOf(lab, id, numbers, words),
    value: own.value?.(config, words) ?? textOf(value),
    label: own.label?.(config, words) ?? valueText(lab, id, value, words, slots),
    ...(help !== null && { help }),
    ...(options && { options }),
    ...(kind === "number" && range),
    ...(stops && { stops }),
    ...(pieces && { pieces }),
    ...(many && { many }),
    ...(essential && { essential }),
    ...(own.lead && { lead: own.lead(words) }),
  };
}

/** The numbers after the reader typed a value into a control, before they are repaired; or a refusal. */
function numbersAfter<L extends LabId>(
  lab: LabControls<L>,
  numbers: NumbersOf[L],
  id: string,
  typed: string,
  words: Words,
): NumbersOf[L] | Refused {
  const own: ControlOf<L> | undefined = lab.controls[id];
  const setting = own?.setting ?? id;
  const editor = editorOf(lab.id, setting);
  if (!own?.set && !editor) return { refused: words("labs.refused.control", { given: id }) };
  const reading = new Reading(titleOf(lab, id, numbers, words), words);
  if (own?.set) return own.set(numbers, typed, reading, words);
  const before = (numbers as unknown as Record<string, unknown>)[setting];
  const value = reading.value(typed, editor!, own?.range?.(numbers), before);
  if (typeof value === "object" && value !== null && isRefused(value)) return value;
  const isSame = textOf(value) === textOf(before);
  if (isSame && !own?.then) return numbers;
  const after = { ...numbers, [setting]: value };
  return own?.then?.(after, numbers, words) ?? after;
}

/**
 * A lab's controls, and how setting one changes the numbers. After a change, edits of cells that no longer exist and typed rows of
 * another size are removed. In a lab that checks all settings together, options that it would refuse cannot be chosen, and say why.
 */
export function labControls<L extends LabId>(lab: LabControls<L>): Pick<Lab<L>, "sentence" | "change"> {
  const unrepaired: Lab<L>["change"] = (numbers, id, typed, words) => {
    const edited = numbersAfter(lab, numbers, id, typed, words);
    return isRefused(edited) || edited === numbers ? edited : (lab.after?.(edited, words) ?? edited);
  };
  return {
    sentence(config, words, snapshots) {
      const text = lab.sentence(config, words);
      const ids = [...text.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!);
      const controls = ids.map((id): Control => {
        const control = controlOf(lab, id, config, words, snapshots);
        if (!lab.after || !control.options) return control;
        const options = control.options.map((option) => {
          const answer = unrepaired(config.numbers, id, option.value, words);
          return isRefused(answer) ? { disabled: answer.refused, ...option } : option;
        });
        return { ...control, options };
      });
      return { text, controls };
    },
    change(numbers, id, typed, words) {
      const answer = unrepaired(numbers, id, typed, words);
      return isRefused(answer) || answer === numbers ? answer : repairNumbers(lab.id, answer, numbers);
    },
  };
}

/** The numbers without the settings that have their default, or no value: a link leaves these out. */
export function withoutDefaults<N extends object>(
  numbers: N,
  defaults: { readonly [K in keyof N]?: unknown },
): N {
  const isDefault = (id: string, value: unknown): boolean =>
    value === undefined || (Object.hasOwn(defaults, id) && textOf(value) === textOf(defaults[id as keyof N]));
  return Object.fromEntries(Object.entries(numbers).filter(([id, value]) => !isDefault(id, value))) as N;
}

/** Refuses a number of heads that does not divide the width of the word vectors. */
export const refuseUnevenHeads = <N extends { dim: number; heads: number }>(
  after: N,
  _before: N,
  words: Words,
): N | Refused =>
  after.dim % after.heads === 0
    ? after
    : { refused: words("labs.refused.heads", { heads: after.heads, dim: after.dim }) };
