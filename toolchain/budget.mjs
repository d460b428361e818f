// What a first visit fetches, gzipped: html, css, js and the wasm of one build. Fails above the budget.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { project } from "./env.mjs";
import { main, SetupError } from "./progress.mjs";

const most = { total: 300 * 1024, wasm: 150 * 1024 };

/** Files of assets/ that index.html names, or a file it names: what lies there of an earlier build is fetched by no one. */
function named(dist) {
  const assets = join(dist, "assets");
  const others = new Set(readdirSync(assets));
  const found = [];
  const texts = [readFileSync(join(dist, "index.html"), "utf8")];
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const name of [...others].filter((other) => text.includes(other))) {
      others.delete(name);
      found.push(name);
      if (/\.(js|css)$/.test(name)) texts.push(readFileSync(join(assets, name), "utf8"));
    }
  }
  return found;
}

/** Sizes by kind; of the two builds' wasm the larger counts, for a browser fetches one of them. */
export function firstLoad(dist = join(project, "dist")) {
  if (!existsSync(join(dist, "index.html")) || !existsSync(join(dist, "assets")))
    throw new SetupError("there is no page in dist/");
  const size = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
  const names = named(dist);
  const of = (...endings) =>
    names.filter((name) => endings.includes(extname(name))).map((name) => size(join(dist, "assets", name)));
  const sum = (sizes) => sizes.reduce((total, bytes) => total + bytes, 0);
  const sizes = {
    html: size(join(dist, "index.html")) + sum(of(".svg")),
    css: sum(of(".css")),
    js: sum(of(".js")),
    wasm: Math.max(0, ...of(".wasm")),
  };
  for (const [kind, bytes] of Object.entries(sizes))
    if (!bytes) throw new SetupError(`dist/index.html leads to no ${kind}: is the page built otherwise now?`);
  return { ...sizes, total: sum(Object.values(sizes)) };
}

export function budget() {
  const sizes = firstLoad();
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  const parts = Object.entries(sizes).map(([kind, bytes]) => `${kind} ${kilobytes(bytes)}`);
  console.log(
    `first load, gzipped: ${parts.join(", ")} (at most ${kilobytes(most.total)}, wasm ${kilobytes(most.wasm)})`,
  );
  for (const kind of ["total", "wasm"]) {
    if (sizes[kind] > most[kind]) {
      throw new SetupError(
        `${kind}: ${kilobytes(sizes[kind])} gzipped is above the budget of ${kilobytes(most[kind])}`,
      );
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(budget);
