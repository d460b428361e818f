// npm start: sets up, builds what has changed, and serves the page.

import { join } from "node:path";
import { buildAll } from "./build.mjs";
import { project } from "./env.mjs";
import { selfRemovingServiceWorker } from "./offline.mjs";
import { elapsed, main, say } from "./progress.mjs";
import { serve } from "./serve.mjs";

await main(async () => {
  await buildAll();
  // During development the browser must never show the page of an earlier build.
  const { url } = await serve(join(project, "dist"), Number(process.env.PORT ?? 8080), {
    instead: selfRemovingServiceWorker,
  });
  say(`ready in ${elapsed()}`);
  console.log(`Attention Playground: ${url}   (Ctrl+C stops it)`);
});
