/** What is looked at, as a table of settings; it changes no value. */
import * as v from "valibot";
import { bounds, choices, storyPlaces } from "./bounds.js";
import * as checks from "./checks.js";
import { message } from "./expected.js";
import * as forms from "./forms.js";
import { choice, flag, later, whole, type Kind, named } from "./kinds.js";
import { checksOf, fieldsOf, type NumbersIn } from "./lab-settings.js";

interface PlacedCell {
  node: string;
  index: number[];
}
const cell: Kind<PlacedCell> = {
  check: v.strictObject({ node: checks.node, index: checks.index }, message("cell", { ...bounds.axes })),
  form: forms.cell,
};
const optional = <T>({ check, form }: Kind<T>): Kind<T | null> => ({
  check: v.nullable(check),
  form: forms.optional(form),
});
const id = { check: checks.named, form: forms.text };

const kinds = {
  /** The cell the note explains. */
  cell: optional(cell),
  pinned: named("pin", flag),
  /** One colour scale per family, or each tensor its own. */
  scales: choice(["shared", "own"]),
  /** Which sample of the batch is shown. */
  item: whole({ min: 0, max: bounds.batch.max - 1 }),
  lang: optional({ check: checks.choice(choices.lang), form: forms.lang }),
  theme: optional(choice(["light", "dark"])),
  /** The cell whose gradient is shown; absent, here and below: there is none. */
  gradient: later(cell),
  /** The numbers themselves are shown, where a comparison or a gradient could be. */
  read: later(choice(["numbers"])),
  /** The stop at which Play stands, by its id: what is made later is not drawn yet. */
  stop: later<string>(id),
  /** What is unfolded of the note: all its terms, and on a phone the note itself. */
  unfolded: named(
    "unfold",
    later({ check: checks.someOf(choices.unfolded), form: forms.some(choices.unfolded) }),
  ),
  /** What of the lab is on the stage, as its scene names it, where the cell alone would bring another. */
  picture: later<string>(id),
  /** The part of the lesson that is read, and after a comma the paragraph, from 0. */
  lesson: later<string>(id),
  /** The story that is told. */
  story: later({ check: checks.story, form: forms.story }),
  /** The step of the story that the reader has come to, from 0; absent: the first. */
  reached: later(whole(storyPlaces)),
};
/** All that is looked at, but the lab and what its numbers are compared with. */
export type Looked = NumbersIn<typeof kinds>;

/** The fields of a link that say what is looked at. A later one means nothing where it is absent, whatever the base looks at. */
export const viewFields = fieldsOf<Looked>(kinds, {
  ...Object.fromEntries(
    ["gradient", "read", "stop", "unfolded", "picture", "lesson", "story", "reached"].map((key) => [
      key,
      () => undefined,
    ]),
  ),
});
/** The checks of what is looked at, by key. */
export const viewEntries = checksOf<Looked>(kinds);
