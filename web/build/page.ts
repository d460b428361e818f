/** The page: static files with relative addresses, for any path of any static host. */
import type { Plugin, UserConfig } from "vite";
import { listFile } from "../page/share-pages-list.js";
import formulas from "./formula-plugin.js";
import scales from "./scales-plugin.js";
import styles from "./styles-plugin.js";
import templates from "./templates-plugin.js";

/** The list of pages to share, empty until they are made. */
const noPagesToShare: Plugin = {
  name: "no-pages-to-share",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: listFile, source: "[]\n" });
  },
};

export const page: UserConfig = {
  root: "web",
  base: "./",
  publicDir: false,
  plugins: [formulas(), scales(), styles(), templates(), noPagesToShare],
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "page.licenses.json" },
    // What each chunk imports: toolchain/budget.mjs counts by it.
    manifest: "chunks.json",
    rolldownOptions: {
      // The wasm of both builds and the worker come from build/, and keep their names.
      output: {
        assetFileNames: "assets/[name]-[hash][extname]",
        // All that the page needs at once is one file: small shared ones compress worse.
        codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] },
      },
    },
  },
};
