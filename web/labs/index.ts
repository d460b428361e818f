/**
 * Loads the labs by id. The attention lab is part of the page; each of the others is fetched when it is first opened. The lab that trains is
 * offered by the entries that have it: frames are files of their own, and would all carry it.
 */
import type { LabId } from "../config/config.js";
import { lab as attention } from "./attention/index.js";
import type { Lab } from "../telling/lab.js";

type LabModule = () => Promise<{ lab: Lab<LabId> }>;
const files: Record<string, LabModule> = import.meta.glob<{ lab: Lab<LabId> }>([
  "./*/index.ts",
  "!./attention/index.ts",
  "!./training/index.ts",
]);

/** Whether frames and elements contain a lab. */
export const isFramed = (lab: LabId): boolean => lab !== "training";

/** Offers the lab that trains. */
export function offerTraining(load: () => Promise<{ lab: Lab<"training"> }>): void {
  files["./training/index.ts"] = load as unknown as LabModule;
}

const loaded: { [L in LabId]?: Lab<L> } = { attention };

/** Returns a lab, and fetches it first if it is not loaded. Rejects with the browser's Error if that fails; a later call tries again. */
export async function loadLab<L extends LabId>(id: L): Promise<Lab<L>> {
  const known = loadedLab(id);
  if (known) return known;
  const load = files[`./${id}/index.ts`];
  if (!load) throw new Error(`The lab "${id}" is not part of a frame. Open it on the page.`);
  const lab = (await load()).lab as unknown as Lab<L>;
  loaded[id] = lab as (typeof loaded)[L];
  return lab;
}

/** A lab that is loaded; undefined for one that is not. */
export function loadedLab<L extends LabId>(id: L): Lab<L> | undefined {
  return loaded[id] as Lab<L> | undefined;
}

export type * from "../telling/lab.js";
