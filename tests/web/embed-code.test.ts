// The code for other pages: short when no option is set, with every text escaped, in the form that each tool
// reads.
import { expect, test } from "vitest";
import { frameFields, partsOf, tensorsOf } from "../../web/config/frame-fields.js";
import {
  codeOf,
  frameAddress,
  heightScript,
  kinds,
  tools,
  type EmbedOptions,
  type EmbedSource,
} from "../../web/page/embed/code.js";

const source: EmbedSource = {
  base: "https://host.example/a(b)/",
  frame: "embed.html",
  title: 'Rows [1] & "more" <here>',
  name: "attention-k3f9",
  pictureWidth: 634,
  hash: ({ lang, theme }) =>
    ["v=1&c", lang && `lang=${lang}`, theme && `theme=${theme}`, "c=0"].filter(Boolean).join("&"),
  height: (parts, only) => 100 * parts.size + only.length,
};
const plain: EmbedOptions = {
  tool: "html",
  parts: partsOf(null),
  only: [],
  lang: null,
  theme: null,
  within: false,
};
const title = "Rows [1] &amp; &quot;more&quot; &lt;here>";
const link = '<a href="https://host.example/a(b)/#v=1&amp;c&amp;c=0">';

test("the shortest code of each kind, its title escaped", () => {
  expect(codeOf("frame", source, plain)).toBe(
    `<iframe src="https://host.example/a(b)/embed.html#v=1&amp;c&amp;c=0" title="${title}" width="680" height="300" ` +
      `style="max-width:100%;border:0" loading="lazy">${link}${title}</a></iframe>`,
  );
  expect(codeOf("element", source, plain)).toBe(
    '<script type="module" src="https://host.example/a(b)/attention-playground.js"></script>\n' +
      `<attention-playground src="#v=1&amp;c&amp;c=0" style="display:block;min-height:300px">${link}${title}</a></attention-playground>`,
  );
  expect(codeOf("picture", source, plain)).toBe(
    `${link}<img src="./attention-k3f9.png" alt="${title}" width="634" style="max-width:100%;height:auto" /></a>`,
  );
  expect(codeOf("picture", source, { ...plain, tool: "vitepress" })).toBe(
    String.raw`[![Rows \[1\] \& "more" \<here\>](./attention-k3f9.png)](https://host.example/a%28b%29/#v=1&c&c=0)`,
  );
});

test("a frame reads the options in its address; the checksum is last", () => {
  const options: EmbedOptions = {
    ...plain,
    parts: new Set(["formula"]),
    only: ["encoder.layers.0", "K&=%"],
    lang: "en",
    theme: "dark",
  };
  const address = frameAddress(source, options);
  expect(address).toMatch(/c=0$/);
  const { ui, focus, link: rest } = frameFields(address.split("#")[1]!);
  expect(partsOf(ui)).toEqual(options.parts);
  expect(tensorsOf(focus)).toEqual(options.only);
  expect(rest).toBe(source.hash(options));
});

test("an element has attributes for language and theme; its picture links to the same view", () => {
  const code = codeOf("element", source, {
    ...plain,
    parts: new Set(),
    lang: "zh-CN",
    theme: "light",
    within: true,
  });
  expect(code).toContain(
    '<attention-playground src="#v=1&amp;c&amp;c=0" ui="none" theme="light" lang="zh-CN" style="display:block;min-height:0px"><a href="',
  );
  expect(code).toContain(
    '#v=1&amp;c&amp;lang=zh-CN&amp;theme=light&amp;c=0"><img src="./attention-k3f9.png" alt="',
  );
});

test("JSX has styles and numbers as values, and closes every tag", () => {
  for (const tool of ["mdx", "react"] as const) {
    const frame = codeOf("frame", source, { ...plain, tool });
    expect(frame).toContain(
      'width={680} height={300} style={{ maxWidth: "100%", border: "0" }} loading="lazy" />',
    );
    const element = codeOf("element", source, { ...plain, tool, within: true });
    expect(element).toContain('style={{ display: "block", minHeight: "300px" }}');
    expect(element).toMatch(/<img [^]*\/><\/a><\/attention-playground>$/);
  }
});

test("the packaged element is imported and gets the address of its page; scripts are not", () => {
  for (const tool of tools) {
    const element = codeOf("element", source, { ...plain, tool });
    const packaged = ["react", "vue", "vitepress"].includes(tool);
    expect([tool, element.includes('import "attention-playground"')]).toEqual([tool, packaged]);
    expect([tool, element.includes(` page="${source.base}"`)]).toEqual([tool, packaged]);
    expect([tool, element.includes(`src="${source.base}attention-playground.js"`)]).toEqual([
      tool,
      !packaged,
    ]);
  }
});

test("no code of any tool is wider than its column, or contains a script that a build would read", () => {
  for (const tool of tools)
    for (const kind of kinds) {
      const code = codeOf(kind, source, { ...plain, tool, within: true });
      if (/<(iframe|img)/.test(code)) expect(code, `${kind} for ${tool}`).toMatch(/max-?[wW]idth:\s?"?100%/);
      expect(code, `${kind} for ${tool}`).not.toMatch(/<script(?![^>]*(src|setup))/);
    }
  expect(codeOf("frame", source, { ...plain, tool: "jupyter" })).toBe(
    'from IPython.display import IFrame\nIFrame("https://host.example/a(b)/embed.html#v=1&c&c=0", width="100%", height=300)',
  );
  expect(heightScript(source, "html")).toBe(
    '<script src="https://host.example/a(b)/frame-height.js" async></script>',
  );
  expect(heightScript(source, "vitepress")).toMatch(/^head: \[\["script", /);
});
