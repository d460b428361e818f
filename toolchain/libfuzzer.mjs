// A clang with libFuzzer that is new enough for xtensor: the machine's own where it has the runtime, otherwise unpacked from the
// machine's own suite, so that it fits the machine's libraries and headers.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { findFinished, make, withLock } from "./cache.mjs";
import { ownSuite } from "./debian.mjs";
import { SetupError, step } from "./progress.mjs";
import { ask, onPath } from "./run.mjs";
import { writeStarter } from "./starter.mjs";
import { acceptedVersions } from "./versions.mjs";

const { oldest, newest } = acceptedVersions.libFuzzer;
const majors = Array.from({ length: newest - oldest + 1 }, (_, at) => String(newest - at));

/** Whether a clang++ finds its own libFuzzer: for a file that it cannot find it prints only the name. */
function hasRuntime(file) {
  const machine = { x64: "x86_64", arm64: "aarch64" }[process.arch];
  return [`libclang_rt.fuzzer-${machine}.a`, "libclang_rt.fuzzer.a"].some((name) => {
    const found = ask(file, [`-print-file-name=lib/linux/${name}`])?.trim();
    const runtime = ask(file, ["-print-runtime-dir"])?.trim();
    return (found && existsSync(found)) || (runtime && existsSync(join(runtime, name)));
  });
}

function onMachine() {
  const isAccepted = (file) => majors.includes(/version (\d+)\./.exec(ask(file, ["--version"]) ?? "")?.[1]);
  return ["clang++", ...majors.map((major) => `clang++-${major}`)]
    .map((name) => onPath(name))
    .find((file) => file && isAccepted(file) && hasRuntime(file));
}

/** Unpacks clang, its runtimes and the libraries that this machine lacks, with a script that starts it with them. */
async function unpacked(update) {
  const apt = await ownSuite();
  const major = majors.find((number) => apt?.version(`libclang-rt-${number}-dev`));
  if (!major) return null;
  const version = apt.version(`clang-${major}`);
  return make(`libfuzzer-${version.replace(/[^\w.+-]/g, "_")}`, async (temporary, final) => {
    await apt.unpack(apt.closure([`clang-${major}`, `libclang-rt-${major}-dev`]), temporary, update);
    const llvm = `usr/lib/llvm-${major}`;
    const program = join(final, llvm, "bin/clang++");
    writeStarter({ temporary, final, name: "clang++", program, libraries: [`${llvm}/lib`] });
    return { version };
  });
}

/** The path of a clang++ that builds targets of libFuzzer. */
export async function fuzzingClang() {
  const there = onMachine();
  if (there) return there;
  const folder =
    findFinished("libfuzzer-") ??
    (await withLock(
      async () => findFinished("libfuzzer-") ?? (await step("clang with libFuzzer", unpacked)),
    ));
  const file = folder && join(folder, "clang++");
  if (!file || !hasRuntime(file))
    throw new SetupError(
      `clang ${oldest} to ${newest} with libFuzzer is needed: install the packages clang-${oldest} and libclang-rt-${oldest}-dev`,
    );
  return file;
}
