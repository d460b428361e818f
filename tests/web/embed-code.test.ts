// The code for other pages: short where nothing is asked for, and every text in it as it was.
import { expect, test } from "vitest";
import { frameFields, partsOf, tensorsOf } from "../../web/config/frame-fields.js";
import { codeOf, frameAddress, type EmbedOptions, type EmbedSource } from "../../web/page/embed/code.js";

const source: EmbedSource = {
  base: "https://host.example/a(b)/",
  title: 'Rows [1] & "more" <here>',
  picture: "attention.svg",
  hash: ({ lang, theme }) =>
    ["v=1&c", lang && `lang=${lang}`, theme && `theme=${theme}`, "c=0"].filter(Boolean).join("&"),
  height: (parts, focus) => 100 * parts.size + focus.length,
};
const plain: EmbedOptions = { parts: partsOf(null), focus: [], lang: null, theme: null, within: false };

test("the shortest code of each kind, its title escaped", () => {
  const title = "Rows [1] &amp; &quot;more&quot; &lt;here>";
  expect(codeOf("frame", source, plain)).toBe(
    `<iframe src="https://host.example/a(b)/embed.html#v=1&amp;c&amp;c=0" width="680" height="300" loading="lazy" title="${title}"></iframe>`,
  );
  expect(codeOf("element", source, plain)).toBe(
    '<script type="module" src="https://host.example/a(b)/attention-playground.js"></script>\n' +
      '<attention-playground src="#v=1&amp;c&amp;c=0"></attention-playground>',
  );
  expect(codeOf("markdown", source, plain)).toBe(
    String.raw`[![Rows \[1\] \& "more" \<here\>](attention.svg)](https://host.example/a%28b%29/#v=1&c&c=0)`,
  );
});

test("what a frame is asked for is what it reads; the checksum stands last", () => {
  const options: EmbedOptions = {
    ...plain,
    parts: new Set(["formula"]),
    focus: ["encoder.layers.0", "K&=%"],
    lang: "en",
    theme: "dark",
  };
  const address = frameAddress(source, options);
  expect(address).toMatch(/c=0$/);
  const { ui, focus, link } = frameFields(address.split("#")[1]!);
  expect(partsOf(ui)).toEqual(options.parts);
  expect(tensorsOf(focus)).toEqual(options.focus);
  expect(link).toBe(source.hash(options));
});

test("an element says language and theme itself; its picture links to both", () => {
  const code = codeOf("element", source, {
    ...plain,
    parts: new Set(),
    lang: "zh-CN",
    theme: "light",
    within: true,
  });
  expect(code).toContain(
    '<attention-playground src="#v=1&amp;c&amp;c=0" ui="none" theme="light" lang="zh-CN"><a href="',
  );
  expect(code).toContain('#v=1&amp;c&amp;lang=zh-CN&amp;theme=light&amp;c=0"><img src="attention.svg" alt="');
});
