/** Packs files into a script: `import packed from "virtual:packed"`. They are packed together, because the code of page and worker is similar. */
import { readFile } from "node:fs/promises";
import { compress } from "../../node_modules/lzma1/lib/index.js";
import type { Plugin } from "vite";

const name = "virtual:packed";

/** The strongest compression: a script is packed once and loaded often. */
const mode = 9;

export default function packed(files: readonly string[]): Plugin {
  return {
    name: "packed",
    resolveId: (id) => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null;
      const parts = await Promise.all(files.map((file) => readFile(file)));
      const text = Buffer.from(compress(Buffer.concat(parts), mode)).toString("base64");
      const sizes = JSON.stringify(parts.map(({ length }) => length));
      return `export default { text: "${text}", sizes: ${sizes} };`;
    },
  };
}
