// Finds Emscripten, or installs it. In this order: an `emcc` on PATH or in EMSDK; the copy in the cache folder; a copy
// from the Debian mirror this machine uses; emsdk by git.

import { accessSync, constants, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder, facts, findFinished, make, withLock } from "./cache.mjs";
import { suiteWith } from "./debian.mjs";
import { clonePinned } from "./pinned.mjs";
import { SetupError, say, step } from "./progress.mjs";
import { pythonPackages, systemPython, unpackedPython } from "./python.mjs";
import { relocate } from "./relocate.mjs";
import { ask, onPath, run } from "./run.mjs";
import { acceptedVersions, atLeast, pinnedRepositories, upstream } from "./versions.mjs";

const versionLine = /emcc[^\n]*\) (\d+\.\d+\.\d+)/;

function emccVersion(emcc, env = {}) {
  return ask(emcc, ["--version"], { env: { ...process.env, ...env } })?.match(versionLine)?.[1] ?? null;
}

/** The dependencies of Emscripten that are used: the compiler, the linker, Binaryen, and their libraries. */
const needed = new RegExp(
  "^(emscripten|clang-\\d+|lld-\\d+|llvm-\\d+|llvm-\\d+-linker-tools|libllvm\\d+|libclang-cpp\\d+|libclang1-\\d+" +
    "|libclang-common-\\d+-dev|binaryen|libc6|libstdc\\+\\+6|libgcc-s1|libzstd1|zlib1g|libxml2(-\\d+)?|libz3-\\d+" +
    "|libedit2|libbsd0|libmd0|libtinfo6|libffi\\d+|liblzma5|node-acorn)$",
);

function ready(folder) {
  const { version, emcc, node = process.execPath } = facts(folder);
  const python = systemPython() ?? unpackedPython(folder);
  return {
    version,
    root: dirname(join(folder, emcc)),
    env: {
      EM_CONFIG: join(folder, "em_config.py"),
      EM_NODE_JS: node,
      ...(python ? { EMSDK_PYTHON: python } : {}),
    },
  };
}

function installed() {
  const candidates = [
    process.env.EMSDK && join(process.env.EMSDK, "upstream/emscripten/emcc"),
    onPath("emcc"),
  ];
  for (const emcc of candidates.filter((file) => file && existsSync(file))) {
    const version = emccVersion(emcc);
    if (!atLeast(version, acceptedVersions.emscripten)) {
      say(
        `  ${emcc} is ${version ?? "not usable"}; at least ${acceptedVersions.emscripten} is needed: looking further`,
      );
      continue;
    }
    // emcc may be a script that starts the real one somewhere else; em-config knows where that is.
    const config = join(dirname(emcc), "em-config");
    const root = ask(config, ["EMSCRIPTEN_ROOT"])?.trim();
    if (!root || !existsSync(join(root, "cmake/Modules/Platform/Emscripten.cmake"))) {
      say(`  ${emcc} comes without em-config or without its CMake platform: looking further`);
      continue;
    }
    const cache = ask(config, ["CACHE"])?.trim();
    return { version, root, env: writable(cache) ? {} : { EM_CACHE: ownCache(version) } };
  }
  return null;
}

function writable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** System libraries are built into a cache; an Emscripten that is installed for all users has one that only root may write. */
function ownCache(version) {
  const folder = join(cacheFolder(), `system-libraries-${version}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function fromDebian(update) {
  const found = await suiteWith("emscripten", (version) =>
    atLeast(upstream(version), acceptedVersions.emscripten),
  );
  if (!found) return null;
  const { apt, version } = found;
  const wanted = apt
    .closure(["emscripten"])
    .filter((name) => needed.test(name) || (!systemPython() && pythonPackages.test(name)));
  return make(`emscripten-${upstream(version)}`, async (temporary, final) => {
    await apt.unpack(wanted, temporary, update);
    await relocate(temporary, final, update);
    const share = join(temporary, "usr/share");
    // A copy, not a link: node resolves a module's imports from the place that a link points to.
    cpSync(join(share, "nodejs"), join(share, "emscripten/node_modules"), { recursive: true });
    const llvm = readdirSync(join(temporary, "usr/lib")).find((name) => /^llvm-\d+$/.test(name));
    if (!llvm) throw new SetupError("the unpacked packages have no LLVM");
    writeFileSync(
      join(temporary, "em_config.py"),
      [
        `LLVM_ROOT = ${JSON.stringify(join(final, "usr/lib", llvm, "bin"))}`,
        `BINARYEN_ROOT = ${JSON.stringify(join(final, "usr"))}`,
        `NODE_JS = ${JSON.stringify(process.execPath)}`,
        `CACHE = ${JSON.stringify(join(final, "system-libraries"))}`,
        "",
      ].join("\n"),
    );
    return { version: upstream(version), emcc: "usr/share/emscripten/emcc" };
  });
}

async function fromEmsdk(update) {
  if (!onPath("git") || !systemPython()) return null;
  try {
    return await make(`emscripten-${pinnedRepositories.emsdk.tag}`, async (temporary, final) => {
      // The repository is public and small; `emsdk install` then fetches the compiler itself.
      update("cloning emsdk");
      await clonePinned(pinnedRepositories.emsdk, temporary, { onLine: update });
      await run(join(temporary, "emsdk"), ["install", pinnedRepositories.emsdk.tag], { onLine: update });
      const upstreamFolder = join(final, "upstream");
      writeFileSync(
        join(temporary, "em_config.py"),
        [
          `LLVM_ROOT = ${JSON.stringify(join(upstreamFolder, "bin"))}`,
          `BINARYEN_ROOT = ${JSON.stringify(upstreamFolder)}`,
          `NODE_JS = ${JSON.stringify(process.execPath)}`,
          "",
        ].join("\n"),
      );
      return { version: pinnedRepositories.emsdk.tag, emcc: "upstream/emscripten/emcc" };
    });
  } catch (error) {
    say(`  emsdk by git did not work: ${error.message.split("\n").slice(0, 3).join(" ")}`);
    return null;
  }
}

const threeWays = `no Emscripten of version ${acceptedVersions.emscripten} or newer. Three ways to get one:
  1. install it and put \`emcc\` on PATH, or set EMSDK to an activated emsdk;
  2. on Debian or a relative: let apt-get reach a mirror that carries one of the suites forky or sid;
  3. let git reach the emsdk repository (github.com/emscripten-core/emsdk).`;

/** The copy in the cache folder, unless this release needs a newer one. */
const own = () => findFinished("emscripten-", ({ version }) => atLeast(version, acceptedVersions.emscripten));

async function get() {
  return withLock(async () => {
    const there = own();
    if (there) return there;
    return step("Emscripten: getting a copy into the cache folder (once per machine)", async (update) => {
      const folder = (await fromDebian(update)) ?? (await fromEmsdk(update));
      if (!folder) throw new SetupError(threeWays);
      const { root, env } = ready(folder);
      const version = emccVersion(join(root, "emcc"), env);
      if (!version)
        throw new SetupError(`the copy in ${folder} does not run; remove that folder and try again`);
      return folder;
    });
  });
}

/** The place of Emscripten: `{ version, root, env }`; every program that calls it needs the variables `env`. */
export async function emscripten() {
  const found = installed() ?? ready(own() ?? (await get()));
  return { ...found, env: { ...found.env, EMSCRIPTEN_ROOT: found.root } };
}
