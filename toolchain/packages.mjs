// npm's packages: runs `npm ci` where node_modules is missing or was made from another lock file.

import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { project } from "./env.mjs";
import { step } from "./progress.mjs";
import { run } from "./run.mjs";

const stampOf = (folder) => join(folder, "node_modules/.made-from");

function upToDate(folder, hash) {
  const stamp = stampOf(folder);
  if (existsSync(stamp)) return readFileSync(stamp, "utf8") === hash;
  const npmsOwn = join(folder, "node_modules/.package-lock.json");
  return (
    existsSync(npmsOwn) && statSync(npmsOwn).mtimeMs >= statSync(join(folder, "package-lock.json")).mtimeMs
  );
}

/** Installs the packages of a folder's lock file; `more` are arguments for npm. */
export async function packagesOf(folder, ...more) {
  const hash = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (!upToDate(folder, hash)) {
    const where = folder === project ? "" : ` in ${relative(project, folder)}`;
    await step(`npm packages: npm ci${where}`, (update) => {
      return run("npm", ["ci", "--no-audit", "--no-fund", ...more], { cwd: folder, onLine: update });
    });
  }
  writeFileSync(stampOf(folder), hash);
}

export const packages = () => packagesOf(project);

/** The path of a command of an installed package. */
export const program = (name) => join(project, "node_modules/.bin", name);
