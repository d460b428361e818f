/** The page that times the core, dist/bench.html, beside the playground and apart from it: opening that loads nothing of this. */
import { defineConfig } from "vite";
import styles from "./web/styles-plugin.js";

export default defineConfig({
  root: "web",
  base: "./",
  publicDir: false,
  plugins: [styles()],
  build: {
    outDir: "../dist",
    emptyOutDir: false,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: "bench.licenses.json" },
    rolldownOptions: {
      input: "web/bench.html",
      output: { assetFileNames: "assets/[name]-[hash][extname]" },
    },
  },
});
