// Every link that was ever published, and the Config it must open as. Lines may be added at the end; none may be edited or removed.
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import { validateConfig } from "../../web/config/validate.js";
import { examples } from "../../web/examples/index.js";
import {
  fileOf,
  freeze,
  isUnedited,
  storedNotice,
  linesIn,
  readFrozen,
  readLinks,
  readNumbers,
  textOf,
  writtenLink,
} from "./corpus.js";
import { linksIn, linksOfGallery, linksOfReadme, readmes } from "./published.js";

const lines = readLinks();
const known = new Set(lines.map(({ link }) => link));
const missing = (links: readonly string[]): string[] => links.filter((link) => !known.has(link));
const adding = "`npm run links` adds what is missing";

describe.each(["version-1.json", "version-1-numbers.json"] as const)("%s", (name) => {
  const text = textOf(name);
  const written = linesIn(text);
  const frozen = readFrozen()[name];

  test("has one entry per line", () => {
    expect(fileOf(written)).toBe(text);
    expect(written).toHaveLength((JSON.parse(text) as unknown[]).length);
  });

  test("no line was edited", () => {
    expect(written.length).toBeGreaterThanOrEqual(frozen.count);
    expect(isUnedited(written, frozen)).toBe(true);
  });

  test("every line is frozen", () => {
    expect(freeze(written), adding).toEqual(frozen);
  });

  test("a changed digit, a removed line and two exchanged lines are found", () => {
    const changed = written.map((line, at) => (at === 3 ? line.replace(/\d(?=\D*$)/, "x") : line));
    expect(isUnedited(changed, frozen)).toBe(false);
    expect(isUnedited(written.slice(1), frozen)).toBe(false);
    expect(isUnedited([written[1]!, written[0]!, ...written.slice(2)], frozen)).toBe(false);
    expect(isUnedited([...written, "{}"], frozen)).toBe(true);
  });
});

test("no link occurs twice, and each has its numbers", () => {
  expect(known.size).toBe(lines.length);
  expect(
    readNumbers()
      .map(({ link }) => link)
      .sort(),
    adding,
  ).toEqual([...known].sort());
});

test("writing the links gives the lines that were read", () => {
  expect(lines.map(writtenLink)).toEqual(linesIn(textOf("version-1.json")));
});

describe("published links", () => {
  test.each(readmes)("include every link of %s", (name) => {
    const links = linksOfReadme(name);
    expect(links.length).toBeGreaterThan(1);
    expect(missing(links), adding).toEqual([]);
  });

  test("include every link of the gallery", () => {
    expect(missing(linksOfGallery()), adding).toEqual([]);
  });

  test("include every example", () => {
    const opened = new Set(lines.map(({ link }) => decode(link).config.example));
    for (const { id } of examples) expect(opened.has(id), id).toBe(true);
  });

  test("are found in code, in attributes and in prose, without the fields of a frame", () => {
    const text = [
      "e.g. `#v=1&lab=attention&cell=scores,0,2`, or <https://a.example/#ex=face>.",
      '  src="https://…/embed.html#ui=sum,formula&v=1&c&seed=5&theme=auto&c=1wt9rz7"',
      "#tokens=猫,坐&dim=4&lang=zh",
      'not `#contents`, not `lang=…`, not #1, not `<a href="#top">`, not `#lab=…`, not [this](#links)',
    ].join("\n");
    expect(linksIn(text)).toEqual([
      "v=1&lab=attention&cell=scores,0,2",
      "ex=face",
      "v=1&c&seed=5&c=1wt9rz7",
      "tokens=猫,坐&dim=4&lang=zh",
    ]);
  });
});

describe("version 1", () => {
  test.each(lines.map(({ link, notices, config }) => [link || "(empty)", link, notices, config] as const))(
    "%s",
    (_name, link, notices, config) => {
      const decoded = decode(link);
      expect(decoded.notices.map(storedNotice)).toEqual(notices);
      expect(decoded.config).toEqual(config);
      validateConfig(decoded.config);
      // The link that the page writes now may differ, but means the same.
      expect(decode(encode(decoded.config))).toEqual({ config, notices: [] });
    },
  );
});
