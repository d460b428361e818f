/** Removes comments and indentation from the style sheets of elements, css`…`, in the bundle. */
import type { Plugin } from "vite";

const sheet = /\bcss`([^`]*)`/g;

export function withoutAir(code: string): string {
  return code.replace(
    sheet,
    (_, text: string) =>
      `css\`${text
        .replace(/\/\*[^]*?\*\//g, "")
        .replace(/\s+/g, " ")
        .replace(/ ?([{};]) ?/g, "$1")
        .trim()}\``,
  );
}

export default function styles(): Plugin {
  return {
    name: "styles",
    apply: "build",
    transform: {
      filter: { id: /\/web\/(elements|page)\/[^?]*\.ts$/ },
      handler: (code) => ({ code: withoutAir(code), map: null }),
    },
  };
}
