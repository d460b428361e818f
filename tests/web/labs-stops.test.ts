// The content of each stop of Play: nothing of a later stop, no axes without a line, no text without a drawing beside it, and a cell that its sentence
// describes.
import { expect, test } from "vitest";
import type { Config, LabId } from "../../web/config/config.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn } from "../../web/i18n/words.js";
import { showsCell } from "../../web/marks/board.js";
import { textWidth } from "../../web/marks/measure.js";
import type { Label, TargetRoom, Scene, Snapshots } from "../../web/marks/scene.js";
import { sceneUntil } from "../../web/marks/stops.js";
import type { Step } from "../../web/marks/wording.js";
import { labOf as typedLab, sceneFor } from "../../web/page/open-lab.js";
import { computed, configOf } from "./labs-sessions.js";
import { imageBox, boxesOf, outside, overlaps, tensorBox, type Box } from "./labs-geometry.js";

const rooms = {
  1280: { width: 1232, height: 542, layout: "wide" },
  1440: { width: 1312, height: 609, layout: "wide" },
  820: { width: 772, height: 700, layout: "two" },
  390: { width: 358, height: 700, layout: "narrow" },
} as const;
/** The height left in a window of 800 or 900 px under two lines of text and above the bar of Play, and the labs with more lines of text. */
const tallHeads = ["pre-norm", "harbour-encoder"];
const languages = ["en", "zh-CN"] as const;

/** The distance from a text to the drawing it belongs to. Column names may stand between a heading and its line. */
const BESIDE = 60;
const HEADS = 150;

interface Drawn {
  where: string;
  config: Config;
  snapshots: Snapshots;
  steps: Step[];
  step: number;
  wide: boolean;
  /** How much higher the stage is than its room. */
  over: number;
  whole: Scene;
  scene: Scene;
}

function* everyStop(config: Config): Generator<Drawn> {
  const lab = typedLab(config);
  const { snapshots } = computed(config as never);
  for (const language of languages) {
    const words = wordsIn(language);
    const steps = lab.steps(config, words, snapshots);
    for (const [size, given] of Object.entries(rooms))
      for (const [step, { id, cell }] of steps.entries()) {
        // A sentence of two lines and a formula of two lines leave less height.
        const height = given.height - (size === "1280" && tallHeads.includes(config.example ?? "") ? 33 : 0);
        const room: TargetRoom = { ...given, height, step, cell, words };
        const whole = sceneFor(config, snapshots, room);
        const where = `${size} ${language} stop ${id}`;
        const over = given.layout === "wide" ? whole.height - room.height : 0;
        yield {
          where,
          config,
          snapshots,
          steps,
          step,
          whole,
          over,
          wide: given.layout === "wide",
          scene: sceneUntil(whole, step),
        };
      }
  }
}

/** The parts drawn at one stop that belong to a later stop. */
function early({ steps, step, whole, snapshots }: Drawn): string[] {
  const stopOf = (node: string): number => steps.findIndex(({ nodes }) => nodes.includes(node));
  const inputs = (node: string): boolean => snapshots.get(node)?.op === "leaf";
  const late = (node: string, at: number): boolean => !inputs(node) && stopOf(node) > at;
  const things: [string, number, string[]][] = [
    ...whole.tensors.map((one): [string, number, string[]] => [one.id, one.step, [one.node]]),
    ...whole.operators.map((one): [string, number, string[]] => [one.id, one.step, [one.node]]),
    ...whole.curves.map((one): [string, number, string[]] => [
      one.id,
      one.step,
      (one.cells ?? []).map(({ node }) => node),
    ]),
    ...whole.images.map((one): [string, number, string[]] => [
      one.id,
      one.step,
      one.veil ? [one.veil.node] : [],
    ]),
  ];
  return things
    .filter(([, at, nodes]) => at <= step && nodes.some((node) => late(node, step)))
    .map(([id, at, nodes]) => `${id} of ${[...new Set(nodes)].join()} comes at ${at}`);
}

