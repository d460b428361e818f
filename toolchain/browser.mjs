// Finds the browsers of the tests, or installs them: from a variable that names one, PATH, apt-get as root, or unpacked into the cache.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findFinished, make, withLock } from "./cache.mjs";
import { installAsRoot, ownSuite } from "./debian.mjs";
import { SetupError, step } from "./progress.mjs";
import { ask, isRoot, onPath } from "./run.mjs";
import { writeStarter } from "./starter.mjs";

/** Thrown for a browser that this machine cannot have: its tests are not run, and the summary says so. */
export class Missing extends SetupError {}

const browsers = {
  chromium: {
    title: "Chromium",
    names: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
    package: "chromium",
    program: "usr/lib/chromium/chromium",
    variable: "CHROMIUM",
    byHand: "install the package `chromium` (Debian) or Google Chrome, or set CHROMIUM to a browser's path",
  },
  firefox: {
    title: "Firefox",
    names: ["firefox-esr", "firefox"],
    package: "firefox-esr",
    program: "usr/lib/firefox-esr/firefox-esr",
    variable: "FIREFOX",
    byHand: "install the package `firefox-esr` (Debian) or Firefox, or set FIREFOX to a browser's path",
  },
};

function onMachine({ names }) {
  return names.map((name) => onPath(name)).find(Boolean) ?? null;
}

function runs(file) {
  // There is a timeout, because a browser that cannot start may wait instead of failing.
  return ask(file, ["--version"], { timeout: 20_000 }) !== null;
}

/** Unpacks a browser and the libraries that this machine lacks, with a script that starts it with them. */
async function unpacked({ package: name, program }, update) {
  const apt = await ownSuite();
  const version = apt?.version(name);
  if (!version) return null;
  return make(`${name}-${version.replace(/[^\w.+-]/g, "_")}`, async (temporary, final) => {
    await apt.unpack(apt.closure([name]), temporary, update);
    if (!existsSync(join(temporary, program)))
      throw new SetupError(`the Debian package \`${name}\` has no file ${program}`);
    writeStarter({ temporary, final, name, program: join(final, program) });
    return { version };
  });
}

async function get(browser) {
  const { title, package: name, byHand } = browser;
  return withLock(async () => {
    const there = findFinished(`${name}-`);
    if (there) return join(there, name);
    return step(`${title} for the browser tests`, async (update) => {
      if (isRoot) {
        update(`apt-get install ${name}`);
        if (await installAsRoot([name]).catch(() => false)) return onMachine(browser);
      }
      const folder = await unpacked(browser, update).catch((error) => {
        throw new Missing(`${title} could not be unpacked (${error.message}); ${byHand}`);
      });
      return folder && join(folder, name);
    });
  });
}

/** The path of a browser that starts. Throws Missing where there is none and none can be installed. */
async function found(browser) {
  const { title, variable, byHand } = browser;
  const chosen = process.env[variable];
  if (chosen) {
    if (!runs(chosen)) throw new SetupError(`${variable} is ${chosen}, which does not run`);
    return chosen;
  }
  const path = onMachine(browser) ?? (await get(browser));
  if (!path) throw new Missing(`the browser tests need ${title}: ${byHand}`);
  if (!runs(path)) throw new Missing(`${path} does not run; ${byHand}`);
  return path;
}

export const chromium = () => found(browsers.chromium);
export const firefox = () => found(browsers.firefox);

/**
 * Headless Chromium, which draws the same and starts sooner: the machine's own, or installed as root; otherwise
 * the full Chromium, or the one that CHROMIUM names.
 */
export async function headlessChromium() {
  const name = "chromium-headless-shell";
  if (process.env.CHROMIUM) return chromium();
  if (!onPath(name) && isRoot)
    await withLock(() =>
      step("Chromium's headless shell", async (update) => {
        update(`apt-get install ${name}`);
        await installAsRoot([name]).catch(() => false);
      }),
    );
  const path = onPath(name);
  return path && runs(path) ? path : chromium();
}

/** WebKitGTK's MiniBrowser, which lies beside its library. */
function miniBrowser() {
  const roots = ["/usr/lib", "/usr/lib64", "/usr/libexec"];
  const folders = roots
    .filter((root) => existsSync(root))
    .flatMap((root) => [root, ...readdirSync(root).map((name) => join(root, name))]);
  return (
    folders
      .flatMap((folder) =>
        ["webkit2gtk-4.1", "webkitgtk-6.0"].map((name) => join(folder, name, "MiniBrowser")),
      )
      .find((file) => existsSync(file)) ?? null
  );
}

function webkitOnMachine() {
  const programs = { driver: onPath("WebKitWebDriver"), browser: miniBrowser(), display: onPath("Xvfb") };
  return Object.values(programs).every(Boolean) ? programs : null;
}

/**
 * WebKitGTK's driver, its browser, and a display in memory for it. They look for their own parts where Debian installs them, so they
 * cannot be unpacked elsewhere. Throws Missing.
 */
export async function webkit() {
  const packages = ["webkit2gtk-driver", "xvfb"];
  const get = () =>
    withLock(() =>
      step("WebKit for the browser tests", async (update) => {
        update(`apt-get install ${packages.join(" ")}`);
        return (await installAsRoot(packages).catch(() => false)) ? webkitOnMachine() : null;
      }),
    );
  const found = webkitOnMachine() ?? (isRoot ? await get() : null);
  if (!found)
    throw new Missing(`the tests in WebKit need it installed: the packages ${packages.join(", ")} (Debian)`);
  return found;
}
