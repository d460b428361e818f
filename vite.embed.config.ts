/**
 * The embed: one file that needs nothing else. Page code, the worker's text and the wasm stand in one inline classic script, and the
 * security policy names its hash, so that it runs in a frame with sandbox="allow-scripts" from a host that sends no headers.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { deflateSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import formulas from "./web/formula-plugin.js";
import scales from "./web/scales-plugin.js";
import styles from "./web/styles-plugin.js";

const query = "?deflated";

/** `import text from "./attention.wasm?deflated"`: base64 of what a packed file takes, for a packed page of plain base64 takes half again as much. */
function deflated(): Plugin {
  return {
    name: "deflated",
    enforce: "pre",
    async load(id) {
      if (!id.endsWith(query)) return null;
      const bytes = await readFile(id.slice(0, -query.length));
      return {
        code: `export default "${deflateSync(bytes, { level: 9 }).toString("base64")}";`,
        moduleType: "js",
      };
    },
  };
}

/** Leaves out the labs that the frame has no core for: it says where they are instead. */
function attentionLabs(): Plugin {
  return {
    name: "attention-labs",
    enforce: "pre",
    load: (id) => (id.endsWith("/labs/transformer-labs.ts") ? "export const transformerLabs = {};" : null),
  };
}

/** Text that may stand inside a script element. */
const inScript = (code: string): string =>
  code.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");

/** Puts the script and the style sheet into embed.html, in place of its comments. */
function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    async generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, output] of Object.entries(bundle)) {
        if (output.type === "chunk") script += inScript(output.code);
        else if (name.endsWith(".css")) style += String(output.source);
        else throw new Error(`embed: ${name} would be a second file`);
        delete bundle[name];
      }
      const hash = createHash("sha256").update(script).digest("base64");
      const policy =
        `default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; worker-src blob:; ` +
        `style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
      const page = await readFile(new URL("./web/embed.html", import.meta.url), "utf8");
      // The hash is of the script's exact text, so the white space around the comments goes too.
      const places: [RegExp, string][] = [
        [/the policy/, policy],
        [/\s*\/\* the style sheet \*\/\s*/, style],
        [/\s*\/\* the script \*\/\s*/, script],
      ];
      const source = places.reduce((text, [place, content]) => {
        if (!place.test(text)) throw new Error(`embed.html: ${place} is missing`);
        return text.replace(place, () => content);
      }, page);
      this.emitFile({ type: "asset", fileName: "embed.html", source });
    },
  };
}

export default defineConfig({
  root: "web",
  define: { "process.env.NODE_ENV": '"production"' },
  publicDir: false,
  plugins: [formulas(), scales(), styles(), deflated(), attentionLabs(), oneFile()],
  build: {
    outDir: "../dist",
    emptyOutDir: false,
    target: "es2022",
    lib: {
      entry: "embed.ts",
      formats: ["iife"],
      name: "attentionEmbed",
      fileName: () => "embed.js",
      cssFileName: "embed",
    },
    reportCompressedSize: false,
  },
});
