// The site that the benchmark's browser opens. It is not cross-origin isolated: without shared memory no library starts threads.
import { join } from "node:path";
import { answers, listen } from "../../toolchain/serve.mjs";

/** Serves the bundles, the core and the packages. `requested` holds the requested files; the caller clears it. */
export async function openSite(bundles) {
  const here = import.meta.dirname;
  const folders = [
    ["/packages/", join(here, "node_modules")],
    ["/core/", join(here, "../../dist/core")],
    ["/page.html", here],
    ["/", bundles],
  ].map(([under, folder]) => ({
    under,
    folder,
    answer: answers(folder, { under: under.endsWith("/") ? under : "/" }),
  }));
  const requested = new Set();
  const server = await listen(
    (request, response) => {
      const path = new URL(request.url, "http://localhost").pathname;
      const { under, folder, answer } = folders.find((one) => path.startsWith(one.under));
      requested.add(join(folder, under.endsWith("/") ? path.slice(under.length) : path));
      return answer(request, response);
    },
    0,
    "127.0.0.1",
  );
  return {
    address: `http://127.0.0.1:${server.address().port}/page.html`,
    requested,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
