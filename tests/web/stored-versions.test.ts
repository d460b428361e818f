// The stored versions of the site when the browser's caches fail: a page still gets the right bytes, or none.
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoredVersions } from "../../web/offline/stored-versions.js";

const folder = "https://playground.example/some/where/";
const file = "assets/part.js";
const right = "the right bytes";
const digest = createHash("sha256").update(right).digest("base64");
const versions = new StoredVersions(folder, { version: "this", files: { [file]: digest } });

/** The caches by name, each with its responses by address. */
let stored: Map<string, Map<string, () => Response>>;
/** The error of `put`, if any. */
let full: Error | null;
let host: (init: RequestInit | undefined) => Promise<Response>;
const fetched = vi.fn((_address: string, init?: RequestInit) => host(init));

const store = (version: string, answer: () => Response) =>
  stored.set(`attention-playground /some/where/ ${version}`, new Map([[folder + file, answer]]));
const text = (answer: Response | undefined) => answer?.text();
const thisOne = () => versions.match("this", file);

/** A response that breaks off while its body is read. */
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
  fetched.mockClear();
  vi.stubGlobal("fetch", fetched);
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

test("a stored file whose body cannot be read is fetched again and stored", async () => {
  store("this", broken);
  expect(await text(await thisOne())).toBe(right);
  fetched.mockClear();
  expect(await text(await thisOne())).toBe(right);
  expect(fetched).not.toHaveBeenCalled();
});

test("after a source that fails, the others are tried", async () => {
  store("this", broken);
  store("other", broken);
  host = (init) =>
    init?.cache === "reload"
      ? Promise.resolve(new Response(right))
      : Promise.reject(new TypeError("no answer"));
  expect(await text(await thisOne())).toBe(right);
});

test("the file is missing when no source has it", async () => {
  store("this", broken);
  host = () => Promise.reject(new TypeError("no network"));
  expect(await thisOne()).toBeUndefined();
  host = () => Promise.resolve(new Response("another build's bytes"));
  expect(await thisOne()).toBeUndefined();
});

test("the right bytes are returned even if there is no room to store them", async () => {
  store("this", () => new Response("spoiled"));
  full = new DOMException("no room", "QuotaExceededError");
  expect(await text(await thisOne())).toBe(right);
});

test("a file that is requested again comes from the host, and is stored from then on", async () => {
  store("this", () => new Response("spoiled"));
  store("other", () => new Response(right));
  expect(await text(await versions.refetch(file, true))).toBe(right);
  expect(fetched.mock.calls).toEqual([[folder + file, { cache: "reload" }]]);
  expect(await text(await thisOne())).toBe(right);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test("bytes of another build on the host are not returned for a file that is requested again", async () => {
  store("this", () => new Response(right));
  host = () => Promise.resolve(new Response("another build's bytes"));
  expect(await versions.refetch(file, true)).toBeUndefined();
  expect(await versions.refetch("assets/unknown.js", true)).toBeUndefined();
  expect(await text(await thisOne())).toBe(right);
});
