/** A fixed sample of the mutated links of `npm run fuzz`. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { mostWork } from "../../web/config/bounds.js";
import { labIds } from "../../web/config/labs.js";
import { Draws } from "./draws.js";
import { fuzzLinks, linkCorpus } from "./links.js";

const corpus = linkCorpus(join(import.meta.dirname, "../.."));

test("5,000 mutated links: each a valid Config, for no more work than its bounds allow", () => {
  const report = fuzzLinks(corpus, { seed: 6, count: 5_000 });
  expect(report.failures).toEqual([]);
  expect(report.links).toBe(5_000);
  // The mutations reach the branches they are meant for.
  expect(Object.keys(report.labs).sort()).toEqual([...labIds].sort());
  for (const kind of ["none", "cut", "edited", "newer", "field", "unknown-field", "too-large", "unreadable"])
    expect(report.notices[kind], kind).toBeGreaterThan(25);
  expect(report.most.work.inflated).toBeGreaterThan(mostWork.inflated / 4);
});

test("a link depends on the seed and its number alone", () => {
  const whole = fuzzLinks(corpus, { seed: 3, count: 300 });
  const { most } = fuzzLinks(corpus, { seed: 3, from: whole.most.number, count: 1 });
  expect(most).toEqual(whole.most);
  expect(new Draws(1, 2).bits()).toBe(new Draws(1, 2).bits());
  expect(new Draws(1, 2).bits()).not.toBe(new Draws(2, 2).bits());
  expect(new Draws(1, 2).bits()).not.toBe(new Draws(1, 3).bits());
});
