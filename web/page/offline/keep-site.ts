/**
 * Stores the site for use without a network, and reports when a newer version of it is ready. Does nothing
 * without service workers.
 */
import { ownStrings, type Words } from "../../i18n/words.js";
import type { Notice } from "../notices.js";
import { scriptAddress } from "../script-address.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

/** The notice, in the language that the page has when it is shown. */
export type VersionNotice = (words: Words) => Notice;

/** Null in old engines, on hosts without https, and in frames where reading the property throws. */
function container(): ServiceWorkerContainer | null {
  try {
    return (navigator as Partial<Navigator>).serviceWorker ?? null;
  } catch {
    return null;
  }
}

/** Resolves to undefined when the browser refuses a request. */
const orUndefined = <T>(promise: Promise<T>): Promise<T | undefined> => promise.catch(() => undefined);

/** Lets the waiting version replace the old one, then reloads the page. */
function begin({ waiting }: ServiceWorkerRegistration): void {
  if (!waiting) return location.reload();
  waiting.addEventListener("statechange", () => {
    // "redundant" means that yet another version replaced the waiting one.
    if (waiting.state === "activated" || waiting.state === "redundant") location.reload();
  });
  waiting.postMessage("begin");
}

const onceStateChanges = (worker: ServiceWorker): Promise<void> =>
  new Promise((resolve) => worker.addEventListener("statechange", () => resolve(), { once: true }));

/**
 * Stores this version of the site. `showNotice` receives the notice of a newer one, and null when the reader
 * dismisses it.
 */
export async function keepSite(showNotice: (notice: VersionNotice | null) => void): Promise<void> {
  const script = scriptAddress(new URL("service-worker.js", document.baseURI).href) as string;
  const registering = container()?.register(script);
  const registration = registering && (await orUndefined(registering));
  if (!registration) return;
  const ready = (): void =>
    showNotice((words) => {
      const mine = ownStrings(words, { en, "zh-CN": zhCN });
      return {
        heading: mine("version.ready"),
        body: mine("version.ready_body"),
        actions: [
          { label: mine("version.reload"), act: () => begin(registration) },
          { label: words("notice.dismiss"), act: () => showNotice(null) },
        ],
      };
    });
  // The first version is active at once; a later one waits beside the active one.
  const waits = (): void => {
    if (registration.waiting && registration.active) ready();
  };
  const watch = async (): Promise<void> => {
    if (registration.installing) await onceStateChanges(registration.installing);
    waits();
  };
  registration.addEventListener("updatefound", () => void watch());
  registration.active?.postMessage("opened");
  await watch();
}

/** Reloads the page with the newest version of the site that can be fetched. */
export async function reloadNewest(): Promise<void> {
  const asking = container()?.getRegistration();
  const registration = asking && (await orUndefined(asking));
  if (!registration) return location.reload();
  await orUndefined(registration.update());
  if (registration.installing) await onceStateChanges(registration.installing);
  begin(registration);
}
