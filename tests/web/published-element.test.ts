// The published element: its declarations agree with the class, and it finds the page beside its script.
import { expect, expectTypeOf, test } from "vitest";
import type {
  AttentionPlayground as Published,
  AttentionPlaygroundEventMap,
  ElementTensor as PublishedTensor,
} from "../../web/attention-playground.js";
import type { AttentionPlayground, ElementTensor } from "../../web/page/attention-playground.js";
import { isPageAddress, linkedPage, pageOfScript } from "../../web/page/page-address.js";

type EventDetails = { [K in keyof AttentionPlaygroundEventMap]: AttentionPlaygroundEventMap[K]["detail"] };

// These types are checked when this file is compiled.
test("the class agrees with its published declarations", () => {
  expectTypeOf<AttentionPlayground>().toExtend<Published>();
  expectTypeOf<PublishedTensor>().toEqualTypeOf<ElementTensor>();
  expectTypeOf<EventDetails["cell-focus"]["index"]>().toEqualTypeOf<number[]>();
  expectTypeOf<HTMLElementTagNameMap["attention-playground"]>().toEqualTypeOf<Published>();
});

test("the page is beside the script on a site, and there is none for a bundle or a copy of the package", () => {
  expect(pageOfScript("https://site.example/a/attention-playground.js?v=1#x")).toBe(
    "https://site.example/a/",
  );
  expect(pageOfScript("https://site.example/attention-playground.classic.js")).toBe("https://site.example/");
  for (const address of [
    "",
    "https://blog.example/assets/index-B6gn2wh4.js",
    "https://blog.example/assets/attention-playground-B6gn2wh4.js",
    "http://localhost:5173/node_modules/.vite/deps/attention-playground.js?v=1",
    "https://cdn.example/npm/attention-playground@0.1.0/dist/attention-playground.js",
  ])
    expect(pageOfScript(address), address).toBe("");
});

test("a host may link to a page over http or https, or relative to its own, and to no script or object URL", () => {
  for (const address of ["https://a.org/x/", "http://a.org/", "./there/", "/there", "//a.org/", "page.html"])
    expect([address, isPageAddress(address)]).toEqual([address, true]);
  for (const address of [
    "javascript:alert(1)//",
    " javascript:x",
    "java\nscript:x",
    "JAVASCRIPT:x",
    "data:text/html,x",
    "blob:https://a.org/1",
    "file:///x",
  ])
    expect([address, isPageAddress(address)]).toEqual([address, false]);
});

test("a page that is not a text is not linked to; without a value it is the one beside the script", () => {
  const beside = "https://site.example/";
  for (const absent of [null, undefined]) expect(linkedPage(absent, beside)).toBe(beside);
  expect(linkedPage("./there/", beside)).toBe("./there/");
  for (const asked of ["", "javascript:x", 5, {}, [], true, new URL("https://a.org/")])
    expect(linkedPage(asked, beside)).toBe("");
});
