/** The core's wasm modules as their glue makes them, and how a copy of one is started. */
import type { Graph, MainModule, RandomState } from "../../build/core/simd/attention.mjs";

/** What every part of the core exports: see cpp/wasm/bindings.cpp. */
export type WasmModule = MainModule;
export type WasmGraph = Graph;
export type WasmRandomState = RandomState;

/** What a part's glue exports. */
export type CreateModule<Module> = (options: { instantiateWasm: unknown }) => Promise<Module>;

/** Starts a compiled part. Its glue is the same for both builds; the code is not. Throws what the engine says. */
export async function start<Module>(create: CreateModule<Module>, code: WebAssembly.Module): Promise<Module> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object => {
      // The glue waits for `done` and never hears of a failure.
      WebAssembly.instantiate(code, imports)
        .then((instance) => done(instance, code))
        .catch(reject);
      return {};
    };
    create({ instantiateWasm }).then(resolve, reject);
  });
}
