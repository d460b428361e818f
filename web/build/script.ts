/** Builds one classic script from web/entries/NAME.ts and its imports. It runs from a file and from a Blob, in every engine and in a sandboxed frame. */
import type { PluginOption, UserConfig } from "vite";
import { coreFiles } from "./core-plugin.js";
import formulas from "./formula-plugin.js";
import minified from "./minify-plugin.js";
import scales from "./scales-plugin.js";
import styles from "./styles-plugin.js";
import templates from "./templates-plugin.js";

interface Settings {
  outDir: string;
  /** The name of the entry, where it is not that of the script. */
  entry?: string;
  plugins?: PluginOption[];
  define?: Record<string, string>;
}

export const classicScript = (
  name: string,
  { outDir, entry = name, plugins = [], define = {} }: Settings,
): UserConfig => ({
  root: "web",
  define: { "process.env.NODE_ENV": '"production"', ...define },
  publicDir: false,
  plugins: [minified(), ...plugins],
  build: {
    outDir,
    emptyOutDir: false,
    target: "es2022",
    lib: {
      entry: `entries/${entry}.ts`,
      formats: ["iife"],
      name: "attention",
      fileName: () => `${name}.js`,
      cssFileName: name,
    },
    reportCompressedSize: false,
    // toolchain/licenses.mjs puts these notices into the published files.
    license: { fileName: `${name}.licenses.json` },
  },
});

/** A worker. The page that starts it gives it the core. */
export const workerScript = (name: string): UserConfig =>
  classicScript(name, { outDir: "../build/page", plugins: [coreFiles("given")] });

/** The settings with which the page's own code is built. */
export const pagePlugins = (): PluginOption[] => [formulas(), scales(), styles(), templates()];
