// Two plain hosts for the browser tests: the page under a sub-path with the types a static host sends, and a host that sends no
// headers of its own beside the type of pages. A third, empty-handed one plays the blog that embeds.
//   node tests/browser/serve.mjs PAGE_PORT BARE_PORT

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** A page with one frame, as a blog post would have it: /host.html?frame=ADDRESS&sandbox. */
const host = `<!doctype html><meta charset="utf-8"><title>A post</title><style>body{margin:24px;background:#fff}iframe{border:0}</style>
<script>
  const asked = new URLSearchParams(location.search);
  const frame = document.createElement("iframe");
  if (asked.has("sandbox")) frame.setAttribute("sandbox", "allow-scripts");
  frame.width = asked.get("width") || "680";
  frame.height = "400";
  frame.src = asked.get("frame");
  window.heights = [];
  addEventListener("message", (event) => {
    if (event.data?.type !== "attention-playground:height") return;
    window.heights.push(event.data.height);
    frame.height = event.data.height;
  });
  addEventListener("DOMContentLoaded", () => document.body.append(frame));
</script>`;

function serve(port, { under, typed }) {
  createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    if (path === "/host.html") return response.writeHead(200, { "Content-Type": types[".html"] }).end(host);
    if (!path.startsWith(under)) return response.writeHead(404).end();
    let file = normalize(join(dist, path.slice(under.length)));
    if (!file.startsWith(dist)) return response.writeHead(404).end();
    if (existsSync(file) && statSync(file).isDirectory()) file = join(file, "index.html");
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = types[extname(file)];
    // Without its type no browser shows a page; nothing else is sent.
    const headers = type && (typed || extname(file) === ".html") ? { "Content-Type": type } : {};
    return response.writeHead(200, headers).end(readFileSync(file));
  }).listen(port, "127.0.0.1");
}

const [page = "4173", bare = "4174"] = process.argv.slice(2);
serve(Number(page), { under: "/some/where/", typed: true });
serve(Number(bare), { under: "/", typed: false });
