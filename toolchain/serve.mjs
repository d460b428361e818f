// A static file server that sends no headers but the content type, like the simplest host.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, relative, resolve, sep } from "node:path";
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

/** The file that a request names, or the status that refuses it. */
async function found(folder, under, address) {
  let path;
  try {
    path = normalize(decodeURIComponent(new URL(address, "http://localhost").pathname));
  } catch {
    return 400;
  }
  if (!path.startsWith(under)) return 404;
  const file = join(folder, path.slice(under.length));
  if (!(file + sep).startsWith(folder + sep)) return 403;
  const kind = await stat(file).catch(() => null);
  if (kind?.isFile()) return file;
  const index = join(file, "index.html");
  return kind?.isDirectory() && (await stat(index).catch(() => null))?.isFile() ? index : 404;
}

/**
 * Answers requests below the path `under` with the files of `folder`. With `typed` false only pages have a content type,
 * without which no browser shows them. `headers` are sent with every file. `instead` has texts that replace files, by their paths in the folder.
 */
export function answers(folder, { under = "/", typed = true, headers = {}, instead = {} } = {}) {
  const root = resolve(folder);
  return async (request, response) => {
    const file = await found(root, under, request.url);
    if (typeof file === "number") return response.writeHead(file).end();
    const type = types[extname(file)] ?? "application/octet-stream";
    const told = typed
      ? { "Content-Type": type, "Cache-Control": "no-cache" }
      : extname(file) === ".html"
        ? { "Content-Type": type }
        : {};
    const text = instead[relative(root, file)];
    if (text !== undefined) return response.writeHead(200, { ...told, ...headers }).end(text);
    const stream = createReadStream(file);
    // A build may delete a file between the check and the reading.
    stream.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(404).end()));
    stream.once("open", () => {
      response.writeHead(200, { ...told, ...headers });
      if (request.method === "HEAD") response.end(() => stream.destroy());
      else stream.pipe(response);
    });
    response.once("close", () => stream.destroy());
  };
}

/** A server with the handler `answer` on `host` and `port`; 0 means any free port. */
export function listen(answer, port, host = "localhost") {
  return new Promise((resolve, reject) => {
    const server = createServer(answer);
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

/** Serves `folder` as `answers` does on `port` or the next free one; resolves to `{ server, url }`. */
export async function serve(folder, port = 8080, options = {}) {
  for (let candidate = port; candidate < port + 50; candidate++) {
    try {
      const server = await listen(answers(folder, options), candidate);
      return { server, url: `http://localhost:${server.address().port}/` };
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
  throw new SetupError(`no free port between ${port} and ${port + 49}`);
}
