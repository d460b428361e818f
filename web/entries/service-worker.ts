/**
 * The service worker of index.html and bench.html: stores whole versions of the site, and answers each page
 * with the files of the version that it was opened with. Built last, as one classic script.
 */
import { StoredVersions } from "../offline/stored-versions.js";
import { OpenedPages } from "../offline/pages.js";
import type { SiteFetchEvent, Scope } from "../offline/scope.js";

declare const self: Scope;
/** Set by the build: toolchain/offline.mjs. */
declare const SITE_VERSION: string;
declare const SITE_FILES: Readonly<Record<string, string>>;

const version = SITE_VERSION;
const folder = self.registration.scope;
const stored = new StoredVersions(folder, { version, files: SITE_FILES });
const pages = new OpenedPages(folder);
/** Ids of pages that were answered but are not listed as clients yet. */
const unlistedPages = new Set<string>();

/**
 * The requested file; null when it is neither one of the two pages nor a part of them, so that the browser
 * fetches it from the host.
 */
function fileOf({ method, url, mode }: Request): string | null {
  if (method !== "GET" || !url.startsWith(folder)) return null;
  const path = new URL(url).pathname.slice(new URL(folder).pathname.length);
  if (mode !== "navigate") return path.startsWith("assets/") ? path : null;
  if (path === "") return "index.html";
  return path === "index.html" || path === "bench.html" ? path : null;
}

/** Answers a navigation with a page of this version. */
async function answerNavigation(event: SiteFetchEvent, file: string): Promise<Response> {
  const answer = await stored.match(version, file);
  // The reader emptied the caches, or the stored page is broken and the host no longer has the page of this
  // build.
  if (!answer) return fetch(event.request);
  const { resultingClientId: id } = event;
  if (id) {
    unlistedPages.add(id);
    await pages.add(id, version);
  }
  return answer;
}

/** Answers a request of a page with a file of the page's own version. */
async function answerPart({ clientId, request }: SiteFetchEvent, file: string): Promise<Response> {
  // The page found its first copy broken and fetches again from the host, whose bytes may be those of another
  // build.
  const anew = request.cache === "reload" ? await stored.refetch(file, true) : undefined;
  if (anew) return anew;
  const own = (clientId && (await pages.versionOf(clientId))) || version;
  return (
    (await stored.match(own, file)) ??
    (own === version ? undefined : await stored.match(version, file)) ??
    (await stored.matchOther(file)) ??
    fetch(request)
  );
}

async function openPageIds(): Promise<string[]> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url }) => url.startsWith(folder)).map(({ id }) => id);
}

/** Deletes the versions that no open page uses. */
async function dropUnusedVersions(): Promise<void> {
  const versions = await stored.versions();
  // Another version is being installed or waits.
  if (self.registration.installing || self.registration.waiting) return;
  const there = new Set(await openPageIds());
  for (const id of there) unlistedPages.delete(id);
  const needed = new Set([version]);
  for (const id of await pages.ids()) {
    const own = await pages.versionOf(id);
    if (!there.has(id) && !unlistedPages.has(id)) await pages.drop(id);
    else if (own) needed.add(own);
  }
  for (const old of versions) if (!needed.has(old)) await stored.drop(old);
}

/**
 * Pages that were opened without a service worker are of this version; those of older versions are recorded.
 */
async function activate(): Promise<void> {
  for (const id of await openPageIds()) if (!(await pages.versionOf(id))) await pages.add(id, version);
  await dropUnusedVersions();
  await self.clients.claim();
}

self.addEventListener("install", (event) => event.waitUntil(stored.store()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  // A reader accepted this version while an older one is active.
  if (event.data === "begin") event.waitUntil(self.skipWaiting());
  // A page has been opened, and the one that it replaced is gone.
  if (event.data === "opened") event.waitUntil(dropUnusedVersions());
});
self.addEventListener("fetch", (event) => {
  const file = fileOf(event.request);
  if (file === null) return;
  event.respondWith(
    event.request.mode === "navigate" ? answerNavigation(event, file) : answerPart(event, file),
  );
});