/** The heights of the longest notes measured on the page at 1280 and 1440: of a layer norm, of a row of mixed values, of a softmax. */
const longestNote: Partial<Record<LabId, number>> = {
  bert: 314,
  "encoder-decoder": 306,
  block: 252,
  positions: 203,
  "multi-head": 253,
};
const usualNote = 232;

/** The parts of a scene with all its stops that the longest note of a lab would cover. */
function covered({ config, whole, snapshots }: Drawn): string[] {
  if (!whole.note || whole.note.follows) return [];
  const { x, y, width } = whole.note;
  const bottom = y + (longestNote[config.view.lab] ?? usualNote);
  const note: Box = { name: "note", left: x, right: x + width, top: y, bottom };
  const texts = whole.labels.map(({ x, y, text }): Box => ({
    name: text,
    left: x - 2,
    right: x + 2,
    top: y - 9,
    bottom: y,
  }));
  const all = [...whole.tensors.map((tensor) => tensorBox(tensor, snapshots)), ...texts];
  return all.flatMap((box) => overlaps([note, box]));
}

/** Charts whose axes are drawn without any of their lines. */
function emptyCharts(scene: Scene): string[] {
  return scene.curves
    .filter(({ id }) => id.endsWith("-x"))
    .map(({ id }) => id.slice(0, -2))
    .filter((chart) => {
      const axes = new RegExp(`^${chart}-[xy](?:[−-]?[0-9.e]+)?$`);
      const lines = scene.curves.filter(
        ({ id, points }) => id.startsWith(`${chart}-`) && !axes.test(id) && points.length,
      );
      return lines.length === 0;
    });
}

/** Whether a text stands over or beside a thing. */
function isBeside({ x, y, text, anchor = "start", kind }: Label, box: Box): boolean {
  const width = textWidth(text, 12.5);
  const left = x - { start: 0, middle: width / 2, end: width }[anchor];
  const across = Math.max(box.left - left - width, 0, left - box.right);
  const down = Math.max(box.top - y, 0, y - 11 - box.bottom);
  if (kind === "heading" && box.top > y && down <= HEADS) return true;
  return Math.hypot(across, down) <= BESIDE;
}

/** Texts with no drawing beside them. */
function alone({ scene, snapshots }: Drawn): string[] {
  const boxes: Box[] = [
    ...scene.tensors.map((tensor) => tensorBox(tensor, snapshots)),
    ...scene.images.map(imageBox),
    ...scene.curves
      .filter(({ points }) => points.length)
      .map(({ id, points }) => ({
        name: id,
        left: Math.min(...points.map(([x]) => x)),
        right: Math.max(...points.map(([x]) => x)),
        top: Math.min(...points.map(([, y]) => y)),
        bottom: Math.max(...points.map(([, y]) => y)),
      })),
  ];
  return scene.labels
    .filter((label) => label.kind !== "shape" && !boxes.some((box) => isBeside(label, box)))
    .map(({ text }) => text);
}

/** The reason why a stop's cell is a bad choice: a weight that is not the largest of its row, or a number near 0. */
function faultsOfCell({ config, snapshots, steps, step, scene }: Drawn): string[] {
  const { node, index } = steps[step]!.cell;
  const { shape, data } = snapshots.get(node)!;
  const width = shape.at(-1)!;
  const place = index.reduce((at, one, axis) => at * shape[axis]! + one, 0);
  const row = [...data.subarray(place - index.at(-1)!, place - index.at(-1)! + width)].map(Math.abs);
  const here = row[index.at(-1)!]!;
  const shown = scene.tensors.find((tensor) => tensor.node === node);
  const weights = shown?.fill === "probability" && Math.abs(row.reduce((sum, one) => sum + one) - 1) < 1e-9;
  // The class token's weight for itself explains nothing about the image.
  const cls = "cls" in config.numbers && config.numbers.cls && /^cls_|^layers|^weights$/.test(node) ? 1 : 0;
  const most = Math.max(...row.slice(cls).filter(Number.isFinite));
  if (weights && here < most)
    return [`${node}[${index.join()}] is ${here}, another weight of its row ${most}`];
  return most > 1e-9 && here < 0.03 * most
    ? [`${node}[${index.join()}] is ${here} in a row up to ${most}`]
    : [];
}

