/** A sentence of help for each control of a lab, shown where it is changed. */
import type { LabId } from "../config/config.js";
import type { Key, Words } from "../i18n/words.js";
import type { Control } from "../marks/wording.js";

const said: Readonly<Partial<Record<LabId, Readonly<Record<string, Key>>>>> = {
  attention: {
    words: "labs.help.attention.words",
    dim: "labs.help.attention.dim",
    draw: "labs.help.attention.draw",
    seed: "labs.help.attention.seed",
    keyDim: "labs.help.attention.keyDim",
    valueDim: "labs.help.attention.valueDim",
    score: "labs.help.attention.score",
    scale: "labs.help.attention.scale",
    mask: "labs.help.attention.mask",
    memory: "labs.help.attention.memory",
  },
  "multi-head": {
    length: "labs.help.multi_head.length",
    source: "labs.help.multi_head.source",
    heads: "labs.help.multi_head.heads",
    keyDim: "labs.help.multi_head.keyDim",
    draw: "labs.help.multi_head.draw",
    run: "labs.help.multi_head.run",
    batch: "labs.help.multi_head.batch",
    item: "labs.help.multi_head.item",
    words: "labs.help.attention.words",
    dim: "labs.help.attention.dim",
    seed: "labs.help.attention.seed",
    scale: "labs.help.attention.scale",
    mask: "labs.help.attention.mask",
  },
  positions: {
    encoding: "labs.help.positions.encoding",
    positions: "labs.help.positions.positions",
    length: "labs.help.positions.length",
    dim: "labs.help.positions.dim",
    base: "labs.help.positions.base",
    offset: "labs.help.positions.offset",
    heads: "labs.help.positions.heads",
    seed: "labs.help.attention.seed",
  },
  vit: {
    size: "labs.help.vit.size",
    patch: "labs.help.vit.patch",
    compare: "labs.help.vit.compare",
    dim: "labs.help.vit.dim",
    cls: "labs.help.vit.cls",
    seed: "labs.help.attention.seed",
  },
};

/** The controls with their help; `instead` names other keys where these numbers ask for them. */
export function helped(
  lab: LabId,
  controls: readonly Control[],
  words: Words,
  slots: Record<string, string | number> = {},
  instead: Readonly<Record<string, Key>> = {},
): Control[] {
  return controls.map((control) => {
    const key = instead[control.id] ?? said[lab]?.[control.id];
    return key === undefined ? control : { ...control, help: words(key, slots) };
  });
}
