/** The types of the core's wasm modules, and how a module is started. */
import type { Graph, MainModule, RandomState } from "../../build/core/simd/attention.mjs";

/** The exports of every part of the core: see cpp/wasm/bindings.cpp. */
export type WasmModule = MainModule;
export type WasmGraph = Graph;
export type WasmRandomState = RandomState;

/** The exports of the glue of a part. */
export type CreateModule<Module> = (options: { instantiateWasm: unknown }) => Promise<Module>;

type Call = (...given: unknown[]) => unknown;

/**
 * Makes every function and method of a started part restore the stack pointer of wasm when it throws. The Error of a refusal leaves wasm
 * without unwinding all of its frames; without this, thousands of refusals would use up the stack.
 */
function keepStack(module: object): void {
  const { stackSave, stackRestore, ...rest } = module as {
    stackSave: () => number;
    stackRestore: (top: number) => void;
  };
  const keeping = (call: Call): Call =>
    function (this: unknown, ...given) {
      const top = stackSave();
      try {
        return call.apply(this, given);
      } catch (error) {
        stackRestore(top);
        throw error;
      }
    };
  /** Wraps the functions of an object, none of which is overloaded; returns whether there was any. */
  const wrap = (owner: object): boolean => {
    const calls = Object.entries(owner).filter(([, value]) => typeof value === "function");
    for (const [name, call] of calls) Object.assign(owner, { [name]: keeping(call as Call) });
    return calls.length > 0;
  };
  for (const [name, exported] of Object.entries(rest)) {
    if (typeof exported !== "function") continue;
    // A class has its methods in its prototype; a plain function has none there.
    const methods = (exported as { prototype?: object }).prototype;
    if (!methods || !wrap(methods)) Object.assign(module, { [name]: keeping(exported as Call) });
  }
}

/** Starts a compiled part. The glue is the same for both builds; the wasm is not. Throws the engine's error. */
export async function start<Module extends object>(
  create: CreateModule<Module>,
  code: WebAssembly.Module,
): Promise<Module> {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object => {
      // The glue only waits for `done`, so a failure rejects the promise here.
      WebAssembly.instantiate(code, imports)
        .then((instance) => done(instance, code))
        .catch(reject);
      return {};
    };
    create({ instantiateWasm }).then((module) => {
      keepStack(module);
      resolve(module);
    }, reject);
  });
}
