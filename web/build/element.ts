/** The custom element: one file that needs nothing else, as an ES module and as a classic script, for hosts that let no module be loaded. */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { classicScript, pagePlugins } from "./script.js";
import packed from "./packed-plugin.js";

const name = "attention-playground";
const address = "attentionPlaygroundAddress";

const list = "element.licenses.json";

/** Defined once, whichever of the two comes first, and not at all where there are no elements, as on a server. */
const once = (code: string, where: string): string =>
  `if(typeof customElements!=="undefined"&&!customElements.get("${name}")){const ${address}=${where};${code}}\n`;

/** Where toolchain/licenses.mjs writes the notices of what is bundled: a comment that minifiers keep. */
const notices = "/*! notices\n*/\n";

/** The two scripts, the declarations of the first, and what they are in the templates of others. */
function twoFiles(): Plugin {
  return {
    name: "two-files",
    enforce: "post",
    // After Vite has listed what the script holds.
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
  plugins: [...pagePlugins(), packed(["build/page/labs-worker.js", "build/core/simd/labs.wasm"]), twoFiles()],
});
