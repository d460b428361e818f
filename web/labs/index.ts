/** The labs, by id: the first is there from the start, each of the others is fetched when it is first opened. */
import type { LabId } from "../config/config.js";
import { attention } from "./attention/index.js";
import type { Lab } from "./lab.js";
import { transformerLabs } from "./transformer-labs.js";

/** Each lab's chapter in Contents. */
export const chapters: Readonly<Record<LabId, number>> = {
  attention: 2,
  "multi-head": 4,
  positions: 5,
  vit: 8,
  "encoder-decoder": 7,
  optimizers: 11,
  block: 6,
  losses: 10,
  complexity: 12,
  scaling: 3,
  bert: 9,
  words: 1,
};

const fetching: { [L in LabId]: () => Promise<Lab<L>> } = {
  attention: () => Promise.resolve(attention),
  "multi-head": () => import("./multi-head/index.js").then(({ multiHead }) => multiHead),
  positions: () => import("./positions/index.js").then(({ positions }) => positions),
  vit: () => import("./vit/index.js").then(({ vit }) => vit),
  ...transformerLabs,
};

const loaded: { [L in LabId]?: Lab<L> } = { attention };

/** A lab, fetched if it is not there yet. Rejects with the browser's Error when it cannot be had, and may be asked again. */
export async function loadLab<L extends LabId>(id: L): Promise<Lab<L>> {
  const lab: Lab<L> = loadedLab(id) ?? (await fetching[id]());
  loaded[id] = lab as (typeof loaded)[L];
  return lab;
}

/** A lab that is there; undefined for one that was never fetched. */
export function loadedLab<L extends LabId>(id: L): Lab<L> | undefined {
  return loaded[id] as Lab<L> | undefined;
}

export type * from "./lab.js";
