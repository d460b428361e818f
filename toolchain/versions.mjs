// Which versions of the tools the project accepts.

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

/** Options of Node for programs that load the relaxed build: what Node 21 and newer have of themselves. */
export const nodeFlags =
  Number(process.versions.node.split(".")[0]) < 21 ? ["--experimental-wasm-relaxed-simd"] : [];

export const accepted = {
  emscripten: "4.0",
  emsdk: "6.0.5",
  xtensor: "0.27",
  xtl: "0.8",
  nlohmann: "3.11",
  catch2: "3.4",
  catch2Source: "3.7.1",
  python: "3.10",
  clangTools: 22,
  libFuzzer: { oldest: 19, newest: 21 },
};
