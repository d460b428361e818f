/** The page that times the core, dist/bench.html. It is separate from the playground, which loads nothing of it. */
import type { UserConfig } from "vite";
import styles from "./styles-plugin.js";

export const bench: UserConfig = {
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
};
