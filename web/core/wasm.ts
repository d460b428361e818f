/** The core's wasm module as its glue makes it, and how a copy of it is started. */
import createCore, { type Graph, type MainModule, type RandomState } from "../../build/core/simd/core.mjs";

/** What the core exports: see cpp/wasm/bindings.cpp. */
export type WasmModule = MainModule;
export type WasmGraph = Graph;
export type WasmRandomState = RandomState;

/** Starts a compiled core. The glue is the same for both builds; the code is not. Throws what the engine says. */
export async function start(code: WebAssembly.Module): Promise<WasmModule> {
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
    createCore({ instantiateWasm }).then(resolve, reject);
  });
}
