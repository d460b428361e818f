// web/config/README.md lists the examples of every lab, and the fields of its first example, which are the defaults of absent fields.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { LabId } from "../../web/config/config.js";
import { firstExamples } from "../../web/config/defaults.js";
import { numberFields, plainsOf, valuesOf } from "../../web/config/state.js";
import { exampleById, examples } from "../../web/examples/index.js";

const readme = readFileSync(new URL("../../web/config/README.md", import.meta.url), "utf8");

/** The fields of a lab's first example, without empty ones. */
function fieldsOfFirst(lab: LabId): string {
  const list = numberFields(lab);
  const plains = plainsOf(list, valuesOf(exampleById(firstExamples[lab])!.config.numbers));
  return list
    .map(({ key, name }) => [name, plains.get(key)])
    .filter(([, plain]) => plain !== "none" && plain !== "")
    .map((pair) => pair.join("="))
    .join("&");
}

test.each(Object.keys(firstExamples) as LabId[])("the examples of %s and what the first holds", (lab) => {
  const own = examples.filter(({ config }) => config.view.lab === lab).map(({ id }) => `\`${id}\``);
  expect(own[0]).toBe(`\`${firstExamples[lab]}\``);
  expect(readme).toContain(
    `### lab=${lab}\n\nExamples: ${own.join(", ")}. The first holds\n\n\`\`\`\n${fieldsOfFirst(lab)}\n\`\`\`\n\n`,
  );
});
