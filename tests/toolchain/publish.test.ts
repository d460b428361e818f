// Publishing a build over an older one: the site is new, releases keep their bytes, and open pages keep their assets.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { publish } from "../../toolchain/publish.mjs";

let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "publish-"));
});
afterEach(() => rmSync(place, { recursive: true }));

/** The site of a build, in its own folder. */
function built(name: string, files: Record<string, string>): string {
  const folder = join(place, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}
const text = (...path: string[]): string => readFileSync(join(place, "host", ...path), "utf8");

test("a second build replaces the first; earlier releases keep their bytes", () => {
  const host = join(place, "host");
  const first = built("first", {
    "embed.html": "embed 1",
    "assets/a-1.js": "a 1",
    "core/index.js": "core 1",
    "core/old.js": "old",
  });
  built("first", { "share/en/a.html": "page 1" });
  const second = built("second", {
    "embed.html": "embed 2",
    "assets/a-2.js": "a 2",
    "core/index.js": "core 2",
  });
  publish(first, host, "0.1.0");
  publish(second, host, "0.2.0");
  expect([text("embed.html"), text("core/index.js")]).toEqual(["embed 2", "core 2"]);
  expect([text("r/0.1.0/embed.html"), text("r/0.1.0/core/index.js")]).toEqual(["embed 1", "core 1"]);
  expect(text("r/0.2.0/embed.html")).toBe("embed 2");
  // Pages to share belong to the site, not to a release.
  expect([text("share/en/a.html"), existsSync(join(host, "r/0.1.0/share"))]).toEqual(["page 1", false]);
  // Open pages still fetch assets of the older build.
  expect([text("assets/a-1.js"), text("assets/a-2.js")]).toEqual(["a 1", "a 2"]);
  expect(existsSync(join(host, "core/old.js"))).toBe(false);
  // Publishing the same again changes nothing.
  publish(second, host, "0.2.0");
  expect(text("r/0.2.0/embed.html")).toBe("embed 2");
});

test("other bytes of a published version are refused, and nothing is written", () => {
  const host = join(place, "host");
  publish(built("first", { "embed.html": "embed 1" }), host, "0.1.0");
  const changed = built("changed", { "embed.html": "embed 1b", "index.html": "new" });
  expect(() => publish(changed, host, "0.1.0")).toThrow(
    "0.1.0 is published with other bytes (embed.html, index.html): expected a version that is not published yet",
  );
  expect([text("embed.html"), text("r/0.1.0/embed.html"), existsSync(join(host, "index.html"))]).toEqual([
    "embed 1",
    "embed 1",
    false,
  ]);
  // Without a release, the site may change at any time.
  publish(changed, host);
  expect([text("embed.html"), text("r/0.1.0/embed.html")]).toEqual(["embed 1b", "embed 1"]);
});

test.each(["", "..", "a/b", "../x"])("a version that is not a plain file name is refused: %j", (version) => {
  expect(() => publish(built("first", { a: "a" }), join(place, "host"), version)).toThrow(
    "version: expected",
  );
});
