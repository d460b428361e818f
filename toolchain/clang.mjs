// clang-format and clang-tidy of one version for everyone: another version formats differently and warns differently.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { findFinished, make, withLock } from "./cache.mjs";
import { suiteWith } from "./debian.mjs";
import { SetupError, step } from "./progress.mjs";
import { relocate } from "./relocate.mjs";
import { ask, onPath } from "./run.mjs";
import { acceptedVersions, parse, upstream } from "./versions.mjs";

const major = acceptedVersions.clangTools;
const names = ["clang-format", "clang-tidy"];

const needed = new RegExp(
  `^(clang-format-${major}|clang-tidy-${major}|libllvm\\d+|libclang-cpp\\d+|libclang1-\\d+|libclang-common-\\d+-dev` +
    "|libc6|libstdc\\+\\+6|libgcc-s1|libzstd1|zlib1g|libxml2(-\\d+)?|libz3-\\d+|libedit2|libbsd0|libmd0|libtinfo6" +
    "|libffi\\d+|liblzma5)$",
);

function onMachine() {
  const found = names.map((name) =>
    [`${name}-${major}`, name]
      .map((n) => onPath(n))
      .find((file) => file && parse(ask(file, ["--version"]))?.[0] === major),
  );
  return found.every(Boolean) ? { format: found[0], tidy: found[1] } : null;
}

/** The copy in the cache folder; one of another version may stand beside it. */
const own = () => findFinished(`clang-tools-${major}.`);

async function get() {
  return withLock(async () => {
    const there = own();
    if (there) return there;
    return step(`clang-format and clang-tidy ${major}`, async (update) => {
      const found = await suiteWith(
        `clang-format-${major}`,
        (version) => parse(upstream(version))[0] === major,
      );
      if (!found) {
        throw new SetupError(
          `clang-format and clang-tidy ${major} are needed: install them and put them on PATH`,
        );
      }
      const wanted = found.apt
        .closure(names.map((name) => `${name}-${major}`))
        .filter((name) => needed.test(name));
      return make(`clang-tools-${upstream(found.version)}`, async (temporary, final) => {
        await found.apt.unpack(wanted, temporary, update);
        await relocate(temporary, final, update);
        const bin = readdirSync(join(temporary, "usr/lib")).find((name) => name.startsWith("llvm-"));
        return { bin: `usr/lib/${bin}/bin` };
      });
    });
  });
}

/** Paths of the two programs. */
export async function clangTools() {
  const installed = onMachine();
  if (installed) return installed;
  const folder = own() ?? (await get());
  const bin = join(folder, `usr/lib/llvm-${major}/bin`);
  return { format: join(bin, "clang-format"), tidy: join(bin, "clang-tidy") };
}
