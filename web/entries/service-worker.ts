/**
 * The service worker of index.html and bench.html: keeps a whole version of the site, and answers each page with the files of the
 * version that it was opened with. Built last, as one classic script.
 */
import { Kept } from "../offline/kept.js";
import { Pages } from "../offline/pages.js";
import type { Asked, Scope } from "../offline/scope.js";

declare const self: Scope;
/** Of the build: toolchain/offline.mjs. */
declare const SITE_VERSION: string;
declare const SITE_FILES: Readonly<Record<string, string>>;

const version = SITE_VERSION;
const folder = self.registration.scope;
const kept = new Kept(folder, { version, files: SITE_FILES });
const pages = new Pages(folder);
/** Pages that were answered and are not there yet. */
const coming = new Set<string>();

/** The file that is asked for; null where it is none of the two pages and none of their parts: then the browser asks the host. */
function fileOf({ method, url, mode }: Request): string | null {
  if (method !== "GET" || !url.startsWith(folder)) return null;
  const path = new URL(url).pathname.slice(new URL(folder).pathname.length);
  if (mode !== "navigate") return path.startsWith("assets/") ? path : null;
  if (path === "") return "index.html";
  return path === "index.html" || path === "bench.html" ? path : null;
}

/** Opens a page of this version. */
async function opened(event: Asked, file: string): Promise<Response> {
  const answer = await kept.of(version, file);
  // The reader emptied the caches, or what was in them is spoiled and this build's page cannot be had any more.
  if (!answer) return fetch(event.request);
  const { resultingClientId: id } = event;
  if (id) {
    coming.add(id);
    await pages.add(id, version);
  }
  return answer;
}

/** A part of a page, of the page's own version. */
async function part({ clientId, request }: Asked, file: string): Promise<Response> {
  // The page found what it got first spoiled, and asks the host itself, whose bytes may be another build's.
  const anew = request.cache === "reload" ? await kept.anew(file, true) : undefined;
  if (anew) return anew;
  const own = (clientId && (await pages.versionOf(clientId))) || version;
  return (
    (await kept.of(own, file)) ??
    (own === version ? undefined : await kept.of(version, file)) ??
    (await kept.ofOther(file)) ??
    fetch(request)
  );
}

async function open(): Promise<string[]> {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.filter(({ url }) => url.startsWith(folder)).map(({ id }) => id);
}

/** Lets go of the versions that no page was opened with. */
async function tidy(): Promise<void> {
  const versions = await kept.versions();
  // One of them is being kept for later.
  if (self.registration.installing || self.registration.waiting) return;
  const there = new Set(await open());
  for (const id of there) coming.delete(id);
  const needed = new Set([version]);
  for (const id of await pages.ids()) {
    const own = await pages.versionOf(id);
    if (!there.has(id) && !coming.has(id)) await pages.drop(id);
    else if (own) needed.add(own);
  }
  for (const old of versions) if (!needed.has(old)) await kept.drop(old);
}

/** Pages that came without a service worker are of this version; those of older ones are known. */
async function begin(): Promise<void> {
  for (const id of await open()) if (!(await pages.versionOf(id))) await pages.add(id, version);
  await tidy();
  await self.clients.claim();
}

self.addEventListener("install", (event) => event.waitUntil(kept.keep()));
self.addEventListener("activate", (event) => event.waitUntil(begin()));
self.addEventListener("message", (event) => {
  // A reader accepted this version while an older one is at work.
  if (event.data === "begin") event.waitUntil(self.skipWaiting());
  // A page is there, and the one that it took the place of is gone.
  if (event.data === "opened") event.waitUntil(tidy());
});
self.addEventListener("fetch", (event) => {
  const file = fileOf(event.request);
  if (file === null) return;
  event.respondWith(event.request.mode === "navigate" ? opened(event, file) : part(event, file));
});
