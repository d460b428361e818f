// Finds a Python with NumPy for the tests of exported programs, or installs one: PATH, apt-get as root, or unpacked into
// the cache.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findFinished, make, withLock } from "./cache.mjs";
import { installAsRoot, ownSuite } from "./debian.mjs";
import { SetupError, step } from "./progress.mjs";
import { unpackedPython } from "./python.mjs";
import { ask, isRoot, onPath } from "./run.mjs";
import { writeStarter } from "./starter.mjs";

const byHand = "install the package `python3-numpy` (Debian), or put a python3 that has NumPy on PATH";

const hasNumpy = (python) => ask(python, ["-c", "import numpy; numpy.zeros(1)"]) !== null;

/** The first python3 that has NumPy: one on PATH, or Debian's own, which a version manager may hide. */
function onMachine() {
  const candidates = [onPath("python3"), "/usr/bin/python3"].filter((file) => file && existsSync(file));
  return candidates.find(hasNumpy) ?? null;
}

/** Unpacks NumPy and the dependencies that this machine lacks, with a script that starts Python with them. */
async function unpacked(update) {
  const apt = await ownSuite();
  const version = apt?.version("python3-numpy");
  if (!version) return null;
  return make(`numpy-${version.replace(/[^\w.+-]/g, "_")}`, async (temporary, final) => {
    await apt.unpack(apt.closure(["python3-numpy"]), temporary, update);
    const own = unpackedPython(temporary);
    const python = own ? own.replace(temporary, final) : "/usr/bin/python3";
    const variables = {
      ...(own && { PYTHONHOME: join(final, "usr") }),
      PYTHONPATH: join(final, "usr/lib/python3/dist-packages"),
    };
    writeStarter({ temporary, final, name: "python3", program: python, variables });
    return { version };
  });
}

async function get() {
  return withLock(async () => {
    const there = findFinished("numpy-");
    if (there) return join(there, "python3");
    return step("NumPy for the tests of exported programs", async (update) => {
      if (isRoot) {
        update("apt-get install python3-numpy");
        if (await installAsRoot(["python3-numpy"]).catch(() => false)) return onMachine();
      }
      const folder = await unpacked(update).catch((error) => {
        throw new SetupError(`python3-numpy could not be unpacked (${error.message}); ${byHand}`);
      });
      return folder && join(folder, "python3");
    });
  });
}

/** The path of a Python that imports NumPy. */
export async function pythonWithNumpy() {
  const found = onMachine() ?? (await get());
  if (!found || !hasNumpy(found))
    throw new SetupError(`the tests of exported programs need python3-numpy: ${byHand}`);
  return found;
}
