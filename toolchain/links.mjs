// npm run links -- [LINK ...]: adds the links of the READMEs and the gallery, and the given ones, to tests/links, with the numbers
// they produce. Existing lines never change: the command refuses to work on a file whose lines were edited.

import { join } from "node:path";
import { runnerImport } from "vite";
import { buildLibrary } from "./build.mjs";
import { project } from "./env.mjs";
import { main, say, SetupError } from "./progress.mjs";

await main(async () => {
  await buildLibrary();
  const { module } = await runnerImport(join(project, "tests/links/add.ts"), {
    // Node 20 has no `using`.
    oxc: { target: "es2022" },
  }).catch((error) => {
    throw new SetupError(error.message);
  });
  for (const [file, links] of Object.entries(module.added)) {
    say(`tests/links/${file}: ${links.length} added`);
    for (const link of links) console.log(`${file} ${link || "(empty)"}`);
  }
});
