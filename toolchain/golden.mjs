// npm run --silent golden -- DIR: the golden files in DIR through the public API. Only the report is on standard output.

import { join } from "node:path";
import { project } from "./env.mjs";
import { main } from "./progress.mjs";
import { show } from "./run.mjs";
import { nodeFlags } from "./tests.mjs";
import { buildLibrary } from "./build.mjs";

await main(async () => {
  await buildLibrary();
  return show(process.execPath, [
    ...nodeFlags,
    join(project, "tests/golden/run.mjs"),
    ...process.argv.slice(2),
  ]);
});
