// Makes programs unpacked from Debian packages run from their folder: they use the loader and the libraries unpacked
// with them, because the machine's own may be older.

import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { make } from "./cache.mjs";
import { installAsRoot, ownSuite } from "./debian.mjs";
import { SetupError } from "./progress.mjs";
import { isRoot, onPath, run } from "./run.mjs";

export async function patchelf() {
  const found = onPath("patchelf");
  if (found) return found;
  if (isRoot && (await installAsRoot(["patchelf"]).catch(() => false))) return onPath("patchelf");
  const apt = await ownSuite();
  const version = apt?.version("patchelf");
  if (!version) throw new SetupError("patchelf is needed: install the package `patchelf`");
  const folder = await make(`patchelf-${version.replace(/[^\w.+-]/g, "_")}`, async (temporary) => {
    await apt.unpack(["patchelf"], temporary);
    return { version };
  });
  return join(folder, "usr/bin/patchelf");
}

/** "program", "library" or null, read from the ELF header: only a program names an interpreter. */
function elfKind(file) {
  const handle = openSync(file, "r");
  try {
    const head = Buffer.alloc(64);
    if (readSync(handle, head, 0, 64, 0) < 64 || head.readUInt32BE(0) !== 0x7f454c46 || head[4] !== 2)
      return null;
    if (![2, 3].includes(head.readUInt16LE(16))) return null; // neither executable nor shared: an object file
    const offset = Number(head.readBigUInt64LE(32));
    const [size, count] = [head.readUInt16LE(54), head.readUInt16LE(56)];
    const table = Buffer.alloc(size * count);
    readSync(handle, table, 0, table.length, offset);
    for (let entry = 0; entry < count; entry++) {
      if (table.readUInt32LE(entry * size) === 3) return "program";
    }
    return "library";
  } finally {
    closeSync(handle);
  }
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(folder, entry.name));
}

/** The folder of the architecture's libraries, relative to the root: `usr/lib/x86_64-linux-gnu`. */
function libraryFolder(root) {
  const name = readdirSync(join(root, "usr/lib")).find((entry) => entry.endsWith("-linux-gnu"));
  if (!name)
    throw new SetupError("the unpacked packages have no library folder: is this a Linux with glibc?");
  return `usr/lib/${name}`;
}

/** Patches everything under `root`, which will be moved to `final`. */
export async function relocate(root, final, update = () => {}) {
  const tool = await patchelf();
  const libraries = libraryFolder(root);
  const loader = readdirSync(join(root, libraries)).find((name) => /^ld-linux.*\.so\.\d+$/.test(name));
  if (!loader) throw new SetupError("the unpacked packages have no dynamic loader");
  const llvm = readdirSync(join(root, "usr/lib")).filter((name) => name.startsWith("llvm-"));
  const folders = [
    libraries,
    "usr/bin",
    ...llvm.flatMap((name) => [`usr/lib/${name}/bin`, `usr/lib/${name}/lib`]),
  ];
  const found = folders.flatMap((folder) => filesIn(join(root, folder)));
  const work = found.map((file) => ({ file, kind: elfKind(file) })).filter(({ kind }) => kind !== null);
  let done = 0;
  for (const { file, kind } of work) {
    update(`${++done} of ${work.length} programs and libraries made to run from here`);
    if (kind === "program") {
      const path = [libraries, ...llvm.map((name) => `usr/lib/${name}/lib`)]
        .map((f) => join(final, f))
        .join(":");
      const interpreter = join(final, libraries, loader);
      // libc itself can be started as a program; it and the loader stay as they are.
      if (/\/(libc\.so\.6|ld-linux[^/]*)$/.test(file)) continue;
      await run(tool, ["--set-interpreter", interpreter, "--force-rpath", "--set-rpath", path, file]);
    } else if (!/\/ld-linux[^/]*$/.test(file)) {
      await run(tool, ["--force-rpath", "--set-rpath", `$ORIGIN:$ORIGIN/../../${libraries.slice(8)}`, file]);
    }
  }
}
