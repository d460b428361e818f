/** What the reader looks at, as a table of settings. It changes no value of the graph. */
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
  /** The cell that the note explains. */
  cell: optional(cell),
  pinned: named("pin", flag),
  /** One colour scale per family of tensors, or one per tensor. */
  scales: choice(["shared", "own"]),
  /** The sample of the batch that is shown, from 0. */
  item: whole({ min: 0, max: bounds.batch.max - 1 }),
  lang: optional({ check: checks.choice(choices.lang), form: forms.lang }),
  theme: optional(choice(["light", "dark"])),
  /** The cell whose gradient is shown. Absent, here and below: there is none. */
  gradient: later(cell),
  /** The cell whose number is covered until the reader has guessed it. */
  guess: later(cell),
  /** Whether the numbers themselves are shown in place of a comparison or a gradient. */
  read: later(choice(["numbers"])),
  /** The id of the stop that Play has reached. Tensors of later stops are not drawn yet. */
  stop: later<string>(id),
  /** The unfolded parts of the note: all its terms, and on a phone the note itself. */
  unfolded: named(
    "unfold",
    later({ check: checks.someOf(choices.unfolded), form: forms.chosenWords(choices.unfolded) }),
  ),
  /** The arrangement on the stage, if the cell alone would choose another one. */
  picture: later<string>(id),
  /** The part of the lesson that is open, and after a comma its paragraph, from 0. */
  lesson: later<string>(id),
  /** The steps of the story that is shown. */
  story: later({ check: checks.story, form: forms.story }),
  /** The step of the story that the reader has reached, from 0; absent: the first. */
  reached: later(whole(storyPlaces)),
};
/** The view without the lab and without the numbers of a comparison. */
export type Looked = NumbersIn<typeof kinds>;

/** The fields of a link for the view. An absent `later` field is undefined, whatever the view of the base is. */
export const viewFields = fieldsOf<Looked>(kinds, {
  ...Object.fromEntries(
    ["gradient", "guess", "read", "stop", "unfolded", "picture", "lesson", "story", "reached"].map((key) => [
      key,
      () => undefined,
    ]),
  ),
});
/** The checks of the view, by key. */
export const viewEntries = checksOf<Looked>(kinds);
