/** Every kind of note with little room: names break, numbers stay whole. */
/* eslint-disable no-restricted-syntax -- the cards are put into the note of the page, one by one */
import type { Explanation } from "../../web/core/attention.js";
import type { Note } from "../../web/elements/note/note.js";
import { opCases } from "../web/note-op-cases.js";
import { explained, root, row, score, weight } from "../web/note-words.js";
import { expect, openPage, test } from "./open.js";

const long = "decoder.layers.1.self_attn.K_of_the_last_layer";
const cards: [string, Explanation][] = [
  ...opCases.map(([name, explanation]): [string, Explanation] => [name, explanation]),
  ["matmul", score],
  ["softmax", weight],
  ...["reshape", "slice", "concat", "patchify"].map((op): [string, Explanation] => [
    op,
    explained(op, "y", [60, 0], [
      row("from", [[long, [60, 0, 128], -0.7330123]]),
      row("index", [3840, 0, 6, 0], { value: -0.7330123 }),
    ]),
  ]),
  ["embedding", explained("embedding", "X", [0, 2], [
    row("id", [["ids", [0], 5]]), row("from", [[long, [5, 2], 0.5]]), row("factor", [root(512)]), row("result", [], { value: -1.2345e-120 }),
  ])],
  ["add", explained("add", "y", [0], [
    row("term", [[long, [1], -123456.789]]), row("term", [[long, [0, 0, 128], -1.234e-120]]), row("sum", [], { value: -123456.789 }),
  ])],
]; // prettier-ignore

for (const [width, variant] of [
  [252, "card"],
  [284, "card"],
  [360, "sheet"],
] as const) {
  test(`no card cuts a number, or has it past its edge, in a ${variant} of ${width} pixels`, async ({
    page,
  }) => {
    if (variant === "sheet") await page.setViewportSize({ width, height: 740 });
    await openPage(page, "#v=1");
    const cut = await page.locator("ap-note").evaluate(
      async (element, [all, to, sheet]) => {
        const note = element as Note;
        if (!sheet) note.style.width = `${to}px`;
        note.nodeWords = (node) => {
          const names = Array.from({ length: 130 }, (_, at) => `extraordinary ${at}`);
          const called = { symbol: { text: node }, name: node, single: node, role: "value" as const };
          return { ...called, axes: [names, names, names], meaning: () => "" };
        };
        const found: string[] = [];
        for (const [name, explanation] of all) {
          note.explanation = explanation;
          // Narrowing it, or setting it in lines, takes further updates.
          do await note.updateComplete;
          while (note.isUpdatePending);
          const edge = note.getBoundingClientRect().right;
          const parts = note.renderRoot.querySelectorAll<HTMLElement>("td, .body, .terms");
          const over = [...parts].filter(
            (part) =>
              part.getBoundingClientRect().right > edge ||
              (part.matches(".body, .terms") && part.scrollWidth > part.clientWidth),
          );
          if (over.length > 0) found.push(`${name}: ${over.map(({ className }) => className).join(", ")}`);
        }
        return found;
      },
      [cards, width, variant === "sheet"] as const,
    );
    expect(cut).toEqual([]);
  });
}
