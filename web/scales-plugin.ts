/** Colour scales for the bundle: d3-scale-chromatic makes all of its scales when it is loaded, so they are marked as what may be left out. */
import type { Plugin } from "vite";

/** Calls of the module's own that only make a value: lists of colours, and scales through them. */
const calls = /= ((?:ramp(?:\$\d+)?|colors|cubehelixLong)\()/g;
const schemes = /= (new Array\(3\)\.concat\([^()]*\)\.map\(colors\))/g;

export default function scales(): Plugin {
  return {
    name: "scales",
    transform: {
      filter: { id: /d3-scale-chromatic/ },
      handler(code) {
        const marked = code
          .replace(schemes, "= /* @__PURE__ */ (() => $1)()")
          .replace(calls, "= /* @__PURE__ */ $1");
        if (marked === code) throw new Error("d3-scale-chromatic: its scales are written in another way");
        return { code: marked.replaceAll("ramp(colors(", "ramp(/* @__PURE__ */ colors("), map: null };
      },
    },
  };
}
