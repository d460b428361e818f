// What a lab opens with from the header and the contents, and what a bare link of version 1 goes on meaning.
import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/config/codec.js";
import { defaults, firstExamples } from "../../web/config/defaults.js";
import type { LabId } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { Entries } from "../../web/page/entries.js";
import { openingOf } from "../../web/page/openings.js";
import { labOf } from "../../web/page/open-lab.js";
import { hasCell } from "../../web/page/cells.js";
import { computed } from "./labs-sessions.js";

const ids = Object.keys(firstExamples) as LabId[];
const { labs } = new Entries().of(wordsIn("en"), { lang: null, theme: null });

describe.each(ids)("%s", (lab) => {
  test("opens with a state that its own link gives back, on a cell that there is", () => {
    const opening = openingOf(lab);
    expect(opening.view.lab).toBe(lab);
    expect(labs.find(({ id }) => id === lab)!.address).toBe(`#${encode(opening)}`);
    expect(decode(encode(opening)).config).toEqual(opening);
    const { snapshots } = computed(opening as never);
    expect(hasCell(snapshots, opening.view.cell ?? labOf(opening).opening(opening))).toBe(true);
  });

  test("a link with no field but the lab means its first example", () => {
    expect(decode(`lab=${lab}`).config.numbers).toEqual(defaults(lab).numbers);
    expect(decode(`lab=${lab}`).config.view.cell).toEqual(defaults(lab).view.cell);
  });
});

test("words find their places, two heads read a sentence, five race on a bowl", () => {
  expect(openingOf("words").example).toBe("small-kingdom");
  expect(openingOf("multi-head").example).toBe("two-heads");
  expect(openingOf("optimizers").example).toBe("five-on-a-bowl");
});

test("BERT opens on the word it finds, the losses on their curve", () => {
  for (const [lab, chart] of [
    ["bert", null],
    ["losses", "confidence-line_all"],
  ] as const) {
    const opening = openingOf(lab);
    const { snapshots } = computed(opening as never);
    const room = { width: 1232, height: 542, layout: "wide", step: 0, words: wordsIn("en") } as const;
    const { cell } = opening.view;
    const steps = labOf(opening).steps(opening, room.words, snapshots);
    const step = steps.findIndex(({ nodes }) => nodes.includes(cell!.node));
    const scene = labOf(opening).scene(opening, snapshots, { ...room, step, cell });
    if (chart) expect(scene.curves.find(({ id }) => id === chart)!.cells).toContainEqual(cell);
    else
      expect(snapshots.get(cell!.node)!.data[cell!.index[1]!]).toBe(
        Math.max(...snapshots.get(cell!.node)!.data),
      );
    expect(step).toBe(steps.length - 1);
  }
});
