// The licence notices of bundled code. Vite lists the packages of each of its builds; the libraries that are compiled
// into the wasm have their notices in toolchain/notices. The notices go into dist/licenses.txt, dist/core/licenses.txt, a comment of
// each of the two frames and a comment of the element's two scripts, which minifiers keep.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { project } from "./env.mjs";
import { SetupError } from "./progress.mjs";

/** The name of Vite's list, in the output folder of a build. */
export const listOf = (name) => `${name}.licenses.json`;

/** The place of the list of each build. */
const folders = {
  worker: "build/page",
  "transformer-worker": "build/page",
  "labs-worker": "build/page",
  "bench-worker": "build/page",
  frame: "build/page",
  "frame-training": "build/page",
  page: "dist",
  bench: "dist",
  element: "dist",
  embed: "dist",
  "embed-training": "dist",
  "service-worker": "dist",
  core: "dist/core",
};

/** The builds that may bundle a package. */
const bundling = Object.keys(folders).filter((name) => name !== "service-worker");

const noticeOf = (name) => readFileSync(join(project, "toolchain/notices", `${name}.txt`), "utf8").trim();

/** The libraries that are compiled into the wasm, and Emscripten's script beside it. */
const compiled = () =>
  [
    { name: "xtensor", identifier: "BSD-3-Clause" },
    { name: "xtl", identifier: "BSD-3-Clause" },
    { name: "Emscripten", identifier: "MIT", file: "emscripten" },
    { name: "musl, the C library", identifier: "MIT", file: "musl" },
    {
      name: "libc++, libc++abi and compiler-rt, of LLVM",
      identifier: "Apache-2.0 WITH LLVM-exception",
      file: "llvm",
    },
  ].map(({ name, identifier, file = name }) => ({ name, identifier, text: noticeOf(file) }));

/** Vite's own code in its builds: the code that fetches chunks. */
const vite = () => {
  const text = readFileSync(join(project, "node_modules/vite/LICENSE.md"), "utf8");
  const own = text
    .split(/^# Licenses of bundled dependencies$/m)[0]
    .replace(/^#.*\n/gm, "")
    .trim();
  return { name: "vite", identifier: "MIT", text: own };
};

/** All notices as one text; a licence that several packages share appears once. Throws for a package without a notice. */
export function noticesOf(packages, title) {
  const byText = new Map();
  for (const { name, version, identifier, text } of packages) {
    if (!text?.trim()) throw new SetupError(`${name} is bundled but has no licence text`);
    const body = text.replaceAll("\r\n", "\n").trim();
    const label = [name, version, identifier && `(${identifier})`].filter(Boolean).join(" ");
    byText.set(body, (byText.get(body) ?? new Set()).add(label));
  }
  const sections = [...byText].map(([text, labels]) => `${[...labels].sort().join("\n")}\n\n${text}`);
  return [title, ...sections].join(`\n\n${"-".repeat(78)}\n\n`);
}

/** Replaces the notices in a file, or the placeholder for them, by a text: a comment, which nothing in the text may end. */
export function withNotices(file, source, place, [begin, end], notices) {
  if (!place.test(source)) throw new SetupError(`${file} has no place for the notices`);
  return source.replace(place, () => `${begin}${notices.replaceAll(end, [...end].join(" "))}\n${end}`);
}

/** Vite's list of a build. A new list is moved out of the published folder. */
function packagesOf(name) {
  const kept = join(project, "build/licenses", listOf(name));
  const made = join(project, folders[name], listOf(name));
  if (existsSync(made)) {
    mkdirSync(dirname(kept), { recursive: true });
    renameSync(made, kept);
  }
  if (!existsSync(kept)) throw new SetupError(`there is no list of what ${name} bundles: ${kept}`);
  return JSON.parse(readFileSync(kept, "utf8"));
}

function change(file, edit) {
  const path = join(project, "dist", file);
  const source = readFileSync(path, "utf8");
  const text = edit(source);
  if (text !== source) writeFileSync(path, text);
}

/** Checks a build that is made after the notices are written. Throws where it bundles a package, which would need a notice. */
export function checkBundlesNothing(name) {
  const found = packagesOf(name).map((one) => one.name);
  if (found.length)
    throw new SetupError(`${name} bundles ${found.join(", ")}, and is built after the notices are written`);
}

/** Puts the notices into all published files. Repeating it changes nothing. */
export function writeNotices() {
  const of = (...names) => names.flatMap(packagesOf);
  const own = readFileSync(join(project, "LICENSE"), "utf8").trim();
  const title = `Attention Playground\n\n${own}\n\nIt holds code of others, under these licences:`;
  const text = (...names) => noticesOf([...of(...names), ...compiled()], title);
  writeFileSync(
    join(project, "dist/licenses.txt"),
    `${noticesOf([...of(...bundling), ...compiled(), vite()], title)}\n`,
  );
  writeFileSync(join(project, "dist/core/licenses.txt"), `${text("core")}\n`);
  const html = ["<!-- notices\n", "-->"];
  const frames = {
    "embed.html": ["embed", "frame", "labs-worker"],
    "embed-training.html": ["embed-training", "frame-training", "transformer-worker"],
  };
  for (const [file, names] of Object.entries(frames))
    change(file, (source) => withNotices(file, source, /<!-- notices\n[^]*?-->/, html, text(...names)));
  const script = ["/*! notices\n", "*/"];
  for (const file of ["attention-playground.js", "attention-playground.classic.js"])
    change(file, (source) =>
      withNotices(file, source, /\/\*! notices\n[^]*?\*\//, script, text("element", "labs-worker")),
    );
}
