// Our core as a user has it: dist/core, loaded by its address. `build` is one of its two, `part` the whole or what the page opens with.
import { makersOf } from "../../../web/bench/ours/index.ts";

export async function start({ site, build, part = "index" }) {
  // The wasm comes while the script does, as the library's README says.
  const wasm = fetch(`${site}core/${part === "index" ? "transformer" : part}-${build}.wasm`);
  const { load } = await import(/* @vite-ignore */ `${site}core/${part}.js`);
  const core = await load({ build, wasm });
  const makers = makersOf(core);
  // What the smaller part does not have.
  return part === "index" ? makers : { multiHead: makers.multiHead };
}
