// Finds Chromium for the browser tests, or gets it: CHROMIUM, PATH, apt-get as root, else unpacked into the cache.

import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished, make, withLock } from "./cache.mjs";
import { installAsRoot, ownSuite } from "./debian.mjs";
import { SetupError, step } from "./progress.mjs";
import { ask, isRoot, onPath } from "./run.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const byHand =
  "install the package `chromium` (Debian) or Google Chrome, or set CHROMIUM to a browser's path";

function onMachine() {
  return names.map((name) => onPath(name)).find(Boolean) ?? null;
}

function runs(file) {
  // Asked with a deadline: a browser that cannot start may wait instead of failing.
  return ask(file, ["--version"], { timeout: 20_000 }) !== null;
}

/** Folders with libraries under `root`: the loader's own, then those of packages that keep some apart. */
export function libraryFolders(root) {
  const own = ["usr/lib", "lib"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((folder) => folder.endsWith("-linux-gnu"));
  const inside = own.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${folder}/${entry.name}`)
      .filter((path) => readdirSync(join(root, path)).some((name) => /^lib.*\.so\b/.test(name))),
  );
  return [...own, ...inside];
}

/** Chromium and those of its libraries that this machine lacks, with a script that starts it among them. */
async function unpacked(update) {
  const apt = await ownSuite();
  const version = apt?.version("chromium");
  if (!version) return null;
  return make(`chromium-${version.replace(/[^\w.+-]/g, "_")}`, async (temporary, final) => {
    await apt.unpack(apt.closure(["chromium"]), temporary, update);
    const program = join(final, "usr/lib/chromium/chromium");
    if (!existsSync(join(temporary, "usr/lib/chromium/chromium"))) {
      throw new SetupError("the package `chromium` has no usr/lib/chromium/chromium");
    }
    const libraries = libraryFolders(temporary)
      .map((folder) => join(final, folder))
      .join(":");
    writeFileSync(
      join(temporary, "chromium"),
      `#!/bin/sh\nLD_LIBRARY_PATH="${libraries}:$LD_LIBRARY_PATH" exec "${program}" "$@"\n`,
    );
    chmodSync(join(temporary, "chromium"), 0o755);
    return { version };
  });
}

async function get() {
  return withLock(async () => {
    const there = finished("chromium-");
    if (there) return join(there, "chromium");
    return step("Chromium for the browser tests", async (update) => {
      if (isRoot) {
        update("apt-get install chromium");
        if (await installAsRoot(["chromium"]).catch(() => false)) return onMachine();
      }
      const folder = await unpacked(update).catch((error) => {
        throw new SetupError(`Chromium could not be unpacked (${error.message}); ${byHand}`);
      });
      return folder && join(folder, "chromium");
    });
  });
}

/** The path of a Chromium that starts. */
export async function chromium() {
  const chosen = process.env.CHROMIUM;
  if (chosen) {
    if (!runs(chosen)) throw new SetupError(`CHROMIUM is ${chosen}, which does not run`);
    return chosen;
  }
  const found = onMachine() ?? (await get());
  if (!found) throw new SetupError(`the browser tests need Chromium: ${byHand}`);
  if (!runs(found)) throw new SetupError(`${found} does not run; ${byHand}`);
  return found;
}
