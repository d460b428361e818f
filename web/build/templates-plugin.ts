/** Removes indentation from the templates of elements, html`…` and svg`…`, in the bundle. */
import { parseSync, Visitor, type Plugin } from "vite";

const tags = ["html", "svg"];

export function withoutIndentation(code: string): string {
  const texts: { start: number; end: number }[] = [];
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === "Identifier" && tags.includes(tag.name)) texts.push(...quasi.quasis);
    },
  }).visit(parseSync("module.js", code).program);
  // From the last template to the first, so that the earlier positions stay valid.
  return texts
    .sort((a, b) => b.start - a.start)
    .reduce(
      (made, { start, end }) =>
        made.slice(0, start) + made.slice(start, end).replace(/\n\s+/g, "\n") + made.slice(end),
      code,
    );
}

export default function templates(): Plugin {
  return {
    name: "templates",
    apply: "build",
    transform: {
      filter: { id: /\/web\/(elements|page)\/[^?]*\.ts$/ },
      handler: (code) => ({ code: withoutIndentation(code), map: null }),
    },
  };
}