/** A pixel is shown on the whole image or in a patch. */
const shows = (scene: Scene, snapshots: Snapshots, cell: Step["cell"]): boolean =>
  showsCell(scene, snapshots, cell) || scene.images.some(({ node }) => node === cell.node);

test.each(examples.map(({ id, config }) => [id, config] as const))(
  "%s: a stop shows nothing of a later one, no axes without a line, no text beside nothing, no box on another; its cell tells",
  (_, config) => {
    const found = new Map<string, string>();
    for (const drawn of everyStop(config)) {
      const { where, scene, snapshots, steps, step } = drawn;
      const { cell, nodes } = steps[step]!;
      const boxes = boxesOf(scene, snapshots);
      const wrong = [
        ...early(drawn),
        ...emptyCharts(scene).map((chart) => `no line on ${chart}`),
        ...alone(drawn).map((text) => `alone: ${text}`),
        ...(drawn.over > 6 ? [`${drawn.over} under the bar`] : []),
        ...faultsOfCell(drawn),
        ...(drawn.wide ? covered(drawn) : []),
        ...overlaps(boxes),
        ...outside(boxes, scene.width, scene.height),
        ...(shows(scene, snapshots, cell) && nodes.includes(cell.node)
          ? []
          : [`no ${cell.node} ${cell.index.join()}`]),
      ];
      for (const one of wrong) found.set(one, found.get(one) ?? where);
    }
    expect([...found].map(([one, where]) => `${where}: ${one}`)).toEqual([]);
  },
);

test.each(examples.map(({ id, config }) => [id, config] as const))(
  "%s: whatever number is gone to, its stage ends above the bar at 1280 × 800",
  (id, config) => {
    const lab = typedLab(config);
    const { snapshots } = computed(config as never);
    const words = wordsIn("en");
    const steps = lab.steps(config, words, snapshots);
    const height = rooms[1280].height - (tallHeads.includes(id) ? 33 : 0);
    const under: string[] = [];
    for (const { name, shape } of snapshots.values()) {
      const cell = { node: name, index: shape.map(() => 0) };
      const step = Math.max(
        0,
        steps.findIndex(({ nodes }) => nodes.includes(name)),
      );
      const scene = sceneFor(config, snapshots, { ...rooms[1280], height, step, cell, words });
      if (scene.height > height + 6) under.push(`${name}: ${scene.height - height}`);
    }
    expect(under).toEqual([]);
  },
);

test("a saddle with its warning above: Adam's three lines end above the bar at 1280 × 800", () => {
  const numbers = { surface: "saddle", optimizer: "adam" } as const;
  const config = configOf<"optimizers">("five-on-a-bowl", numbers) as unknown as Config;
  const { snapshots } = computed(config as never);
  const words = wordsIn("en");
  const lab = typedLab(config);
  expect(lab.remarks(config, snapshots, words)).toHaveLength(1);
  const height = 515;
  const scene = sceneFor(config, snapshots, {
    ...rooms[1280],
    height,
    step: 1,
    cell: { node: "next", index: [0, 0] },
    words,
  });
  expect(scene.height).toBeLessThanOrEqual(height + 6);
});

test.each(examples.map(({ id }) => id))("every stop of %s has a title and a sentence", (id) => {
  const config = configOf(id) as unknown as Config;
  const { snapshots } = computed(config as never);
  for (const language of languages)
    for (const step of typedLab(config).steps(config, wordsIn(language), snapshots)) {
      expect(step.title, step.id).not.toBe("");
      expect(step.sentence, step.id).not.toBe("");
    }
});
