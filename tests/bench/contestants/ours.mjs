// Our core as users load it: dist/core, by its address. `build` is one of its two builds; `part` is the whole core or the attention part.
import { makersOf } from "../../../web/bench/ours/index.ts";

export async function start({ site, build, part = "index" }) {
  // The wasm is fetched at the same time as the script, as the library's README recommends.
  const wasm = fetch(`${site}core/${part === "index" ? "transformer" : part}-${build}.wasm`);
  const { load } = await import(/* @vite-ignore */ `${site}core/${part}.js`);
  const core = await load({ build, wasm });
  const makers = makersOf(core);
  // The attention part has only some of the tasks.
  return part === "index" ? makers : { multiHead: makers.multiHead };
}
