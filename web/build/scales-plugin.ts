/**
 * Lets the bundler leave out the unused parts of D3: its modules create values by calls when they are loaded, and the bundler keeps a
 * call that might have an effect. The calls that only create a value are marked as free of side effects.
 */
import type { Plugin } from "vite";

/** A call whose result is the initial value of a variable of the module. */
const created = /^((?:var|const) [\w$]+ = )([\w$]+\()/gm;

/** Lists of colours within such calls of d3-scale-chromatic. */
const schemes = /= (new Array\(3\)\.concat\([^()]*\)\.map\(colors\))/g;
const lists = /\((colors\()/g;

export default function scales(): Plugin {
  return {
    name: "scales",
    apply: "build",
    transform: {
      filter: { id: /d3-(array|interpolate|scale-chromatic)/ },
      handler(code) {
        const marked = code
          .replace(schemes, "= /* @__PURE__ */ (() => $1)()")
          .replace(lists, "(/* @__PURE__ */ $1")
          .replace(created, "$1/* @__PURE__ */ $2");
        if (marked === code) throw new Error("D3: its values are created in another way");
        return { code: marked, map: null };
      },
    },
  };
}
