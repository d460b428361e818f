/** Leaves out of the examples what only the contents show, such as titles and printed numbers: frames and elements open their configs. */
import type { Plugin } from "vite";

export default function configs(): Plugin {
  return {
    name: "configs",
    // Runs before Vite makes a module of the JSON.
    enforce: "pre",
    transform: {
      filter: { id: /\/web\/examples\/[^/?]*\.json$/ },
      handler(code) {
        const { id, config } = JSON.parse(code) as { id: string; config: object };
        return { code: JSON.stringify({ id, config }), map: null };
      },
    },
  };
}
