// The C++ headers that the core uses: xtensor, xtl, and nlohmann's JSON for the tests. They are collected
// in one folder of links that contains nothing else: on an include path with the rest of usr/include, libc's headers
// would break the wasm build.

import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, findFinished, make, withLock } from "./cache.mjs";
import { suiteWith } from "./debian.mjs";
import { say, step } from "./progress.mjs";
import { acceptedVersions, atLeast, upstream } from "./versions.mjs";

const libraries = [
  {
    name: "xtensor",
    package: "libxtensor-dev",
    file: "xtensor/core/xtensor_config.hpp",
    macro: "XTENSOR_VERSION_",
  },
  { name: "xtl", package: "xtl-dev", file: "xtl/xtl_config.hpp", macro: "XTL_VERSION_" },
  {
    name: "nlohmann",
    package: "nlohmann-json3-dev",
    file: "nlohmann/detail/abi_macros.hpp",
    macro: "NLOHMANN_JSON_VERSION_",
  },
];

function headerVersion(include, { file, macro }) {
  const path = join(include, file);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  const part = (name) => text.match(new RegExp(`#\\s*define\\s+${macro}${name}\\s+(\\d+)`))?.[1];
  return ["MAJOR", "MINOR", "PATCH"].map((name) => part(name) ?? "0").join(".");
}

const newEnough = (include) =>
  libraries.every((library) => atLeast(headerVersion(include, library), acceptedVersions[library.name]));

function link(include, folder) {
  mkdirSync(folder, { recursive: true });
  for (const { name } of libraries) symlinkSync(join(include, name), join(folder, name));
}

async function gather() {
  return withLock(async () => {
    const there = usable();
    if (there) return there;
    const installed = ["/usr/local/include", "/usr/include"].find(newEnough);
    if (installed) {
      rmSync(join(cacheFolder(), "headers-installed"), { recursive: true, force: true });
      return make("headers-installed", async (temporary) => {
        link(installed, join(temporary, "include"));
        return { from: installed };
      });
    }
    return step("C++ headers: xtensor, xtl, nlohmann", async (update) => {
      const found = await suiteWith("libxtensor-dev", (version) =>
        atLeast(upstream(version), acceptedVersions.xtensor),
      );
      if (!found) return null;
      const name = `headers-xtensor-${upstream(found.version)}`;
      rmSync(join(cacheFolder(), name), { recursive: true, force: true }); // the existing one was found too old
      return make(name, async (temporary, final) => {
        await found.apt.unpack(
          libraries.map((library) => library.package),
          join(temporary, "unpacked"),
          update,
        );
        const include = join(temporary, "unpacked/usr/include");
        for (const library of libraries) {
          const version = headerVersion(include, library);
          if (!atLeast(version, acceptedVersions[library.name])) {
            throw new Error(
              `${library.package} is ${version}; at least ${acceptedVersions[library.name]} is needed`,
            );
          }
        }
        link(join(final, "unpacked/usr/include"), join(temporary, "include"));
        return { from: "debian" };
      });
    });
  });
}

/** The headers that an earlier run collected, unless they are gone or too old: links to installed headers change with the packages. */
const usable = () => findFinished("headers-", (_, folder) => newEnough(join(folder, "include")));

/** The version of each library in the folder, by name. */
export const versionsIn = (include) =>
  Object.fromEntries(libraries.map((library) => [library.name, headerVersion(include, library)]));

/** The folder to pass by `-isystem`, or null: then CMake downloads pinned archives itself. */
export async function headers() {
  const folder = usable() ?? (await gather());
  if (!folder) say("  no suite has the C++ headers: CMake will download them from GitHub");
  return folder && join(folder, "include");
}
