/**
 * The embeds, each one HTML file without dependencies: embed.html, and embed-training.html with the lab that trains. The page's code, the
 * worker's text and the wasm are packed in an inline classic script. The security policy has the hash of that script and of the code that it
 * unpacks, so that it runs in a frame with sandbox="allow-scripts" from a host that sends no headers.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Plugin, UserConfig } from "vite";
import { classicScript, pagePlugins } from "./script.js";
import packed from "./packed-plugin.js";

interface Parts {
  /** The page's code. */
  page: string;
  worker: string;
  wasm: string;
}

const parts = {
  embed: {
    page: "build/page/frame.js",
    worker: "build/page/labs-worker.js",
    wasm: "build/core/simd/labs.wasm",
  },
  "embed-training": {
    page: "build/page/frame-training.js",
    worker: "build/page/transformer-worker.js",
    wasm: "build/core/simd/transformer.wasm",
  },
} as const satisfies Record<string, Parts>;

/** The script for pages with frames, published as it is written. */
const heights = "frame-height.js";

/** Escapes a text for the inside of a script element. */
const inScript = (code: string): string =>
  code.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");

const hashOf = (text: string | Buffer): string =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Puts the script and the style sheet into web/embed.html, in place of the comments there. */
function oneFile(own: string, page: string): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    // Runs after Vite has listed the contents of the script.
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        let code = "";
        let style = "";
        for (const [name, output] of Object.entries(bundle)) {
          if (name === `${own}.licenses.json`) continue;
          if (output.type === "chunk") code += inScript(output.code);
          else if (name.endsWith(".css")) style += String(output.source);
          else throw new Error(`${own}: ${name} would be a second file`);
          delete bundle[name];
        }
        const policy =
          `default-src 'none'; script-src ${hashOf(code)} ${hashOf(await readFile(page))} 'wasm-unsafe-eval'; worker-src blob:; ` +
          `style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; ` +
          `require-trusted-types-for 'script'; trusted-types attention-playground-frame attention-playground lit-html`;
        const html = await readFile(new URL("../embed.html", import.meta.url), "utf8");
        // The hash covers the script's exact text, so the white space around the comments is removed too.
        const places: [RegExp, string][] = [
          [/the policy/, policy],
          [/\s*\/\* the style sheet \*\/\s*/, style],
          [/\s*\/\* the script \*\/\s*/, code],
        ];
        const source = places.reduce((text, [place, content]) => {
          if (!place.test(text)) throw new Error(`embed.html: ${place} is missing`);
          return text.replace(place, () => content);
        }, html);
        this.emitFile({ type: "asset", fileName: `${own}.html`, source });
        this.emitFile({ type: "asset", fileName: heights, source: await readFile(`web/entries/${heights}`) });
      },
    },
  };
}

export function embed(name: keyof typeof parts): UserConfig {
  const { page, worker, wasm } = parts[name];
  return classicScript(name, {
    outDir: "../dist",
    entry: "embed",
    plugins: [...pagePlugins(), packed([wasm, page, worker]), oneFile(name, page)],
  });
}
