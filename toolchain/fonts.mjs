// Fonts for the browser tests, so that a picture of the page looks the same on every machine. They are unpacked into the cache,
// never installed, and a fontconfig file of their own shows them to the tests' browser only.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findFinished, make, withLock } from "./cache.mjs";
import { ownSuite } from "./debian.mjs";
import { project } from "./env.mjs";
import { SetupError, step } from "./progress.mjs";

const wanted = {
  latin: { package: "fonts-noto-core", file: "NotoSans-Regular.ttf" },
  latinBold: { package: "fonts-noto-core", file: "NotoSans-Bold.ttf" },
  latinItalic: { package: "fonts-noto-core", file: "NotoSans-Italic.ttf" },
  serif: { package: "fonts-noto-core", file: "NotoSerif-Regular.ttf" },
  serifItalic: { package: "fonts-noto-core", file: "NotoSerif-Italic.ttf" },
  serifBold: { package: "fonts-noto-core", file: "NotoSerif-Bold.ttf" },
  math: { package: "fonts-stix", file: "STIXMath-Regular.otf" },
  symbols: { package: "fonts-noto-core", file: "NotoSansMath-Regular.ttf" },
  mono: { package: "fonts-noto-mono", file: "NotoSansMono-Regular.ttf" },
  sc: { package: "fonts-noto-cjk", file: "NotoSansCJK-Regular.ttc" },
  emoji: { package: "fonts-noto-color-emoji", file: "NotoColorEmoji.ttf" },
};

const packages = [...new Set(Object.values(wanted).map((font) => font.package))];

const generic = (family, names) =>
  `  <alias binding="strong"><family>${family}</family><prefer>${names
    .map((name) => `<family>${name}</family>`)
    .join("")}</prefer></alias>`;

function fontconfig(folder) {
  const fallbacks = ["Noto Sans CJK SC", "Noto Color Emoji", "Noto Sans Math"];
  // Chromium uses "sans" where a style sheet says system-ui.
  const sans = [
    "sans",
    "sans-serif",
    "system-ui",
    "ui-sans-serif",
    "Inter",
    "Noto Sans SC",
    "Helvetica",
    "Arial",
  ];
  const serif = ["serif", "ui-serif", "Georgia", "Times New Roman", "Times"];
  const mono = ["mono", "monospace", "ui-monospace", "Menlo", "Consolas", "Courier New"];
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    "<fontconfig>",
    `  <dir>${join(folder, "fonts")}</dir>`,
    `  <cachedir>${join(folder, "fontconfig-cache")}</cachedir>`,
    ...sans.map((family) => generic(family, ["Noto Sans", ...fallbacks])),
    ...serif.map((family) => generic(family, ["Noto Serif", ...fallbacks])),
    ...mono.map((family) => generic(family, ["Noto Sans Mono", ...fallbacks])),
    generic("math", ["STIX Math", "Noto Sans Math"]),
    generic("emoji", ["Noto Color Emoji"]),
    '  <match target="pattern">',
    '    <edit name="family" mode="append_last"><string>Noto Sans</string></edit>',
    "  </match>",
    // Hinting and sub-pixel rendering depend on the machine; without them the same outline gives the same picture.
    '  <match target="font">',
    '    <edit name="antialias" mode="assign"><bool>true</bool></edit>',
    '    <edit name="hinting" mode="assign"><bool>false</bool></edit>',
    '    <edit name="rgba" mode="assign"><const>none</const></edit>',
    "  </match>",
    "</fontconfig>",
    "",
  ].join("\n");
}

function findFile(folder, name) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const found = findFile(path, name);
      if (found) return found;
    } else if (entry.name === name) return path;
  }
  return null;
}

async function get() {
  return withLock(async () => {
    const there = findFinished("fonts-3");
    if (there) return there;
    return step("fonts for the browser tests", async (update) => {
      const apt = await ownSuite();
      if (!apt)
        throw new SetupError(
          `the browser tests need the fonts of the Debian packages ${packages.join(", ")}`,
        );
      return make("fonts-3", async (temporary) => {
        const unpacked = join(temporary, "unpacked");
        await apt.unpack(packages, unpacked, update);
        mkdirSync(join(temporary, "fonts"));
        for (const { package: from, file } of Object.values(wanted)) {
          const found = findFile(unpacked, file);
          if (!found) throw new SetupError(`the Debian package ${from} has no file ${file}`);
          copyFileSync(found, join(temporary, "fonts", file));
        }
        rmSync(unpacked, { recursive: true });
        return { packages: Object.fromEntries(packages.map((name) => [name, apt.version(name)])) };
      });
    });
  });
}

/** Paths of the font files by role, and of the fontconfig file, in build/, that shows only them. */
export async function testFonts() {
  const folder = findFinished("fonts-3") ?? (await get());
  const files = Object.entries(wanted).map(([role, { file }]) => [role, join(folder, "fonts", file)]);
  for (const [, file] of files)
    if (!existsSync(file)) throw new SetupError(`${file} is missing: remove ${folder}`);
  const config = join(project, "build/fonts.conf");
  mkdirSync(join(project, "build"), { recursive: true });
  const text = fontconfig(folder);
  // The browser of another run may be reading it.
  if (!existsSync(config) || readFileSync(config, "utf8") !== text) writeFileSync(config, text);
  return { ...Object.fromEntries(files), config };
}
