/** Loads the labs by id. The attention lab is part of the page; each of the others is fetched when it is first opened. */
import type { LabId } from "../config/config.js";
import { lab as attention } from "./attention/index.js";
import type { Lab } from "../telling/lab.js";

const files = import.meta.glob<{ lab: Lab<LabId> }>(["./*/index.ts", "!./attention/index.ts"]);

const loaded: { [L in LabId]?: Lab<L> } = { attention };

/** Returns a lab, and fetches it first if it is not loaded. Rejects with the browser's Error if that fails; a later call tries again. */
export async function loadLab<L extends LabId>(id: L): Promise<Lab<L>> {
  const lab = loadedLab(id) ?? ((await files[`./${id}/index.ts`]!()).lab as unknown as Lab<L>);
  loaded[id] = lab as (typeof loaded)[L];
  return lab;
}

/** A lab that is loaded; undefined for one that is not. */
export function loadedLab<L extends LabId>(id: L): Lab<L> | undefined {
  return loaded[id] as Lab<L> | undefined;
}

export type * from "../telling/lab.js";
