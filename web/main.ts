/** The page's entry: gives ap-app the way to start a session, with the wasm build this engine can run. */
import { relaxedSimd } from "wasm-feature-detect";
import relaxedWasm from "../build/core/relaxed/attention.wasm?url";
import simdWasm from "../build/core/simd/attention.wasm?url";
import workerScript from "../build/page/worker.js?url";
import { fetchWords } from "./i18n/fetched.js";
import { preferredLanguage } from "./i18n/words.js";
import { PartMissing } from "./labs/launch.js";
import { PartsClient } from "./labs/parts-client.js";
import { SessionClient, type ClientOptions } from "./labs/session-client.js";
import { ApApp } from "./page/app.js";
import { keepWhenIdle } from "./page/offline/keep-when-idle.js";
import { scriptAddress } from "./page/script-address.js";

interface Fetched {
  script: string;
  core: { build: "simd" | "relaxed"; wasm: ArrayBuffer };
}

// Where WebAssembly is turned off to ask for its features throws.
const relaxed = relaxedSimd().catch(() => false);

async function fetched(
  script: string,
  wasm: { simd: string; relaxed: string },
  cache: RequestCache,
): Promise<Fetched> {
  const build = (await relaxed) ? "relaxed" : "simd";
  const response = await fetch(wasm[build], { cache });
  if (!response.ok) throw new Error(`${wasm[build]} answered ${response.status}`);
  return { script, core: { build, wasm: await response.arrayBuffer() } };
}

/** What is fetched once for all sessions, and again only where it could not be had, or came spoiled. */
class Once {
  readonly #get: (cache: RequestCache) => Promise<Fetched>;
  #got: Promise<Fetched> | null = null;
  #cache: RequestCache = "default";

  constructor(get: (cache: RequestCache) => Promise<Fetched>) {
    this.#get = get;
  }

  had(): Promise<Fetched> {
    this.#got ??= this.#get(this.#cache).catch((error: unknown) => {
      this.#got = null;
      throw new PartMissing(error instanceof Error ? error.message : String(error));
    });
    return this.#got;
  }

  /** No worker starts with it: the next time it comes from the host itself. */
  spoiled(): void {
    this.#got = null;
    this.#cache = "reload";
  }
}

const parts = {
  attention: new Once((cache) => fetched(workerScript, { simd: simdWasm, relaxed: relaxedWasm }, cache)),
  transformer: new Once(async (cache) => {
    const { transformerPart } = await import("./transformer-part.js");
    return fetched(transformerPart.script, transformerPart.wasm, cache);
  }),
};
// The wasm of the attention part comes beside the page's own script. Whoever asks for it is told where it does not.
parts.attention.had().catch(() => undefined);

const startingWith = (
  part: Once,
): Pick<ClientOptions, "createWorker" | "core" | "fetched" | "startFailed"> => ({
  fetched: true,
  core: async () => (await part.had()).core,
  createWorker: async () => new Worker(scriptAddress((await part.had()).script) as string),
  startFailed: () => part.spoiled(),
});

async function start(): Promise<void> {
  // The language of a link that is packed is known once it is read: then the page fetches that one too.
  const asked = /[#&]lang=(en|zh-CN)(?:&|$)/.exec(location.hash)?.[1] as "en" | "zh-CN" | undefined;
  const language = preferredLanguage(asked ?? null, navigator.languages);
  // The page says which one did not come in the other.
  await fetchWords(language).catch(() => fetchWords(language === "en" ? "zh-CN" : "en"));
  const app = new ApApp();
  app.startClient = (onRestart, onSilence) =>
    new PartsClient((part) => new SessionClient({ ...startingWith(parts[part]), onRestart, onSilence }));
  app.addEventListener("first-numbers", () => keepWhenIdle((notice) => (app.version = notice)), {
    once: true,
  });
  document.body.prepend(app);
}

void start();
