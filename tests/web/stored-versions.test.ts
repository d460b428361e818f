// What the service worker keeps, where the browser's caches fail: a page still gets the right bytes, or is told that there are none.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoredVersions } from "../../web/offline/stored-versions.js";

const folder = "https://playground.example/some/where/";
const file = "assets/part.js";
const right = "the right bytes";
const digest = createHash("sha256").update(right).digest("base64");
const kept = new StoredVersions(folder, { version: "this", files: { [file]: digest } });

/** The caches by name, each with its answers by address. */
let stored: Map<string, Map<string, () => Response>>;
/** What putting into a cache fails with. */
let full: Error | null;
let host: (init: RequestInit | undefined) => Promise<Response>;
const asked = vi.fn((_address: string, init?: RequestInit) => host(init));

const keep = (version: string, answer: () => Response) =>
  stored.set(`attention-playground /some/where/ ${version}`, new Map([[folder + file, answer]]));
const text = (answer: Response | undefined) => answer?.text();
const thisOne = () => kept.match("this", file);

/** An answer that breaks off while its body is read. */
const broken = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.error(new TypeError("damaged")),
    }),
  );

beforeEach(() => {
  stored = new Map();
  full = null;
  host = () => Promise.resolve(new Response(right));
  asked.mockClear();
  vi.stubGlobal("fetch", asked);
  vi.stubGlobal("caches", {
    keys: () => Promise.resolve([...stored.keys()]),
    match: (address: string, { cacheName }: { cacheName: string }) =>
      Promise.resolve(stored.get(cacheName)?.get(address)?.()),
    open: (name: string) =>
      Promise.resolve({
        async put(address: string, answer: Response) {
          if (full) throw full;
          const bytes = await answer.arrayBuffer();
          stored.set(
            name,
            (stored.get(name) ?? new Map()).set(address, () => new Response(bytes)),
          );
        },
      }),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test("a kept file whose body cannot be read is had anew and kept", async () => {
  keep("this", broken);
  expect(await text(await thisOne())).toBe(right);
  asked.mockClear();
  expect(await text(await thisOne())).toBe(right);
  expect(asked).not.toHaveBeenCalled();
});

test("a source that fails leaves the others", async () => {
  keep("this", broken);
  keep("other", broken);
  host = (init) =>
    init?.cache === "reload"
      ? Promise.resolve(new Response(right))
      : Promise.reject(new TypeError("no answer"));
  expect(await text(await thisOne())).toBe(right);
});

test("where no source has the file there is none", async () => {
  keep("this", broken);
  host = () => Promise.reject(new TypeError("no network"));
  expect(await thisOne()).toBeUndefined();
  host = () => Promise.resolve(new Response("another build's bytes"));
  expect(await thisOne()).toBeUndefined();
});

test("the right bytes are given where there is no room to keep them", async () => {
  keep("this", () => new Response("spoiled"));
  full = new DOMException("no room", "QuotaExceededError");
  expect(await text(await thisOne())).toBe(right);
});

test("a file that is asked for again comes from the host, and is kept from then on", async () => {
  keep("this", () => new Response("spoiled"));
  keep("other", () => new Response(right));
  expect(await text(await kept.refetch(file, true))).toBe(right);
  expect(asked.mock.calls).toEqual([[folder + file, { cache: "reload" }]]);
  expect(await text(await thisOne())).toBe(right);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("what the host has of another build is not given for a file that is asked for again", async () => {
  keep("this", () => new Response(right));
  host = () => Promise.resolve(new Response("another build's bytes"));
  expect(await kept.refetch(file, true)).toBeUndefined();
  expect(await kept.refetch("assets/unknown.js", true)).toBeUndefined();
  expect(await text(await thisOne())).toBe(right);
});
