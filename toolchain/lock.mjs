// Allows one process at a time: a lock file with the name of its holder, which renews it. The lock of a dead holder expires.

import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { say } from "./progress.mjs";

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

/** Null for a lock that is just being written. */
function tokenIn(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).token;
  } catch {
    return null;
  }
}

/** Renaming decides between two processes that both saw the stale lock; a lock taken by mistake is given back. */
function takeAway(file, stale, token) {
  const aside = `${file}.${token}`;
  try {
    renameSync(file, aside);
  } catch {
    return; // the other one was quicker
  }
  if (tokenIn(aside) === stale) unlinkSync(aside);
  else renameSync(aside, file);
}

/** The lock files that this process holds. */
const held = new Set();

/**
 * Runs `work` while no other process holds `file`. `doing` describes what the holder does, for the line shown to a process
 * that waits. A step inside a step already holds the lock.
 */
export async function withLockFile(file, doing, work) {
  if (held.has(file)) return work();
  const token = randomUUID();
  let told = false;
  mkdirSync(dirname(file), { recursive: true });
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
    if (!told) say(`  waiting: another process ${doing}`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  held.add(file);
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
    held.delete(file);
    rmSync(file, { force: true });
  }
}

/** Runs `work` while no other command of this clone builds, so that no file in build/ or dist/ is incomplete. */
export const whileBuilding = (work) =>
  withLockFile(join(import.meta.dirname, "../build/building.lock"), "builds in this clone", work);
