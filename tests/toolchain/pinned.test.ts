/** A tag that was moved after its commit was pinned is refused. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clonePinned } from "../../toolchain/pinned.mjs";

const room = mkdtempSync(join(tmpdir(), "attention-playground-"));
afterAll(() => rmSync(room, { recursive: true }));

const source = join(room, "source");
const repository = `file://${source}`;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@a.example", ...args], { encoding: "utf8" });

function tagged(content: string): string {
  writeFileSync(join(source, "file"), content);
  git("-C", source, "add", "file");
  git("-C", source, "commit", "--quiet", "--message", content);
  // An annotated tag is a separate object; only its commit counts.
  git("-C", source, "tag", "--force", "--annotate", "--message", content, "1.0");
  return git("-C", source, "rev-parse", "HEAD").trim();
}

test("a clone has the commit of the tag, and no other", async () => {
  git("init", "--quiet", source);
  const commit = tagged("first");
  await clonePinned({ repository, tag: "1.0", commit }, join(room, "right"));
  expect(existsSync(join(room, "right/file"))).toBe(true);

  const moved = tagged("second");
  await expect(clonePinned({ repository, tag: "1.0", commit }, join(room, "wrong"))).rejects.toThrow(
    `the tag 1.0 of ${repository} is commit ${moved}; expected ${commit}`,
  );
});
