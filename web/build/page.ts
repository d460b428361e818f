/** The page: static files with relative addresses, so that it works at any path of any static host. */
import type { Plugin, UserConfig } from "vite";
import { listFile } from "../page/share-pages-list.js";
import formulas from "./formula-plugin.js";
import scales from "./scales-plugin.js";
import styles from "./styles-plugin.js";
import templates from "./templates-plugin.js";

/** The list of pages to share, which is empty until toolchain/share-pages.mjs makes them. */
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
    // The imports of each chunk, from which toolchain/budget.mjs computes the first load.
    manifest: "chunks.json",
    rolldownOptions: {
      // The wasm of both builds and the worker come from build/, and keep their names.
      output: {
        assetFileNames: "assets/[name]-[hash][extname]",
        // Everything that the page needs at once is one file: several small files compress worse.
        codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] },
      },
    },
  },
};
