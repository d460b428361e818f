/**
 * Makes D3's scales smaller. d3-scale-chromatic creates all of its scales when it is loaded, so they are marked as free of side effects;
 * d3-format, which d3-scale needs only for tick labels, is left out: the page formats numbers itself (web/marks/numbers.ts).
 */
import type { Plugin } from "vite";

/** Calls of the module that only create a value: lists of colours, and scales made of them. */
const calls = /= ((?:ramp(?:\$\d+)?|colors|cubehelixLong)\()/g;
const schemes = /= (new Array\(3\)\.concat\([^()]*\)\.map\(colors\))/g;

const formats = "format formatPrefix formatSpecifier precisionFixed precisionPrefix precisionRound".split(
  " ",
);

export default function scales(): Plugin {
  return {
    name: "scales",
    load: {
      filter: { id: /d3-format/ },
      handler() {
        const none = 'const none = () => { throw new Error("d3-format is not in the bundle"); };';
        return `${none} export { ${formats.map((name) => `none as ${name}`).join(", ")} };`;
      },
    },
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
