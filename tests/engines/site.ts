/** The hosts of the browser tests, with a page beside the site's own that computes links with the site's script and workers. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { startHosts } from "../browser/hosts.js";

/**
 * Stores the console's messages in the page, because WebKit's driver cannot read them. The script stands before the page's policy, which
 * would refuse it. WebKit reports a layout that settles a frame later as an error, although it is none.
 */
const watching = `<script>
window.complaints = [];
{
  const keep = (text) => void window.complaints.push(text);
  const said = console.error;
  console.error = (...words) => (keep(words.map(String).join(" ")), said(...words));
  addEventListener("error", (event) => event.message?.startsWith("ResizeObserver loop") || keep("error: " + (event.message || event.target.src || event.target.href)), true);
  addEventListener("unhandledrejection", (event) => keep("uncaught: " + event.reason));
  addEventListener("securitypolicyviolation", (event) => keep("policy: " + event.violatedDirective + " " + event.blockedURI));
}
</script>`;

/** Adds links.html to the copied site: the page with one more script. */
async function prepare(site: string): Promise<void> {
  await build({
    configFile: fileURLToPath(new URL("../../web/build/vite.config.ts", import.meta.url)),
    mode: "page",
    root: import.meta.dirname,
    logLevel: "error",
    build: {
      outDir: join(site, "engines"),
      emptyOutDir: false,
      manifest: false,
      lib: {
        entry: join(import.meta.dirname, "links-page.ts"),
        formats: ["es"],
        fileName: () => "links-page.js",
      },
    },
  });
  const page = readFileSync(join(site, "index.html"), "utf8");
  const more = '<script type="module" src="./engines/links-page.js"></script>\n  </head>';
  writeFileSync(join(site, "links.html"), page.replace("</head>", more));
  // Browsers request this icon for a page without its own.
  writeFileSync(join(site, "favicon.ico"), "");
}

/** Every page of the site stores its own errors. */
function watch(site: string): void {
  for (const name of ["index.html", "links.html", "embed.html", "embed-training.html"]) {
    const text = readFileSync(join(site, name), "utf8");
    const watched = text.replace(/<head>\s*<meta charset="utf-8"\s*\/?>/i, (head) => `${head}\n${watching}`);
    if (watched === text) throw new Error(`${name} does not begin with its charset`);
    writeFileSync(join(site, name), watched);
  }
}

/** Starts the hosts; with `watched`, pages store their console messages in `window.complaints`. */
export const startSite = (watched: boolean): Promise<() => void> =>
  startHosts(async (site) => {
    await prepare(site);
    if (watched) watch(site);
  });
