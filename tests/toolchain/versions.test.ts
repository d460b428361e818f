/** Parsing versions as tools and packages print them. */
import { expect, test } from "vitest";
import { atLeast, upstream } from "../../toolchain/versions.mjs";

test("a version is compared by its numbers, not by its letters", () => {
  expect(atLeast("6.0.5", "4.0")).toBe(true);
  expect(atLeast("4.0", "4.0")).toBe(true);
  expect(atLeast("3.1.74", "4.0")).toBe(false);
  expect(atLeast("0.100.0", "0.27")).toBe(true);
  expect(atLeast("cmake version 3.25.1", "3.25")).toBe(true);
  expect(atLeast(null, "1.0")).toBe(false);
  expect(atLeast("unknown", "1.0")).toBe(false);
});

test("a package's version holds the upstream one", () => {
  expect(upstream("1:21.1.8-13")).toBe("21.1.8");
  expect(upstream("6.0.5+dfsg+~1.41.5-2")).toBe("6.0.5");
  expect(upstream("0.8.2-1~0.1")).toBe("0.8.2");
});
