// The folder in the user's cache that every clone of the project shares: one sub-folder per thing and version,
// each made in a temporary place and renamed into it, so that what is there is whole.

import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { say } from "./progress.mjs";

export function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(base, "attention-playground");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Whole, and where it was made to stand: programs in it know their libraries by full path. */
function isFinished(folder) {
  return existsSync(join(folder, "finished.json")) && facts(folder).at === folder;
}

/** The newest finished sub-folder whose name starts with `prefix`, or null. */
export function finished(prefix) {
  const found = readdirSync(cacheFolder())
    .filter((name) => name.startsWith(prefix) && isFinished(join(cacheFolder(), name)))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  return found.length ? join(cacheFolder(), found[0]) : null;
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

const staleMs = 60_000;

function holderIsGone(file) {
  try {
    const holder = JSON.parse(readFileSync(file, "utf8"));
    if (Date.now() - statSync(file).mtimeMs > staleMs) return holder.token;
    if (holder.host !== hostname()) return null;
    try {
      process.kill(holder.pid, 0);
      return null;
    } catch (error) {
      return error.code === "ESRCH" ? holder.token : null;
    }
  } catch {
    return null; // just being written, or just released
  }
}

/** Renaming decides between two that both saw the stale lock; a lock caught wrongly is given back. */
function takeAway(file, stale, token) {
  const aside = `${file}.${token}`;
  try {
    renameSync(file, aside);
    if (JSON.parse(readFileSync(aside, "utf8")).token === stale) unlinkSync(aside);
    else renameSync(aside, file);
  } catch {
    // the other one was quicker
  }
}

let held = false;

/**
 * Runs `work` while no other process, of any clone, changes the cache folder. One lock for all of it: what is made
 * for one thing (package lists, patchelf) serves the next. A step inside a step already holds it.
 */
export async function withLock(work) {
  if (held) return work();
  const file = join(cacheFolder(), "set-up.lock");
  const token = randomUUID();
  let told = false;
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify({ pid: process.pid, host: hostname(), token }), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const gone = holderIsGone(file);
    if (gone) {
      takeAway(file, gone, token);
      continue;
    }
    if (!told) say("  waiting: another process is setting up the same cache folder");
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  held = true;
  const beat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // released meanwhile
    }
  }, 5_000);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    held = false;
    rmSync(file, { force: true });
  }
}
