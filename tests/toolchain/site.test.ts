/** The built site: how it is served, and which files a first visit fetches. */
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstLoad, offline, onDemand } from "../../toolchain/budget.mjs";
import { siteOf } from "../../toolchain/offline.mjs";
import { answers, listen } from "../../toolchain/serve.mjs";

let dist = "";
const servers: Server[] = [];

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), "attention-playground-"));
  mkdirSync(join(dist, "assets"));
  const files = {
    "index.html": '<script src="./assets/index-1.js"></script><link href="./assets/index-1.css">',
    "assets/index-1.js": 'new Worker("worker-1.js"); fetch("core-1.wasm"); fetch("core-2.wasm")',
    "assets/index-1.css": "a{}",
    "assets/worker-1.js": "work()",
    "assets/core-1.wasm": "one",
    "assets/core-2.wasm": "one and two and three",
    "assets/index-0.js": "of an earlier build ".repeat(1e5),
    "assets/both-1.js": "both()",
    "assets/lab-1.js": "lab()",
    "assets/large-1.wasm": "large ".repeat(1e5),
    "chunks.json": JSON.stringify({
      "index.html": {
        file: "assets/index-1.js",
        isEntry: true,
        imports: ["_both"],
        dynamicImports: ["lab.ts"],
        css: ["assets/index-1.css"],
        assets: ["assets/worker-1.js", "assets/core-1.wasm", "assets/core-2.wasm"],
      },
      _both: { file: "assets/both-1.js", imports: ["index.html"] },
      "lab.ts": {
        file: "assets/lab-1.js",
        isDynamicEntry: true,
        imports: ["_both", "index.html"],
        assets: ["assets/large-1.wasm", "assets/core-1.wasm"],
      },
    }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(dist, { recursive: true });
});

const size = (file: string): number => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length;

async function served(options = {}): Promise<string> {
  const server = (await listen(answers(dist, options), 0, "127.0.0.1")) as Server;
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the budget counts exactly the files that opening index.html fetches", () => {
  const sizes = firstLoad(dist);
  const [script, worker, both] = ["index-1", "worker-1", "both-1"].map((name) => size(`assets/${name}.js`));
  expect(sizes.js).toBe(script! + worker! + both!);
  expect(sizes.wasm).toBe(size("assets/core-2.wasm"));
  expect(sizes.total).toBe(sizes.html + sizes.css + sizes.js + sizes.wasm);
});

test("for a part fetched on demand, the budget counts the files that the first load has not fetched", () => {
  expect(Object.keys(onDemand(dist))).toEqual(["lab.ts"]);
  const { js, wasm, css, total } = onDemand(dist)["lab.ts"]!;
  expect([js, wasm, css]).toEqual([size("assets/lab-1.js"), size("assets/large-1.wasm"), 0]);
  expect(total).toBe(js + wasm);
});

test("a page without a script is an error, not a small page", () => {
  const empty = mkdtempSync(join(tmpdir(), "attention-playground-"));
  mkdirSync(join(empty, "assets"));
  writeFileSync(join(empty, "index.html"), "<p>");
  expect(() => firstLoad(empty)).toThrow(/no list of its chunks/);
  writeFileSync(join(empty, "chunks.json"), "{}");
  expect(() => firstLoad(empty)).toThrow(/loads no css/);
  rmSync(empty, { recursive: true });
});

test("the version is the digest of all files, and the pages and their parts are stored offline", () => {
  const site = mkdtempSync(join(tmpdir(), "attention-playground-"));
  cpSync(dist, site, { recursive: true });
  expect(() => siteOf(site)).toThrow("there is no bench.html in dist/");
  const write = (file: string, text: string) => writeFileSync(join(site, file), text);
  write("bench.html", "<p>");
  write("embed.html", "<p>");
  write("service-worker.js", "keep()");
  const { version, files } = siteOf(site);
  expect(version).toMatch(/^[0-9a-f]{64}$/);
  const names = Object.keys(files);
  expect(names.slice(0, 2)).toEqual(["index.html", "bench.html"]);
  expect(names.slice(2).every((file) => file.startsWith("assets/"))).toBe(true);
  expect(names).toContain("assets/large-1.wasm");
  expect(files["bench.html"]).toBe(createHash("sha256").update("<p>").digest("base64"));
  const sizes = offline(site);
  expect(sizes.files).toBe(names.length);
  expect(sizes.bytes).toBe(names.reduce((sum, file) => sum + readFileSync(join(site, file)).length, 0));
  expect(sizes.gzipped).toBeLessThan(sizes.bytes);

  write("service-worker.js", "keep(more)");
  expect(siteOf(site).version).toBe(version);
  write("embed.html", "<p>!");
  expect(siteOf(site).version).not.toBe(version);
  expect(siteOf(site).files).toEqual(files);
  write("assets/lab-1.js", "other()");
  expect(siteOf(site).files["assets/lab-1.js"]).not.toBe(files["assets/lab-1.js"]);
  rmSync(site, { recursive: true });
});

test("files are served with their types under a path; others are refused, also those outside the folder", async () => {
  const host = await served({ under: "/some/where/" });
  const page = await fetch(`${host}/some/where/`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const wasm = await fetch(`${host}/some/where/assets/core-1.wasm`);
  expect([await wasm.text(), wasm.headers.get("content-type")]).toEqual(["one", "application/wasm"]);
  const statuses = [
    "/",
    "/some/where/none.js",
    "/some/where/assets/",
    "/some/where/%2e%2e%2f%2e%2e%2fpasswd",
  ];
  const codes = await Promise.all(statuses.map(async (path) => (await fetch(host + path)).status));
  expect(codes).toEqual([404, 404, 404, 404]);
  expect((await fetch(`${host}/%`)).status).toBe(400);
});

test("requested headers are sent with every file", async () => {
  const host = await served({ headers: { "Cross-Origin-Embedder-Policy": "require-corp" } });
  for (const path of ["/", "/assets/index-1.js"]) {
    const { headers } = await fetch(host + path);
    expect(headers.get("cross-origin-embedder-policy")).toBe("require-corp");
    expect(headers.get("content-type")).not.toBeNull();
  }
});

test("a text can replace a file", async () => {
  const host = await served({ instead: { "assets/index-1.js": "other()" } });
  const answer = await fetch(`${host}/assets/index-1.js`);
  expect(await answer.text()).toBe("other()");
  expect(answer.headers.get("content-type")).toContain("text/javascript");
  expect(await (await fetch(`${host}/assets/lab-1.js`)).text()).toBe("lab()");
});

test("a host without headers sends only the type of pages", async () => {
  const host = await served({ typed: false });
  expect((await fetch(`${host}/`)).headers.get("content-type")).toBe("text/html; charset=utf-8");
  const script = await fetch(`${host}/assets/index-1.js`);
  expect(script.headers.get("content-type")).toBeNull();
  expect(script.headers.get("cache-control")).toBeNull();
});

test("a file that cannot be read to its end breaks off the answer, and the server goes on", async () => {
  const host = await served();
  symlinkSync("/proc/self/mem", join(dist, "broken.js")); // it can be opened, but reading its start fails
  await expect(fetch(`${host}/broken.js`).then((answer) => answer.text())).rejects.toThrow();
  expect((await fetch(`${host}/`)).status).toBe(200);
});
