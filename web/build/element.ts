/** The custom element: one file without dependencies, as an ES module and as a classic script, for hosts that do not allow modules. */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import configs from "./configs-plugin.js";
import { classicScript, pagePlugins } from "./script.js";
import packed from "./packed-plugin.js";

const name = "attention-playground";
const address = "attentionPlaygroundAddress";

const list = "element.licenses.json";

/** Defines the element once, whichever script comes first, and not at all without `customElements`, as on a server. */
const once = (code: string, where: string): string =>
  `if(typeof customElements!=="undefined"&&!customElements.get("${name}")){const ${address}=${where};${code}}\n`;

/** The place where toolchain/licenses.mjs writes the notices of the bundled packages: a comment that minifiers keep. */
const notices = "/*! notices\n*/\n";

/** The two scripts, the declarations of the module, and its types in JSX and Vue templates. */
function twoFiles(): Plugin {
  return {
    name: "two-files",
    enforce: "post",
    // Runs after Vite has listed the contents of the script.
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const [output, ...others] = Object.values(bundle).filter(({ fileName }) => fileName !== list);
        if (output?.type !== "chunk" || others.length) throw new Error("element: expected one script");
        delete bundle[output.fileName];
        const classic = notices + once(output.code, 'document.currentScript?.src??""');
        const module =
          notices +
          once(output.code, "import.meta.url") +
          `export const AttentionPlayground=globalThis.customElements?.get("${name}");\n`;
        this.emitFile({ type: "asset", fileName: `${name}.classic.js`, source: classic });
        this.emitFile({ type: "asset", fileName: `${name}.js`, source: module });
        for (const types of [`${name}.d.ts`, `${name}.react.d.ts`, `${name}.vue.d.ts`]) {
          const source = readFileSync(new URL(`../${types}`, import.meta.url));
          this.emitFile({ type: "asset", fileName: types, source });
        }
      },
    },
  };
}

export const element = classicScript("element", {
  outDir: "../dist",
  define: { ownAddress: address },
  plugins: [
    configs(),
    ...pagePlugins(),
    packed(["build/page/labs-worker.js", "build/core/simd/labs.wasm"]),
    twoFiles(),
  ],
});
