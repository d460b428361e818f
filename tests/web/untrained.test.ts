// A notice about random word vectors is shown exactly for the states whose vectors are drawn at random.
import { expect, test } from "vitest";
import { labOf } from "../../web/page/open-lab.js";
import { exampleById } from "../../web/examples/index.js";
import "./labs-sessions.js";

test.each([
  ["cat-on-the-mat", true],
  ["additive", true],
  ["four-words", false],
  ["two-heads", true],
  ["ten-by-twenty-run-1", true],
  ["two-orders", true],
  ["six-encodings", true],
  ["fifty-positions", false],
  ["one-block", true],
  ["heights", false],
  ["old-black-cat", false],
  ["small-kingdom", false],
  ["masked-mat", false],
])("%s: %s", (id, drawn) => {
  const { config } = exampleById(id)!;
  expect(labOf(config).untrained?.(config) ?? false).toBe(drawn);
});
