// Emscripten is written in Python: finds one on PATH that is new and complete enough, or uses Debian's beside Emscripten.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { acceptedVersions, atLeast } from "./versions.mjs";
import { ask, onPath } from "./run.mjs";

// Some of the modules that Emscripten imports; a minimal Python lacks some of them.
const probe =
  "import sys, json, subprocess, argparse, hashlib, zipfile, importlib.util; print(sys.version.split()[0], sys.executable)";

export const pythonPackages =
  /^(python3\.\d+-minimal|libpython3\.\d+-(minimal|stdlib)|libexpat1|libbz2-1\.0)$/;

/** The machine's own Python, or null. */
export function systemPython() {
  const found = process.env.EMSDK_PYTHON || onPath("python3");
  const answer = found && ask(found, ["-E", "-c", probe]);
  if (!atLeast(answer, acceptedVersions.python)) return null;
  // The program itself: the wrapper of a version manager would cost time in hundreds of calls.
  return answer.trim().slice(answer.indexOf(" ") + 1);
}

/** The Python that was unpacked under `root`, or null. */
export function unpackedPython(root) {
  const folder = join(root, "usr/bin");
  if (!existsSync(folder)) return null;
  const name = readdirSync(folder).find((entry) => /^python3\.\d+$/.test(entry));
  return name ? join(folder, name) : null;
}
