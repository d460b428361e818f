/**
 * Browser tests of the built page. `npm test` sets CHROMIUM to the browser it found and FONTCONFIG_FILE to the fonts that
 * stored pictures are drawn with.
 */
import { defineConfig } from "@playwright/test";

const port = Number(process.env.PLAYGROUND_TEST_PORT ?? 8091);

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
    baseURL: `http://localhost:${port}/`,
    browserName: "chromium",
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      args: ["--disable-quic", "--no-first-run", "--font-render-hinting=none", "--disable-gpu"],
    },
  },
  webServer: {
    command: `node toolchain/serve.mjs dist ${port}`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: !process.env.CI,
  },
});
