/**
 * Loads the labs by id. Which there are, the entry says: the page fetches each of them but the first when it is first opened (fetched.ts),
 * and frames contain theirs (framed.ts, framed-training.ts).
 */
import type { LabId } from "../config/config.js";
import type { Lab } from "../telling/lab.js";

/** The files of labs by their addresses, ./ID/index.ts, as import.meta.glob gives them. */
type Files<File> = Readonly<Record<string, File>>;

const fetched = new Map<LabId, () => Promise<{ lab: Lab<LabId> }>>();
const loaded: { [L in LabId]?: Lab<L> } = {};

const idOf = (file: string): LabId => file.split("/")[1] as LabId;

/** Offers labs that are fetched when they are first opened. */
export function offerLabs(files: Files<() => Promise<{ lab: Lab<LabId> }>>): void {
  for (const [file, load] of Object.entries(files)) fetched.set(idOf(file), load);
}

/** Adds labs that need not be fetched. */
export function addLabs(files: Files<Lab<LabId>>): void {
  Object.assign(loaded, Object.fromEntries(Object.entries(files).map(([file, lab]) => [idOf(file), lab])));
}

/** Returns a lab, and fetches it first if it is not loaded. Rejects with the browser's Error if that fails; a later call tries again. */
export async function loadLab<L extends LabId>(id: L): Promise<Lab<L>> {
  const known = loadedLab(id);
  if (known) return known;
  const load = fetched.get(id);
  if (!load) throw new Error(`The lab "${id}" is not part of this frame. Open it on the page.`);
  const lab = (await load()).lab as unknown as Lab<L>;
  loaded[id] = lab as (typeof loaded)[L];
  return lab;
}

/** A lab that is loaded; undefined for one that is not. */
export function loadedLab<L extends LabId>(id: L): Lab<L> | undefined {
  return loaded[id] as Lab<L> | undefined;
}

export type * from "../telling/lab.js";
