// npm run publish-site -- FOLDER: copies dist/ into the folder of a host. With --release this build is also kept in FOLDER/r/VERSION forever.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildAll } from "./build.mjs";
import { project } from "./env.mjs";
import { main, SetupError } from "./progress.mjs";

/** Pages to share belong to the site: a release has none. */
const isReleased = (name) => name.split(sep)[0] !== "share";

/** Every file of a release below a folder, by its path relative to it. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => isReleased(name) && statSync(join(folder, name)).isFile())
    .sort();
}

/** The files that only one of two folders has, or that differ. */
function differing(a, b) {
  const names = new Set([...filesBelow(a), ...filesBelow(b)]);
  const bytes = (folder, name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name)) : null);
  return [...names].filter((name) => {
    const [one, other] = [bytes(a, name), bytes(b, name)];
    return !one || !other || !one.equals(other);
  });
}

/**
 * Copies the built site over the one of a host. Other files there stay, such as assets of older builds, which open pages still fetch.
 * With a version the site is also copied to r/VERSION, which never changes: throws SetupError, before anything is written, where other
 * bytes are published as that version.
 * @param {string} site
 * @param {string} host
 * @param {string | null} version
 */
export function publish(site, host, version = null) {
  const release = version === null ? null : join(host, "r", version);
  if (version !== null && !/^\w[\w.-]*$/.test(version))
    throw new SetupError(`version: expected letters, digits, dots and hyphens, got "${version}"`);
  if (release && existsSync(release)) {
    const others = differing(site, release);
    if (others.length > 0)
      throw new SetupError(
        `${version} is published with other bytes (${others.slice(0, 3).join(", ")}${others.length > 3 ? ` and ${others.length - 3} more` : ""}): ` +
          `expected a version that is not published yet. Raise the version in package.json`,
      );
  }
  mkdirSync(host, { recursive: true });
  if (release && !existsSync(release)) {
    // All files or none.
    const making = mkdtempSync(join(host, ".release-"));
    cpSync(site, making, { recursive: true, filter: (from) => isReleased(relative(site, from)) });
    mkdirSync(join(host, "r"), { recursive: true });
    renameSync(making, release);
  }
  // Pages are copied after all the files that they fetch.
  const parts = readdirSync(site).sort((a, b) => Number(b === "assets") - Number(a === "assets"));
  for (const part of parts) {
    if (part === "r") throw new SetupError(`${site} has a folder r, which is reserved for releases`);
    const to = join(host, part);
    if (part !== "assets") rmSync(to, { recursive: true, force: true });
    cpSync(join(site, part), to, { recursive: true });
  }
}

function commandOptions() {
  try {
    const { values, positionals } = parseArgs({
      options: { release: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    if (positionals.length === 1) return { folder: resolve(positionals[0]), release: values.release };
    throw new Error(`expected one folder, got ${positionals.length}`);
  } catch (error) {
    throw new SetupError(`publish-site: ${error.message}`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await main(async () => {
    const { folder, release } = commandOptions();
    await buildAll();
    const { version } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    publish(join(project, "dist"), folder, release ? version : null);
    const at = relative(process.cwd(), folder) || ".";
    console.log(`Published in ${at}${release ? `, and for good in ${join(at, "r", version)}` : ""}.`);
  });
