/** The page's entry: gives ap-app the function that starts sessions with both parts of the core. */
import openingWasm from "../../build/core/simd/opening.wasm?url";
import openingScript from "../../build/page/worker.js?url";
import { fetchWords } from "../i18n/fetched.js";
import "../labs/fetched.js";
import { preferredLanguage } from "../i18n/words.js";
import { PartMissing } from "../session/client/launch.js";
import { PartsClient } from "../session/client/parts-client.js";
import { SessionClient, type ClientOptions } from "../session/client/session-client.js";
import { ApApp } from "../page/app.js";
import { keepSiteWhenIdle } from "../page/offline/keep-when-idle.js";
import { scriptAddress } from "../page/script-address.js";

/** The addresses of a part of the core: its worker's script and its wasm. */
interface Place {
  script: string;
  wasm: string;
}

/**
 * A part of the core. Its wasm is fetched once for all sessions, and again only when fetching failed or the
 * bytes were broken.
 */
class FetchedPart {
  readonly #place: () => Promise<Place>;
  #wasm: Promise<ArrayBuffer> | null = null;
  #cache: RequestCache = "default";

  constructor(place: () => Promise<Place>) {
    this.#place = place;
  }

  async script(): Promise<string> {
    return this.#orPartMissing(async () => (await this.#place()).script);
  }

  wasm(): Promise<ArrayBuffer> {
    this.#wasm ??= this.#orPartMissing(async () => {
      const { wasm } = await this.#place();
      const response = await fetch(wasm, { cache: this.#cache });
      if (!response.ok) throw new Error(`${wasm} answered ${response.status}`);
      return response.arrayBuffer();
    }).catch((error: unknown) => {
      this.#wasm = null;
      throw error;
    });
    return this.#wasm;
  }

  /** A worker could not start with these bytes: the next fetch bypasses the cache. */
  discard(): void {
    this.#wasm = null;
    this.#cache = "reload";
  }

  async #orPartMissing<T>(get: () => Promise<T>): Promise<T> {
    try {
      return await get();
    } catch (error) {
      throw new PartMissing(error instanceof Error ? error.message : String(error));
    }
  }
}

const parts = {
  attention: new FetchedPart(() => Promise.resolve({ script: openingScript, wasm: openingWasm })),
  transformer: new FetchedPart(async () => (await import("./transformer-part.js")).transformerPart),
};
// index.html already preloads this file. A failure is reported to the sessions that need it.
parts.attention.wasm().catch(() => undefined);

const startingWith = (
  part: FetchedPart,
): Pick<ClientOptions, "createWorker" | "wasm" | "fetched" | "startFailed"> => ({
  fetched: true,
  wasm: () => part.wasm(),
  createWorker: async () => new Worker(scriptAddress(await part.script()) as string),
  startFailed: () => part.discard(),
});

async function start(): Promise<void> {
  // The language of a packed link is known only once it is decoded; the page then fetches that language too.
  const asked = /[#&]lang=(en|zh-CN)(?:&|$)/.exec(location.hash)?.[1] as "en" | "zh-CN" | undefined;
  const language = preferredLanguage(asked ?? null, navigator.languages);
  // When one language cannot be fetched, the page starts with the other and shows a notice.
  await fetchWords(language).catch(() => fetchWords(language === "en" ? "zh-CN" : "en"));
  const app = new ApApp();
  app.startClient = (onRestart, onSilence) =>
    new PartsClient((part) => new SessionClient({ ...startingWith(parts[part]), onRestart, onSilence }));
  app.addEventListener("first-numbers", () => keepSiteWhenIdle((notice) => (app.version = notice)), {
    once: true,
  });
  document.body.prepend(app);
}

void start();
