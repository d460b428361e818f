// npm run links -- [LINK ...]: adds the links of the READMEs and the gallery, and those given, to tests/links, with the numbers
// they produce. What is there already is never changed: the command refuses to work on a file that was edited.

import { join } from "node:path";
import { runnerImport } from "vite";
import { buildLibrary } from "./build.mjs";
import { project } from "./env.mjs";
import { main, say, SetupError } from "./progress.mjs";

await main(async () => {
  await buildLibrary();
  const { module } = await runnerImport(join(project, "tests/links/add.ts"), {
    // Node 20 does not know `using`.
    oxc: { target: "es2022" },
  }).catch((error) => {
    throw new SetupError(error.message);
  });
  for (const [file, links] of Object.entries(module.added)) {
    say(`tests/links/${file}: ${links.length} added`);
    for (const link of links) console.log(`${file} ${link || "(empty)"}`);
  }
});
