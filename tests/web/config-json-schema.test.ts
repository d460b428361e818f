// links.schema.json: it is generated from the schema in the code, accepts every Config, and refuses invalid values.
import Ajv from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linkSchema } from "../../web/config/json-schema.js";
import { examples } from "../../web/examples/index.js";
import { anyConfig } from "./config-random.js";
import { linkFields } from "./link-fields.js";

const schema = linkSchema();
const accepts = new Ajv().compile(schema);

test("the published file equals the schema in the code (npx vitest run config-json-schema -u writes it)", async () => {
  await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot(
    "../../web/config/links.schema.json",
  );
});

test.each(examples.map(({ id, config }) => [id, config] as const))("%s is taken", (_id, config) => {
  expect(accepts(linkFields(config)), JSON.stringify(accepts.errors)).toBe(true);
});

test("every Config is accepted", () => {
  fc.assert(
    fc.property(anyConfig, (config) => accepts(linkFields(config)) === true),
    { seed: 11, numRuns: 300 },
  );
});

test("a single field is enough, together with its lab", () => {
  expect(accepts({ lab: "multi-head", heads: 2 })).toBe(true);
  expect(accepts({ heads: 2 })).toBe(false);
});

test.each([
  ["attention", { heads: 2 }],
  ["attention", { dim: 513 }],
  ["attention", { dim: 2.5 }],
  ["attention", { tokens: "the" }],
  ["attention", { tokens: [""] }],
  ["attention", { wq: [[1, "2"]] }],
  ["attention", { score: null }],
  ["attention", { edit: [{ node: "X", index: [0, 0, 0, 0, 0], value: 1 }] }],
  ["attention", { edit: [{ node: "none", index: [0], value: 1 }] }],
  ["attention", { v: 2 }],
  ["positions", { swap: [1] }],
  ["positions", { positions: [] }],
  ["vit", { size: 17 }],
  ["vit", { image: { sample: "Moon" } }],
  ["vit", { image: { pixels: [16] } }],
  ["optimizers", { points: null }],
  ["nothing", {}],
])("%s %j is refused", (lab, field) => {
  expect(accepts({ lab, ...field })).toBe(false);
});
