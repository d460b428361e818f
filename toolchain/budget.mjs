// The files that a first visit fetches, gzipped: html, css, js and the wasm of one build; and the files that are fetched on demand, or
// later for offline use. Fails above the budget.

import { existsSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { project } from "./env.mjs";
import { siteOf } from "./offline.mjs";
import { main, SetupError } from "./progress.mjs";

const most = { total: 340 * 1024, wasm: 150 * 1024 };

/** The single files that blog posts embed. */
const embeds = [
  { file: "embed.html", most: 475 * 1024 },
  { file: "embed-training.html", most: 600 * 1024 },
];

const entry = "index.html";

/** The files of a chunk and of all its static imports, from the manifest that Vite writes, without those in `but`. */
function filesOf(manifest, key, but = new Set()) {
  const files = new Set();
  const seen = new Set();
  const visit = (name) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])])
      if (!but.has(file)) files.add(file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit(key);
  return files;
}

/** Sizes by kind. Of the wasm of the two builds the larger counts, because a browser fetches one of them. */
function sizesOf(dist, files) {
  const of = (...endings) =>
    [...files]
      .filter((file) => endings.includes(extname(file)))
      .map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
  const sum = (sizes) => sizes.reduce((total, bytes) => total + bytes, 0);
  const sizes = {
    html: sum(of(".html", ".svg")),
    css: sum(of(".css")),
    js: sum(of(".js")),
    wasm: Math.max(0, ...of(".wasm")),
  };
  return { ...sizes, total: sum(Object.values(sizes)) };
}

function manifestOf(dist) {
  const file = join(dist, "chunks.json");
  if (!existsSync(join(dist, entry)) || !existsSync(file))
    throw new SetupError("there is no page in dist/, or no list of its chunks");
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The strings of each language. A visit fetches one of them: the larger counts. */
const languages = ["i18n/en/whole.ts", "i18n/zh-CN/whole.ts"];

/** The files that opening the page fetches. */
export function firstLoad(dist = join(project, "dist")) {
  const manifest = manifestOf(dist);
  const first = filesOf(manifest, entry);
  const visits = languages.map((strings) =>
    sizesOf(dist, [entry, ...first, ...filesOf(manifest, strings, first)]),
  );
  const sizes = visits.reduce((most, visit) => (visit.total > most.total ? visit : most));
  for (const [kind, bytes] of Object.entries(sizes))
    if (!bytes) throw new SetupError(`dist/index.html loads no ${kind}: has the page's build changed?`);
  return sizes;
}

/** The additional size of each chunk that is imported on demand, by the name of its source. */
export function onDemand(dist = join(project, "dist")) {
  const manifest = manifestOf(dist);
  const first = filesOf(manifest, entry);
  return Object.fromEntries(
    Object.keys(manifest)
      .filter((key) => manifest[key].isDynamicEntry)
      .map((key) => [key, sizesOf(dist, filesOf(manifest, key, first))]),
  );
}

/** The files that the service worker fetches for offline use once the page shows numbers: their size in the cache, and gzipped. */
export function offline(dist = join(project, "dist")) {
  const files = Object.keys(siteOf(dist).files).map((file) => readFileSync(join(dist, file)));
  const sum = (sizes) => sizes.reduce((total, bytes) => total + bytes, 0);
  return {
    files: files.length,
    bytes: sum(files.map((bytes) => bytes.length)),
    gzipped: sum(files.map((bytes) => gzipSync(bytes, { level: 9 }).length)),
  };
}

const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;

const listed = (sizes) =>
  Object.entries(sizes)
    .filter(([, bytes]) => bytes > 0)
    .map(([kind, bytes]) => `${kind} ${kilobytes(bytes)}`)
    .join(", ");

export function budget() {
  const sizes = firstLoad();
  console.log(
    `first load, gzipped: ${listed(sizes)} (at most ${kilobytes(most.total)}, wasm ${kilobytes(most.wasm)})`,
  );
  for (const [name, more] of Object.entries(onDemand())) console.log(`  on demand, ${name}: ${listed(more)}`);
  const { files, bytes, gzipped } = offline();
  console.log(
    `  kept for offline after it: ${files} files, ${kilobytes(bytes)}, gzipped ${kilobytes(gzipped)}`,
  );
  for (const { file, most } of embeds) {
    const bytes = gzipSync(readFileSync(join(project, "dist", file)), { level: 9 }).length;
    console.log(`${file}, gzipped: ${kilobytes(bytes)} (at most ${kilobytes(most)})`);
    if (bytes > most)
      throw new SetupError(`${file}: ${kilobytes(bytes)} gzipped is above ${kilobytes(most)}`);
  }
  for (const kind of ["total", "wasm"]) {
    if (sizes[kind] > most[kind]) {
      throw new SetupError(
        `${kind}: ${kilobytes(sizes[kind])} gzipped is above the budget of ${kilobytes(most[kind])}`,
      );
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(budget);
