/** Loading a part of the core: which build, from where, and what it becomes. */
import { relaxedSimd } from "wasm-feature-detect";
import { choice, options, refuse } from "./arguments.js";
import type { CreateModule } from "./wasm.js";
import { start } from "./wasm.js";

/** "relaxed" adds relaxed SIMD to the float32 kernels; float64 gives the same bits in both. */
export type Build = "simd" | "relaxed";

export interface LoadOptions {
  /** Absent: "relaxed" where the engine has it, else "simd". */
  build?: Build;
  /** Where the .wasm of that build is, or its bytes; absent: beside this module. In Node a string may be a path. */
  wasm?: string | URL | ArrayBuffer | Uint8Array;
}

/** @internal A part of the core: where its two builds lie, the glue that starts them, and the class over them. */
export interface Part<Module, Core> {
  files: Record<Build, URL | undefined>;
  create: CreateModule<Module>;
  Core: new (module: Module, build: Build) => Core;
}

/** @internal Loads a part. Throws Error when the engine lacks the build asked for, or the file cannot be had or is no core. */
export async function loadPart<Module extends object, Core>(
  { files, create, Core }: Part<Module, Core>,
  given?: LoadOptions,
): Promise<Core> {
  const { build: wanted, wasm } = options("load", given, ["build", "wasm"]);
  const build = await chosen(wanted);
  const source = await sourceOf(wasm ?? files[build]);
  try {
    const module =
      source instanceof Response
        ? await WebAssembly.compileStreaming(source)
        : await WebAssembly.compile(source as BufferSource);
    return new Core(await start(create, module), build);
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

type Source = ArrayBuffer | Uint8Array | Response;

async function sourceOf(wasm: unknown): Promise<Source> {
  if (wasm instanceof ArrayBuffer || wasm instanceof Uint8Array) return wasm;
  if (typeof wasm !== "string" && !(wasm instanceof URL)) {
    return refuse("load", "wasm", "an address, a path, an ArrayBuffer or a Uint8Array", wasm);
  }
  const address = String(wasm);
  try {
    return await sourceAt(address);
  } catch (cause) {
    throw new Error(`load: ${address} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** The bytes, or an answer whose bytes are compiled while they come. Node reads files itself: its fetch knows no file addresses. */
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
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the answer is ${response.status}`);
  // Engines compile while they load only what calls itself wasm.
  const isWasm = response.headers.get("Content-Type")?.split(";")[0]!.trim() === "application/wasm";
  return isWasm ? response : response.arrayBuffer();
}
