// Sizes of files, raw and compressed. Compressing the largest takes seconds, so results are stored by the digest of the file.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

// The highest level of brotli takes a minute for the largest of these files, and saves little more.
const brotliSettings = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

async function measured(content) {
  const [packed, smaller] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, brotliSettings),
  ]);
  return { raw: content.length, gzip: packed.length, brotli: smaller.length };
}

/** The sizes of all `files` together, each compressed separately. `kept` is the file that stores known results. */
export async function sizesOf(files, kept) {
  const known = existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : {};
  const sizes = await Promise.all(
    files.map(async (file) => {
      const content = await readFile(file);
      const digest = createHash("sha256").update(content).digest("hex");
      return (known[digest] ??= await measured(content));
    }),
  );
  writeFileSync(kept, JSON.stringify(known));
  const sum = (kind) => sizes.reduce((total, size) => total + size[kind], 0);
  return { raw: sum("raw"), gzip: sum("gzip"), brotli: sum("brotli") };
}
