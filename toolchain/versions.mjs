// The versions of the tools that the project accepts.

export function parse(text) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? "");
  return match ? match.slice(1).map((part) => Number(part ?? 0)) : null;
}

export function atLeast(text, wanted) {
  const [have, want] = [parse(text), parse(wanted)];
  if (!have || !want) return false;
  for (const [index, part] of want.entries()) {
    if (have[index] !== part) return have[index] > part;
  }
  return true;
}

/** The upstream version inside a Debian one: `1:21.1.8-13` gives `21.1.8`. */
export const upstream = (version) => version.replace(/^\d+:/, "").match(/^\d+(\.\d+)*/)?.[0] ?? version;

/** Options of Node for programs that load the relaxed build; Node 21 and newer do not need them. */
export const nodeFlags =
  Number(process.versions.node.split(".")[0]) < 21 ? ["--experimental-wasm-relaxed-simd"] : [];

/** The repositories that are cloned where the machine has none of its own. */
export const pinnedRepositories = {
  emsdk: {
    repository: "https://github.com/emscripten-core/emsdk.git",
    tag: "6.0.5",
    commit: "dfb9d1a46c3bb8f52e1e6324be23123b9d73c190",
  },
  catch2: {
    repository: "https://github.com/catchorg/Catch2.git",
    tag: "v3.7.1",
    commit: "fa43b77429ba76c462b1898d6cd2f2d7a9416b14",
  },
};

export const acceptedVersions = {
  emscripten: "4.0",
  xtensor: "0.27",
  xtl: "0.8",
  nlohmann: "3.11",
  catch2: "3.4",
  python: "3.10",
  clangTools: 22,
  libFuzzer: { oldest: 19, newest: 21 },
};
