/** The built site: how it is served, and what of it a first visit fetches. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { firstLoad } from "../../toolchain/budget.mjs";
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
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(dist, { recursive: true });
});

async function served(options = {}): Promise<string> {
  const server = (await listen(answers(dist, options), 0, "127.0.0.1")) as Server;
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("the budget counts what index.html leads to, and no more", () => {
  const sizes = firstLoad(dist);
  expect(sizes.js).toBeGreaterThan(60);
  expect(sizes.js).toBeLessThan(200);
  expect(sizes.wasm).toBeGreaterThan(30);
  expect(sizes.total).toBe(sizes.html + sizes.css + sizes.js + sizes.wasm);
});

test("a page that leads to no script is an error, not a small page", () => {
  const empty = mkdtempSync(join(tmpdir(), "attention-playground-"));
  mkdirSync(join(empty, "assets"));
  writeFileSync(join(empty, "index.html"), "<p>");
  expect(() => firstLoad(empty)).toThrow(/leads to no css/);
  rmSync(empty, { recursive: true });
});

test("files with their types under a path; nothing outside the folder; refusals", async () => {
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

test("a host without headers tells the type of pages only", async () => {
  const host = await served({ typed: false });
  expect((await fetch(`${host}/`)).headers.get("content-type")).toBe("text/html; charset=utf-8");
  const script = await fetch(`${host}/assets/index-1.js`);
  expect(script.headers.get("content-type")).toBeNull();
  expect(script.headers.get("cache-control")).toBeNull();
});

test("a file that cannot be read to its end ends an answer, not the server", async () => {
  const host = await served();
  symlinkSync("/proc/self/mem", join(dist, "broken.js")); // opens, and every read of its start fails
  await expect(fetch(`${host}/broken.js`).then((answer) => answer.text())).rejects.toThrow();
  expect((await fetch(`${host}/`)).status).toBe(200);
});
