// The build removes white space in style sheets and templates, and unused colour scales.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { build } from "vite";
import scales from "../../web/build/scales-plugin.js";
import { withoutAir } from "../../web/build/styles-plugin.js";
import { withoutIndentation } from "../../web/build/templates-plugin.js";

const find = createRequire(import.meta.url);

describe("style sheets", () => {
  test("lose only comments and indentation", () => {
    const code =
      "const a = css`\n  /* why */\n  .x > .y {\n    color: red;\n    margin: 0 calc(1px + 2px);\n  }\n`;\nconst b = `  kept  `;";
    expect(withoutAir(code)).toBe(
      "const a = css`.x > .y{color: red;margin: 0 calc(1px + 2px);}`;\nconst b = `  kept  `;",
    );
  });

  test("keep the space before a pseudo-class and inside a slot", () => {
    expect(withoutAir("css`\n  .a :is(b, c) {\n  }\n  ${rows}\n  td { x: y }\n`")).toBe(
      "css`.a :is(b, c){}${rows}td{x: y}`",
    );
  });
});

describe("templates", () => {
  test("lose only indentation, also in nested templates", () => {
    const code = [
      "const 字 = html`<p",
      "    class=${a}",
      "  >",
      "    ${list.map((one) => html`",
      "      <b>${`x",
      "  ${one}`}</b>`)} 词",
      "  </p>`;",
      "const kept = `a",
      "  b`;",
    ].join("\n");
    expect(withoutIndentation(code)).toBe(
      [
        "const 字 = html`<p",
        "class=${a}",
        ">",
        "${list.map((one) => html`",
        "<b>${`x",
        "  ${one}`}</b>`)} 词",
        "</p>`;",
        "const kept = `a",
        "  b`;",
      ].join("\n"),
    );
  });

  test("keep spaces within a line", () => {
    const code = "html`<i>a</i>  <i>b</i>`";
    expect(withoutIndentation(code)).toBe(code);
  });
});

test("unused scales are not bundled, and a used one gives the same colours", async () => {
  const entry = "\0entry";
  const built = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? 'export { interpolateRdBu } from "d3-scale-chromatic";' : undefined),
      },
      scales(),
    ],
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: entry, preserveEntrySignatures: "strict", output: { format: "es" } },
    },
  });
  const { code } = (built as unknown as { output: [{ code: string }] }).output[0];
  const viridis = "44015444025645045745055946";
  expect(readFileSync(find.resolve("d3-scale-chromatic"), "utf8")).toContain(viridis);
  expect(code).not.toContain(viridis);
  const made = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    interpolateRdBu: (t: number) => string;
  };
  const { interpolateRdBu } = await import("d3-scale-chromatic");
  for (const t of [0, 0.3, 0.5, 1]) expect(made.interpolateRdBu(t)).toBe(interpolateRdBu(t));
});
