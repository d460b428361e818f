/**
 * Browser tests of the built page. `npm test` sets CHROMIUM to the browser it found and FONTCONFIG_FILE to the fonts that
 * stored pictures are drawn with.
 */
import { defineConfig } from "@playwright/test";

/** The page under a sub-path of a static host, and a host that sends no headers. */
const ports = { page: 8091, bare: 8092 };

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "build/browser-results",
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  timeout: 60_000,
  reporter: "list",
  use: {
    baseURL: `http://127.0.0.1:${ports.page}/some/where/`,
    browserName: "chromium",
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--disable-quic", "--no-first-run", "--font-render-hinting=none", "--disable-gpu"],
    },
  },
  webServer: {
    command: `node tests/browser/serve.mjs ${ports.page} ${ports.bare}`,
    url: `http://127.0.0.1:${ports.page}/some/where/`,
    reuseExistingServer: !process.env.CI,
  },
});
