/** Loads a part of the core: chooses the build and fetches, compiles and starts the wasm. */
import { relaxedSimd } from "wasm-feature-detect";
import { choice, options, refuse } from "./arguments.js";
import type { CreateModule } from "./wasm.js";
import { start } from "./wasm.js";

/** "relaxed" adds relaxed SIMD to the float32 kernels; float64 gives the same bits in both. */
export type Build = "simd" | "relaxed";

export interface LoadOptions {
  /** Absent: "relaxed" where the engine has it, else "simd". */
  build?: Build;
  /**
   * The .wasm of that build: its address, its bytes, a fetch response or a compiled module, or a promise of any of these;
   * absent: the file beside this module. In Node a string may be a path.
   */
  wasm?: Wasm | Promise<Wasm>;
}

/** The forms in which the wasm may be given. */
export type Wasm = string | URL | ArrayBuffer | Uint8Array | Response | WebAssembly.Module;

/** @internal A part of the core: the addresses of its two builds, the glue that starts them, and its class. */
export interface Part<Module, Core> {
  files: Record<Build, URL | undefined>;
  create: CreateModule<Module>;
  Core: new (module: Module, build: Build) => Core;
}

/** @internal Loads a part. Throws Error when the engine lacks the build asked for, when the file cannot be fetched, or when it is no core. */
export async function loadPart<Module extends object, Core>(
  { files, create, Core }: Part<Module, Core>,
  given?: LoadOptions,
): Promise<Core> {
  const { build: wanted, wasm } = options("load", given, ["build", "wasm"]);
  const build = await chosen(wanted);
  const source = await sourceOf(wasm ?? files[build]);
  try {
    return new Core(await start(create, await compiled(source)), build);
  } catch (cause) {
    throw new Error(`load: wasm is no core that this engine can run: ${messageOf(cause)}`, { cause });
  }
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function chosen(wanted: Build | undefined): Promise<Build> {
  if (wanted !== undefined) choice("load", "build", wanted, ["simd", "relaxed"]);
  if (wanted === "simd") return "simd";
  const supported = await relaxedSimd();
  if (wanted === "relaxed" && !supported) {
    throw new Error('load: build is "relaxed", expected "simd" because this engine has no relaxed SIMD');
  }
  return supported ? "relaxed" : "simd";
}

type Source = ArrayBuffer | Uint8Array | Response | WebAssembly.Module;

async function compiled(source: Source): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof Response) return WebAssembly.compileStreaming(source);
  return WebAssembly.compile(source as BufferSource);
}

async function sourceOf(given: unknown): Promise<Source> {
  const wasm = await arrived(Promise.resolve(given));
  if (wasm instanceof ArrayBuffer || wasm instanceof Uint8Array || wasm instanceof WebAssembly.Module)
    return wasm;
  if (wasm instanceof Response) return arrived(streamed(wasm), wasm.url || undefined);
  if (typeof wasm !== "string" && !(wasm instanceof URL)) {
    const expected = "an address, a path, an ArrayBuffer, a Uint8Array, a Response or a WebAssembly.Module";
    return refuse("load", "wasm", expected, wasm);
  }
  const address = String(wasm);
  return arrived(sourceAt(address), address);
}

/** The result of `promise`. Throws Error naming `address` when it cannot be read. */
async function arrived<T>(source: Promise<T>, address = "wasm"): Promise<T> {
  try {
    return await source;
  } catch (cause) {
    throw new Error(`load: ${address} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Compiles a response while its bytes arrive. */
async function streamed(response: Response): Promise<Response | ArrayBuffer> {
  if (!response.ok) throw new Error(`the answer is ${response.status}`);
  // Engines compile while loading only if the response has the content type of WebAssembly.
  const isWasm = response.headers.get("Content-Type")?.split(";")[0]!.trim() === "application/wasm";
  return isWasm ? response : response.arrayBuffer();
}

/** The bytes of a file, or a response. Node reads files itself: its fetch does not take file addresses. */
async function sourceAt(address: string): Promise<Source> {
  const remote = /^(https?|data|blob):/.test(address);
  const inNode = typeof process !== "undefined" && process.versions?.node !== undefined;
  if (inNode && !remote) {
    // Bundlers for the browser must not follow this import.
    const module = "node:fs/promises";
    const { readFile } = (await import(
      /* webpackIgnore: true */ /* @vite-ignore */ module
    )) as typeof import("node:fs/promises");
    return readFile(address.startsWith("file:") ? new URL(address) : address);
  }
  return streamed(await fetch(address));
}
