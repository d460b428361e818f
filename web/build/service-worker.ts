/** The service worker, dist/service-worker.js, as one classic script. It is built last: it names the files of the pages with their digests. */
import { fileURLToPath } from "node:url";
import type { UserConfig } from "vite";
import { siteOf } from "../../toolchain/offline.mjs";
import { classicScript } from "./script.js";

export function serviceWorker(): UserConfig {
  const { version, files } = siteOf(fileURLToPath(new URL("../../dist", import.meta.url)));
  const define = { SITE_VERSION: JSON.stringify(version), SITE_FILES: JSON.stringify(files) };
  return classicScript("service-worker", { outDir: "../dist", define });
}
