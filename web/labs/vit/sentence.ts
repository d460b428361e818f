/** The settings of the vit lab as a sentence, and its title. */
import { bounds, imageSizes, patchSizes } from "../../config/bounds.js";
import type { ConfigOf, VitNumbers } from "../../config/config.js";
import { encoderMost, hasEncoder } from "../../config/encoder.js";
import { patchCount } from "../../config/counts.js";
import { samples } from "../../examples/samples.js";
import type { Words } from "../../i18n/words.js";
import type { Control } from "../../marks/wording.js";
import { helped } from "../help.js";
import { barred, encoderControls } from "./encoder/index.js";

type Config = ConfigOf<"vit">;

export function title({ numbers }: Config, words: Words): string {
  return words("labs.vit.title", { n: patchCount(numbers) });
}

export function lede(_config: Config, words: Words, narrow: boolean): string {
  return words(narrow ? "labs.vit.lede.narrow" : "labs.vit.lede");
}

export function sentence({ numbers }: Config, words: Words): { text: string; controls: Control[] } {
  const { image, size, patch } = numbers;
  const own = "pixels" in image;
  const sample = own ? undefined : samples.find(({ id }) => id === image.sample);
  const square = (side: number) => `${side} × ${side}`;
  const projected = numbers.compare === "projection";
  /** More patches than encoder layers read. */
  const disabled = (then: VitNumbers): { disabled?: string } => {
    const refused = hasEncoder(then) ? barred(then, words) : null;
    return refused ? { disabled: refused } : {};
  };
  const controls: Control[] = [
    {
      id: "image",
      kind: "image",
      essential: true,
      title: words("labs.field.image"),
      value: own ? "" : image.sample,
      label: sample ? sample.title[words.language] : words("labs.vit.own"),
      options: samples.map(({ id, title: names }) => ({ value: id, label: names[words.language] })),
    },
    {
      id: "size",
      kind: "choice",
      title: words("labs.field.size"),
      value: String(size),
      label: square(size),
      options: imageSizes.map((side) => ({
        value: String(side),
        label: square(side),
        ...(side % patch !== 0 ? { disabled: words("labs.refused.patch", { size: side, patch }) } : {}),
        ...disabled({ ...numbers, size: side }),
        ...(own && side !== size ? { disabled: words("labs.refused.size", { size }) } : {}),
      })),
    },
    {
      id: "patch",
      kind: "choice",
      essential: true,
      title: words("labs.field.patch"),
      value: String(patch),
      label: square(patch),
      options: patchSizes
        .filter((side) => side <= size)
        .map((side) => ({
          value: String(side),
          label: square(side),
          ...disabled({ ...numbers, patch: side }),
        })),
    },
    {
      id: "compare",
      kind: "choice",
      title: words("labs.field.compare"),
      value: numbers.compare,
      label: words(`labs.compare.${numbers.compare}`),
      options: (["pixels", "projection"] as const).map((value) => ({
        value,
        label: words(`labs.compare.${value}`),
      })),
    },
    ...(projected
      ? ([
          {
            id: "dim",
            kind: "number",
            title: words("labs.field.dimensions"),
            value: String(numbers.dim),
            ...bounds.dim,
            ...(hasEncoder(numbers) ? { max: encoderMost.dim } : {}),
            label: String(numbers.dim),
          },
          {
            id: "seed",
            kind: "number",
            title: words("labs.field.seed"),
            value: String(numbers.seed),
            ...bounds.seed,
            label: words("labs.seed", { n: numbers.seed }),
          },
          {
            id: "cls",
            kind: "choice",
            title: words("labs.field.cls"),
            value: numbers.cls ? "on" : "off",
            label: words(numbers.cls ? "labs.cls.on" : "labs.cls.off"),
            options: (["on", "off"] as const).map((value) => ({ value, label: words(`labs.cls.${value}`) })),
          },
        ] satisfies Control[])
      : []),
    ...(projected ? encoderControls(numbers, words) : []),
  ];
  const read = hasEncoder(numbers) ? "labs.vit.sentence.encoder" : "labs.vit.sentence.projection";
  const text = words(projected ? read : "labs.vit.sentence.pixels");
  return { text, controls: helped("vit", controls, words) };
}
