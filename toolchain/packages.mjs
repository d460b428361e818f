// npm's packages: `npm ci` where node_modules is missing or was made from another lock file.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { project } from "./env.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

const folder = join(project, "node_modules");
const lock = join(project, "package-lock.json");
const stamp = join(folder, ".made-from");

function upToDate(hash) {
  if (existsSync(stamp)) return readFileSync(stamp, "utf8") === hash;
  const npmsOwn = join(folder, ".package-lock.json");
  return existsSync(npmsOwn) && statSync(npmsOwn).mtimeMs >= statSync(lock).mtimeMs;
}

export async function packages() {
  const hash = createHash("sha256").update(readFileSync(lock)).digest("hex");
  if (!upToDate(hash)) {
    await step("npm packages: npm ci", (update) => {
      return run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: project, onLine: update });
    });
  }
  writeFileSync(stamp, hash);
}

/** The command of a package that is installed here. */
export const program = (name) => join(folder, ".bin", name);
