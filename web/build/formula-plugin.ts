/** Formulas at build time: `import formula from "./attention.tex?mathml"` gives MathML as a plain tree. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import temml from "temml";
import type { Plugin } from "vite";
import type { FormulaElement, FormulaNode } from "../marks/formula.js";

const QUERY = "?mathml";
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (name.startsWith("#")) return String.fromCodePoint(Number(name.replace("#x", "0x").replace("#", "")));
    return ENTITIES[name] ?? whole;
  });
}

/** An element without children. `style` is left out, because the page's security policy forbids it. */
function element(tag: string, attributeText: string): FormulaElement {
  const made: FormulaElement = { tag, attributes: {}, children: [] };
  for (const [, name, value] of attributeText.matchAll(/(?<![\w-])([\w-]+)="([^"]*)"/g)) {
    if (name === undefined || value === undefined || name === "style") continue;
    if (name !== "class") {
      made.attributes[name] = decoded(value);
      continue;
    }
    const classes = value.split(/\s+/);
    const symbol = classes.find((one) => one.startsWith("sym-"));
    if (symbol) made.symbol = symbol.slice("sym-".length);
    const rest = classes.filter((one) => one !== symbol && one !== "");
    if (rest.length > 0) made.attributes["class"] = rest.join(" ");
  }
  return made;
}

/** Parses MathML as Temml writes it. Throws Error when tags do not match. */
export function parseMathml(text: string): FormulaElement {
  const root = element("root", "");
  const open = [root];
  for (const [, closing, tag, attributeText, selfClosing, words] of text.matchAll(
    /<(\/?)([a-z]+)((?:\s+[\w-]+="[^"]*")*)\s*(\/?)>|([^<]+)/gi,
  )) {
    const parent = open[open.length - 1];
    if (!parent) throw new Error(`formula: </${tag}> closes nothing`);
    if (words !== undefined) {
      parent.children.push(decoded(words));
    } else if (closing) {
      if (parent.tag !== tag) throw new Error(`formula: </${tag}> where <${parent.tag}> is open`);
      open.pop();
    } else if (tag !== undefined) {
      const child = element(tag, attributeText ?? "");
      parent.children.push(child);
      if (!selfClosing) open.push(child);
    }
  }
  const math = root.children[0];
  if (open.length !== 1 || root.children.length !== 1 || typeof math !== "object" || math.tag !== "math") {
    throw new Error("formula: expected one <math> element");
  }
  return math;
}

/** The names in \class{sym-NAME}{…}, in order, each once. */
export function symbolsOf(node: FormulaNode): string[] {
  if (typeof node === "string") return [];
  return [...new Set([...(node.symbol ? [node.symbol] : []), ...node.children.flatMap(symbolsOf)])];
}

/** Converts TeX to a MathML tree. Throws Error naming the file where TeX has a mistake or a symbol's name is not letters and digits. */
export function formulaFrom(tex: string, file: string): FormulaElement {
  try {
    const strict = {
      displayMode: true,
      throwOnError: true,
      trust: (context: { command: string }) => context.command === "\\class",
    };
    const math = parseMathml(temml.renderToString(tex.trim(), strict));
    for (const symbol of symbolsOf(math)) {
      if (!/^[A-Za-z][A-Za-z0-9]*$/.test(symbol))
        throw new Error(`the symbol name "${symbol}" is not letters and digits`);
    }
    return math;
  } catch (error) {
    throw new Error(`${basename(file)}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The plugin, for Vite and for Vitest. */
export default function formulas(): Plugin {
  return {
    name: "formula",
    enforce: "pre",
    async load(id) {
      if (!id.endsWith(`.tex${QUERY}`)) return null;
      const file = id.slice(0, -QUERY.length);
      this.addWatchFile(file);
      const math = formulaFrom(await readFile(file, "utf8"), file);
      return { code: `export default ${JSON.stringify(math)};`, moduleType: "js" };
    },
  };
}
