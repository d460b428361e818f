// The sizes of files, raw and compressed. Compressing the largest takes seconds, so the sizes are stored by the files' digests.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// The highest level of brotli would save a little more, but takes a minute for the largest of these files.
const brotliSettings = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

async function sizesOfContent(content) {
  const [gzipped, brotlied] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, brotliSettings),
  ]);
  return { raw: content.length, gzip: gzipped.length, brotli: brotlied.length };
}

/** The total sizes of `files`, each compressed on its own. `storedSizes` is the path of the file with the known sizes. */
export async function sizesOf(files, storedSizes) {
  const known = existsSync(storedSizes) ? JSON.parse(readFileSync(storedSizes, "utf8")) : {};
  const sizes = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      const digest = createHash("sha256").update(content).digest("hex");
      return (known[digest] ??= await sizesOfContent(content));
    }),
  );
  writeFileSync(storedSizes, JSON.stringify(known));
  const sum = (kind) => sizes.reduce((total, size) => total + size[kind], 0);
  return { raw: sum("raw"), gzip: sum("gzip"), brotli: sum("brotli") };
}
