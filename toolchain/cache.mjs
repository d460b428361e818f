// The folder in the user's cache that every clone of the project shares: one sub-folder per thing and version,
// each made in a temporary place and then renamed, so that every sub-folder is complete.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { withLockFile } from "./lock.mjs";

export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(base, "attention-playground");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Whether a sub-folder is complete and still at its original path: its programs find their libraries by full path. */
function isFinished(folder) {
  return existsSync(join(folder, "finished.json")) && facts(folder).at === folder;
}

/**
 * The newest complete sub-folder whose name starts with `prefix` and whose facts `accepts` approves, or null: what an
 * earlier release of the project stored may be too old for this one.
 * @param {string} prefix
 * @param {(facts: any, folder: string) => boolean} accepts
 */
export function findFinished(prefix, accepts = () => true) {
  const found = readdirSync(cacheFolder())
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((name) => join(cacheFolder(), name))
    .filter((folder) => isFinished(folder) && accepts(facts(folder), folder));
  return found[0] ?? null;
}

export function facts(folder) {
  return JSON.parse(readFileSync(join(folder, "finished.json"), "utf8"));
}

/**
 * Makes the sub-folder `name`: `work(temporary, final)` fills a temporary folder (`final` is where it will stand)
 * and returns the facts to keep with it. An interrupted run leaves only a temporary folder, removed by the next.
 */
export async function make(name, work) {
  const final = join(cacheFolder(), name);
  if (isFinished(final)) return final;
  for (const left of readdirSync(cacheFolder()).filter((n) => n.startsWith(`.making-${name}.`))) {
    rmSync(join(cacheFolder(), left), { recursive: true, force: true });
  }
  const temporary = join(cacheFolder(), `.making-${name}.${process.pid}`);
  mkdirSync(temporary);
  try {
    const kept = await work(temporary, final);
    writeFileSync(join(temporary, "finished.json"), `${JSON.stringify({ ...kept, at: final }, null, 2)}\n`);
    rmSync(final, { recursive: true, force: true });
    renameSync(temporary, final);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return final;
}

/**
 * Runs `work` while no other process, of any clone, changes the cache folder. There is one lock for all of it, because
 * some of it (package lists, patchelf) is used for several things.
 */
export const withLock = (work) =>
  withLockFile(join(cacheFolder(), "set-up.lock"), "is setting up the same cache folder", work);
