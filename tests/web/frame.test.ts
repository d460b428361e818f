// A frame with a selection of tensors shows them at every stop of their lab, whichever cells' scenes draw
// them.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { labIds } from "../../web/config/labs.js";
import { decode } from "../../web/config/codec.js";
import type { LabId } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import "../../web/labs/fetched.js";
import { loadLab } from "../../web/labs/index.js";
import { boardsOf } from "../../web/marks/board.js";
import { boardRectangle } from "../../web/marks/matrix-lines.js";
import { textWidth } from "../../web/marks/measure.js";
import type { PlacedTensor, TargetRoom, Snapshots } from "../../web/marks/scene.js";
import { frameRoom, frameWidth } from "../../web/page/frame-size.js";
import { framedScene, framedTensors } from "../../web/page/frame.js";
import { labOf, sceneFor } from "../../web/page/open-lab.js";
import { wholeCore } from "../links/computing.js";

const words = wordsIn("en");
const compute = await wholeCore("simd");

const readme = readFileSync(new URL("../../web/config/README.md", import.meta.url), "utf8");

/** The names of a lab's tensors in web/config/README.md, which describes links. */
function described(id: string): string[] {
  const row = new RegExp(`^\\| \`${id}\` +\\| (.*: \`.*)$`, "m").exec(readme)![1]!;
  return [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

/** The tensors in the description of links that no scene draws as a matrix: images, curves, and those shown only by a note or a chart. */
const undrawn: Partial<Record<LabId, string[]>> = {
  vit: ["image", "normalised"],
  "encoder-decoder": ["logits"],
  optimizers: ["sgd.path", "sgd.loss"],
  losses: ["log_p"],
  complexity: ["words", "pairs", "width", "products", "work"],
  scaling: ["scores", "scaled"],
  words: ["other", "apart.cosine"],
};

/** Tensors that are drawn only when the target is one of their own cells. */
const drawnForOwnCells: Record<string, string[]> = {
  "lab=multi-head": ["x", "W_Q", "W_K", "W_V", "Q", "K", "V"],
  "lab=vit&compare=projection": ["W_E"],
};

const links = [...labIds.map((id) => `lab=${id}`), "lab=vit&compare=projection"];

describe.each(links)("%s", async (link) => {
  const { config } = decode(link);
  const id = config.view.lab;
  await loadLab(id);
  const snapshots: Snapshots = new Map(compute(config).snapshots.map((one) => [one.name, one]));
  const names = framedTensors(config, snapshots, words);
  const stops = labOf(config).steps(config, words, snapshots);
  const room = { width: frameWidth, height: frameRoom, layout: "narrow", arrangement: null, words } as const;
  const first = { ...room, step: 0, cell: stops[0]!.cell };
  const shown = (at: TargetRoom, focus: readonly string[]) =>
    framedScene(config, snapshots, at, focus, (height) => height()).tensors;
  const nodes = (tensors: readonly PlacedTensor[]) => [...new Set(tensors.map(({ node }) => node))].sort();

  test("each drawn tensor, alone at every stop", () => {
    expect(names.length).toBeGreaterThan(0);
    for (const [step, { cell }] of stops.entries())
      for (const name of names)
        expect([step, name, nodes(shown({ ...room, step, cell }, [name]))]).toEqual([step, name, [name]]);
  });

  test("each is drawn whole with its own labels: nothing lies left of the frame or right of its scrollable area", () => {
    for (const name of names) {
      const scene = framedScene(config, snapshots, first, [name], (height) => height());
      for (const { text, x, anchor } of scene.labels) {
        const width = textWidth(text);
        const left = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
        expect([name, text, left > -0.01]).toEqual([name, text, true]);
      }
      for (const board of boardsOf(scene, snapshots)) {
        const right = board.tensor!.placed.x + boardRectangle(board).width;
        expect([name, right < scene.width + 0.01]).toEqual([name, true]);
      }
    }
  });

  test("all of them at once, from whichever scenes draw them", () => {
    for (const [step, { cell }] of stops.entries()) {
      const tensors = shown({ ...room, step, cell }, names);
      expect(nodes(tensors)).toEqual([...names].sort());
      expect(new Set(tensors.map((tensor) => tensor.id)).size).toBe(tensors.length);
    }
  });

  test("without a selection, the lab as usual", () => {
    expect(shown(first, ["nothing"])).toEqual(shown(first, []));
  });

  test("tensors that links name are drawn, except those that no scene draws", () => {
    const missing = described(id).filter((name) => snapshots.has(name) && !names.includes(name));
    expect(missing).toEqual(undrawn[id] ?? []);
    expect(names).toEqual(expect.arrayContaining(drawnForOwnCells[link] ?? []));
  });

  test("tensors that are not drawn are drawn neither at the first nor at the last cell of any tensor", () => {
    for (const layout of ["wide", "two", "narrow"] as const)
      for (const { name, shape } of snapshots.values())
        for (const cell of [
          { node: name, index: shape.map(() => 0) },
          { node: name, index: shape.map((length) => length - 1) },
        ]) {
          const scene = sceneFor(config, snapshots, { ...first, width: 1200, layout, cell });
          expect([
            cell,
            scene.tensors.map(({ node }) => node).filter((node) => !names.includes(node)),
          ]).toEqual([cell, []]);
        }
  });
});

test("a tensor alone has the names of its rows and columns, wherever they are on the stage; tensors side by side begin at one height", () => {
  const { config } = decode("lab=attention&tokens=the,cat,sat");
  const snapshots: Snapshots = new Map(compute(config).snapshots.map((one) => [one.name, one]));
  const cell = { node: "weights", index: [0, 0] };
  const room = { width: frameWidth, height: frameRoom, layout: "narrow", arrangement: null, words } as const;
  const { tensors } = framedScene(
    config,
    snapshots,
    { ...room, step: 0, cell },
    ["weights", "output"],
    () => 0,
  );
  const tokens = ["the", "cat", "sat"];
  expect(tensors.map(({ node, rowNames, columnNames }) => [node, rowNames, columnNames])).toEqual([
    ["weights", tokens, tokens],
    ["output", tokens, undefined],
  ]);
  expect(tensors[1]!.y).toBe(tensors[0]!.y);
  expect(tensors[1]!.x).toBeGreaterThan(tensors[0]!.x);
});
