/** The workflows run only on GitHub. This file tests everything that can be tested without running them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");
const workflow = (name: string): string => read(`.github/workflows/${name}`);
const workflows = readdirSync(join(root, ".github/workflows"));
const each = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

test("every action is pinned to a commit, the same one everywhere", () => {
  const used = workflows.flatMap((name) => each(workflow(name), /uses: (?!\.\/)(.*)$/gm));
  expect(used.length).toBeGreaterThan(5);
  for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const names = new Set(used.map((action) => action.split("@")[0]));
  expect(new Set(used).size).toBe(names.size);
});

test("a pull request is checked and tested, and Pages publishes only what has passed both", () => {
  const tests = workflow("test.yml");
  expect(tests).toMatch(/^ {2}pull_request:$/m);
  expect(tests).toMatch(/^ {2}workflow_call:$/m);
  expect(each(tests, /run: (npm .*)$/gm)).toEqual(["npm run check", "npm test"]);
  const pages = workflow("pages.yml");
  expect(pages).toContain("  test:\n    uses: ./.github/workflows/test.yml\n");
  expect(pages).toContain("  build:\n    needs: test\n");
  expect(pages).toContain("  publish:\n    needs: build\n");
});

test("the tested versions of Node are those that the package and the README name", () => {
  const tried = each(workflow("test.yml"), /node: \[(.*)\]/g).flatMap((list) => list.split(", "));
  const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
  expect(each(engines.node, /(?:\^|>=)(\d+)/g)).toEqual(tried);
  expect(read("README.md")).toContain(`Node ${tried.slice(0, -1).join(", ")} or ${tried.at(-1)}`);
  expect(read("web/core/README.md")).toContain(`Node ${tried.slice(0, -1).join(", ")} and ${tried.at(-1)}`);
});

test("the workflows and the Containerfile use the same Debian, with the same packages", () => {
  const texts = [...workflows.map(workflow), read("Containerfile")].join("\n");
  const images = each(texts, /^(?: *container:|FROM) (.*)$/gm);
  for (const image of images) expect(image).toMatch(/^node:(20|\$\{\{ matrix\.node \}\})-bookworm$/);
  const installed = each(texts, /apt-get install --yes --no-install-recommends (.*)$/gm);
  expect(installed.length).toBe(images.length);
  expect(new Set(installed)).toEqual(new Set(["cmake ninja-build"]));
});
