// Catch2 as two source files, built once natively and once as wasm with the tests that use it.

import { join } from "node:path";
import { findFinished, make, withLock } from "./cache.mjs";
import { suiteWith } from "./debian.mjs";
import { clonePinned } from "./pinned.mjs";
import { SetupError, say, step } from "./progress.mjs";
import { onPath, run } from "./run.mjs";
import { acceptedVersions, atLeast, pinnedRepositories, upstream } from "./versions.mjs";

const wanted = ["catch_amalgamated.hpp", "catch_amalgamated.cpp"];

async function unpackAmalgamated(archive, folder) {
  const listed = (await run("tar", ["-tf", archive])).split("\n");
  const members = wanted.map((name) => listed.find((path) => path.endsWith(`/extras/${name}`)));
  if (members.some((member) => !member))
    throw new SetupError(`${archive} has no extras/${wanted.join(", ")}`);
  await run("tar", ["-xf", archive, "-C", folder, "--strip-components=2", ...members]);
}

async function fromDebian() {
  const found = await suiteWith("catch2", (version) => atLeast(upstream(version), acceptedVersions.catch2));
  if (!found) return null;
  return make(`catch2-${upstream(found.version)}`, async (temporary) => {
    const files = await found.apt.source("catch2", temporary);
    const archive = files.find((name) => /\.orig\.tar\.\w+$/.test(name));
    if (!archive) throw new SetupError("the source package of catch2 has no original archive");
    await unpackAmalgamated(join(temporary, archive), temporary);
    return { version: upstream(found.version) };
  });
}

async function fromGit() {
  if (!onPath("git")) return null;
  const version = pinnedRepositories.catch2.tag.slice(1);
  return make(`catch2-${version}`, async (temporary) => {
    const clone = join(temporary, "repository");
    await clonePinned(pinnedRepositories.catch2, clone);
    for (const name of wanted) await run("cp", [join(clone, "extras", name), temporary]);
    return { version };
  });
}

const usable = () => findFinished("catch2-", ({ version }) => atLeast(version, acceptedVersions.catch2));

/** The folder of catch_amalgamated.hpp and .cpp. */
export async function catch2() {
  return (
    usable() ??
    (await withLock(async () => {
      const there = usable();
      if (there) return there;
      return step("Catch2: getting its source", async () => {
        const folder =
          (await fromDebian()) ??
          (await fromGit().catch((error) => say(`  Catch2 by git did not work: ${error.message}`)));
        if (folder) return folder;
        throw new SetupError(
          "Catch2 3 is needed: let apt-get reach a mirror with the suite forky, or git its repository",
        );
      });
    }))
  );
}
