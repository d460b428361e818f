// Writes the script that starts an unpacked program with the libraries that were unpacked with it.

import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Folders with libraries under `root`: the loader's own, then those of packages that keep some in folders of their own. */
function libraryFolders(root) {
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

/**
 * Writes the script `name` into `temporary`, a folder that will be moved to `final`. `libraries` are further folders of libraries, which are
 * searched first; `variables` are environment variables of the program.
 */
export function writeStarter({ temporary, final, name, program, libraries = [], variables = {} }) {
  const folders = [...libraries, ...libraryFolders(temporary)].map((folder) => join(final, folder));
  const set = {
    ...variables,
    ...(folders.length && { LD_LIBRARY_PATH: `${folders.join(":")}:$LD_LIBRARY_PATH` }),
  };
  const lines = [
    "#!/bin/sh",
    ...Object.entries(set).map(([variable, value]) => `export ${variable}="${value}"`),
    `exec "${program}" "$@"\n`,
  ];
  writeFileSync(join(temporary, name), lines.join("\n"));
  chmodSync(join(temporary, name), 0o755);
}
