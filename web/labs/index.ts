/** The labs, by id: the first is there from the start, each of the others is fetched when it is first opened. */
import type { LabId } from "../config/config.js";
import { lab as attention } from "./attention/index.js";
import type { Lab } from "../telling/lab.js";

const files = import.meta.glob<{ lab: Lab<LabId> }>(["./*/index.ts", "!./attention/index.ts"]);

const loaded: { [L in LabId]?: Lab<L> } = { attention };

/** A lab, fetched if it is not there yet. Rejects with the browser's Error when it cannot be had, and may be asked again. */
export async function loadLab<L extends LabId>(id: L): Promise<Lab<L>> {
  const lab = loadedLab(id) ?? ((await files[`./${id}/index.ts`]!()).lab as unknown as Lab<L>);
  loaded[id] = lab as (typeof loaded)[L];
  return lab;
}

/** A lab that is there; undefined for one that was never fetched. */
export function loadedLab<L extends LabId>(id: L): Lab<L> | undefined {
  return loaded[id] as Lab<L> | undefined;
}

export type * from "../telling/lab.js";
