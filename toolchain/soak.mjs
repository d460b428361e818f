// npm run soak: 10,000 edits in one page, in Chromium; prints memory before and after, and response times. `-- --edits N` sets the number.

import { parseArgs } from "node:util";
import { main, SetupError } from "./progress.mjs";
import { runAndReport } from "./steps.mjs";
import { soak } from "./tests.mjs";

function commandOptions() {
  try {
    const { values } = parseArgs({ options: { edits: { type: "string", default: "10000" } } });
    const edits = Number(values.edits);
    if (Number.isInteger(edits) && edits >= 100) return edits;
    throw new Error(`--edits: expected a whole number from 100, got ${values.edits}`);
  } catch (error) {
    throw new SetupError(error.message);
  }
}

await main(async () => {
  const edits = commandOptions();
  return runAndReport([{ name: "soak", run: () => soak(edits) }]);
});
