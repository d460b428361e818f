// The files that the service worker keeps: the two pages and everything they may fetch, with digests. The version is the digest of all files.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { SetupError } from "./progress.mjs";

/** The service worker is not part of the version: it contains the version's name. */
export const serviceWorker = "service-worker.js";

/** Pages to share are made from a build, and are not part of it. */
const isBuilt = (name) => name !== serviceWorker && !name.startsWith(`share${sep}`);

/** The pages come first: if a host changes its pages, their digests are wrong and nothing else is fetched in vain. */
const pages = ["index.html", "bench.html"];

function filesUnder(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => isBuilt(name) && statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join("/"))
    .sort();
}

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("base64");

/** The digest of all files of the build in `dist`, and the digests of those that are kept. */
export function siteOf(dist) {
  const missing = pages.filter((page) => !existsSync(join(dist, page)));
  if (missing.length) throw new SetupError(`there is no ${missing.join(", no ")} in dist/`);
  const all = filesUnder(dist);
  const digests = Object.fromEntries(all.map((file) => [file, sha256(readFileSync(join(dist, file)))]));
  const version = createHash("sha256");
  for (const file of all) version.update(`${file}\0${digests[file]}\n`);
  const kept = [...pages, ...all.filter((file) => file.startsWith("assets/"))];
  return {
    version: version.digest("hex"),
    files: Object.fromEntries(kept.map((file) => [file, digests[file]])),
  };
}

/** Replaces the service worker on a host that changes its pages: it deletes everything that an earlier one kept, and removes itself. */
export const selfRemovingServiceWorker = {
  [serviceWorker]: `addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => {
  const letGo = async () => {
    for (const name of await caches.keys()) if (name.startsWith("attention-playground")) await caches.delete(name);
    await registration.unregister();
  };
  event.waitUntil(letGo());
});
`,
};
