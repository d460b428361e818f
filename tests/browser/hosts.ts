/**
 * The pages and hosts of the browser tests, started once before them: a copy of the built page (so that a later build changes nothing), the
 * stage alone and the stage of any graph, built like the page, two plain hosts and a strict one on free ports. The browser sees only the project's own fonts.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { testFonts } from "../../toolchain/fonts.mjs";
import { whileBuilding } from "../../toolchain/lock.mjs";
import { answers, listen } from "../../toolchain/serve.mjs";

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

const path = (place: string): string => fileURLToPath(new URL(`../../${place}`, import.meta.url));

/** The page under a sub-path of a host that sends content types, and a host that sends no header but the content type of pages. */
const under = "/some/where/";

/** With these headers a page may load only resources that allow it. */
const isolating = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** Lets other origins load its modules, as GitHub Pages does. */
const shared = { "Access-Control-Allow-Origin": "*" };

/**
 * A page with one frame, as a blog post would have it: /host.html?frame=ADDRESS&sandbox; or with one element:
 * /host.html?element=LINK&script=ADDRESS&module.
 */
const blog = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>A post</title><style>body{margin:24px;background:#fff}iframe{border:0}</style>
<script>
  const parameters = new URLSearchParams(location.search);
  const frame = document.createElement(parameters.has("frame") ? "iframe" : "attention-playground");
  if (parameters.has("sandbox")) frame.setAttribute("sandbox", "allow-scripts");
  frame.width = parameters.get("width") || "680";
  frame.height = "400";
  frame.setAttribute("src", parameters.get("frame") ?? parameters.get("element"));
  if (parameters.has("script")) {
    const script = document.createElement("script");
    if (parameters.has("module")) script.type = "module";
    script.src = parameters.get("script");
    document.head.append(script);
  }
  window.heights = [];
  addEventListener("message", (event) => {
    if (event.data?.type !== "attention-playground:height") return;
    window.heights.push(event.data.height);
    frame.height = event.data.height;
  });
  addEventListener("DOMContentLoaded", () => document.body.append(frame));
</script>`;

const withBlog =
  (answer: Answer): Answer =>
  (request, response) =>
    request.url?.startsWith("/host.html")
      ? response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(blog)
      : answer(request, response);

/** A page of the tests as static files, by the page's own build. */
const buildPage = (root: string, page: string, outDir: string): Promise<unknown> =>
  build({
    configFile: path("web/build/vite.config.ts"),
    mode: "page",
    root: path(root),
    logLevel: "error",
    build: {
      outDir,
      emptyOutDir: false,
      rolldownOptions: { input: path(`${root}/${page}`) },
    },
  });

/** Runs before the tests of this folder: starts the hosts, with the stage alone and the graphs beside the page. */
export default function start(): Promise<() => void> {
  return startHosts(async (site) => {
    await buildPage("tests/browser/fixtures", "stage.html", join(site, "fixtures"));
    await buildPage("tests/graphs", "index.html", join(site, "graphs"));
  });
}

/** Starts the hosts of a copy of the built page, to which `prepare` may add; resolves to the function that stops them. */
export async function startHosts(prepare: (site: string) => Promise<unknown>): Promise<() => void> {
  mkdirSync(path("build"), { recursive: true });
  const site = mkdtempSync(path("build/browser-site-"));
  const servers: Server[] = [];
  const stop = (): void => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(site, { recursive: true, force: true });
  };
  try {
    await whileBuilding(() => cpSync(path("dist"), site, { recursive: true }));
    // The same fonts on every machine: the positions of numbers and the pictures depend on them.
    process.env.FONTCONFIG_FILE = (await testFonts()).config;
    await prepare(site);
    const serve = async (answer: Answer): Promise<string> => {
      const server = (await listen(withBlog(answer), 0, "127.0.0.1")) as Server;
      servers.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    // The workers of the test runner are started after this and inherit all of it.
    process.env.SITE_FOLDER = site;
    process.env.HOST_PAGE = `${await serve(answers(site, { under, headers: shared }))}${under}`;
    process.env.HOST_STRICT = `${await serve(answers(site, { under, headers: isolating }))}${under}`;
    process.env.HOST_BARE = `${await serve(answers(site, { typed: false }))}/`;
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}
