/**
 * Browser tests of the built page. `npm test` sets CHROMIUM to the browser it found; hosts.ts starts what the tests open.
 */
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "tests/browser",
  outputDir: "build/browser-results",
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  // A picture that is not there is a failure; `npm test -- pictures --update` makes them.
  updateSnapshots: "none",
  globalSetup: "./tests/browser/hosts.ts",
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  // A machine refuses a connection now and then: a test is tried once more, and named as flaky where it passes then. On
  // slowed pages, which show what a test reads too early, nothing is forgiven.
  retries: process.env.SLOW ? 0 : 1,
  timeout: process.env.SLOW ? 240_000 : 60_000,
  // The first numbers of a lab take longer than the default where other programs have the processors.
  expect: { timeout: process.env.SLOW ? 30_000 : 15_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    // Tests with the same options follow each other in one window, emptied in between: to open one takes as long as the page.
    reuseContext: true,
    // Numbers in full are read as a reader takes them along: copied.
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    // What it answers no test could hold up or refuse; offline.spec.ts lets it in.
    serviceWorkers: "block",
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--disable-quic", "--no-first-run", "--font-render-hinting=none", "--disable-gpu"],
    },
  },
});
