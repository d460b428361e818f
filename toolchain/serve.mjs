// A static file server for dist/: no headers but the type, like the plainest host.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { SetupError } from "./progress.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".txt": "text/plain; charset=utf-8",
};

function answer(folder, request, response) {
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  } catch {
    return response.writeHead(400).end();
  }
  let file = join(folder, path);
  if (!(file + sep).startsWith(folder + sep)) return response.writeHead(403).end();
  if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
  if (!existsSync(file)) return response.writeHead(404).end();
  const type = types[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "Content-Type": type, "Cache-Control": "no-cache" });
  if (request.method === "HEAD") return response.end();
  return createReadStream(file).pipe(response);
}

function listen(folder, port) {
  return new Promise((resolve, reject) => {
    const server = createServer((request, response) => answer(folder, request, response));
    server.once("error", reject);
    server.listen(port, "localhost", () => resolve(server));
  });
}

/** Serves `folder` on `port` or the next free one; resolves to `{ server, url }`. */
export async function serve(folder, port = 8080) {
  for (let candidate = port; candidate < port + 50; candidate++) {
    try {
      const server = await listen(folder, candidate);
      return { server, url: `http://localhost:${server.address().port}/` };
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
  throw new SetupError(`no free port between ${port} and ${port + 49}`);
}
