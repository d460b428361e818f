/**
 * Minifies a script once more: Terser finds what Vite's own minifier leaves, and by itself finds less than both together. For scripts that
 * are one file.
 */
import { minify } from "terser";
import type { Plugin } from "vite";

export default function minified(): Plugin {
  return {
    name: "minified",
    enforce: "post",
    // Runs after Vite's own minifier.
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type !== "chunk") continue;
          const { code } = await minify(output.code, { compress: { passes: 3 } });
          if (!code) throw new Error(`${output.fileName}: Terser made no code`);
          output.code = code;
        }
      },
    },
  };
}
