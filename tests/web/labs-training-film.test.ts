// The film of a run: a head at its kept moments, with the weights that the run had there.
import { expect, test } from "vitest";
import type { Config, ConfigOf } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { FILM_HEAD, frameNode, framesIn } from "../../web/labs/training/film.js";
import { Run } from "../../web/labs/training/runs.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { boardsOf } from "../../web/marks/board.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { TrainingSession } from "../../web/session/worker/training-session.js";
import { configOf, labOf, wholeCore } from "./labs-sessions.js";

const steps = 40;
const words = wordsIn("en");

/** Gives `use` a function that goes to settings and returns the numbers there; one session for all. */
function inSession(use: (goTo: (config: ConfigOf<"training">) => Snapshots) => void): void {
  const session = new TrainingSession(wholeCore, wholeBuilds);
  try {
    use((config) => {
      const asked = config as unknown as Config;
      let answer = session.compute(asked, true);
      while (answer.isUnfinished) answer = session.compute(asked, true);
      expect(answer.error).toBeUndefined();
      return new Map(answer.snapshots.map((snapshot) => [snapshot.name, snapshot]));
    });
  } finally {
    session.delete();
  }
}

/** The weights of the head of the film among those of the moment that is shown. */
function shownHead(snapshots: Snapshots, [layer, head]: readonly number[]): number[] {
  const { shape, data } = snapshots.get(`encoder.layers.${layer}.self_attn.weights`)!;
  const size = shape[2]! * shape[3]!;
  return Array.from(data.slice(head! * size, (head! + 1) * size));
}

test("each frame has the weights of its step, and the run goes on as if it had not been looked at", () => {
  const at = (step: number, more = {}) =>
    configOf<"training">("learn-to-reverse", { steps, step, beside: [], ...more });
  inSession((goTo) => {
    const end = goTo(at(steps));
    expect(framesIn(end)).toEqual([0, 8, 16, 24, 32, 40]);
    const place = Array.from(end.get(FILM_HEAD)!.data);
    // The first sample is another one: all its frames are computed again, from the kept moments.
    const again = goTo(at(steps, { samples: ["27182818", "31415926"] }));
    expect(framesIn(again)).toEqual(framesIn(end));
    expect(again.get(frameNode(8))!.data).not.toEqual(end.get(frameNode(8))!.data);
    expect(goTo(at(steps)).get(frameNode(8))!.data).toEqual(end.get(frameNode(8))!.data);
    for (const step of framesIn(end)) {
      const moment = goTo(at(step));
      expect(Array.from(end.get(frameNode(step))!.data)).toEqual(shownHead(moment, place));
      // What the run has come to stays on the film.
      expect(framesIn(moment)).toEqual(framesIn(end));
      expect(moment.get("run_0.losses")).toEqual(end.get("run_0.losses"));
    }
    expect(goTo(at(steps)).get("loss")).toEqual(end.get("loss"));
  });
});

test("the film is of the head that looks most at the right places", () => {
  inSession((goTo) => {
    const end = goTo(configOf<"training">("learn-to-reverse", { steps, step: steps, beside: [] }));
    const [layer, head] = Array.from(end.get(FILM_HEAD)!.data) as [number, number];
    const shares = [0, 1].map((one) => Array.from(end.get(`layer_${one}.focus`)!.data));
    expect(shares[layer]![head]).toBe(Math.max(...shares.flat()));
  });
});

test.each([
  ["wide", 1232, 2, 3],
  ["wide", 1232, 12, 3],
  ["two", 772, 2, 6],
  ["narrow", 358, 2, 6],
] as const)("the frames do not touch, %s, %i pixels, %i layers", (layout, width, layers, inLine) => {
  inSession((goTo) => {
    const config = configOf<"training">("learn-to-reverse", { layers, steps: 10, step: 10, beside: [] });
    const snapshots = goTo(config);
    const { cell } = labOf(config).steps(config, words, snapshots)[0]!;
    const room = { width, height: 542, layout, step: 0, cell, words } as const;
    const scene = sceneFor(config as unknown as Config, snapshots, room);
    const frames = boardsOf(scene, snapshots).filter(({ node }) => /^film_\d/.test(node));
    expect(frames).toHaveLength(6);
    expect(new Set(frames.map(({ y }) => y)).size).toBe(6 / inLine);
    const ends = frames.map(({ x, columns, cellWidth }) => x + columns * cellWidth);
    for (let at = 1; at < inLine; at++) expect(frames[at]!.x).toBeGreaterThan(ends[at - 1]!);
    expect(Math.max(...ends)).toBeLessThan(scene.note?.x ?? width);
  });
});

test("where no map of the film can be read, the samples and the note have its room", () => {
  inSession((goTo) => {
    const config = configOf<"training">("learn-to-reverse", { length: 16, samples: ["0123456789012345"] });
    const snapshots = goTo(config);
    expect(framesIn(snapshots)).toEqual([0]);
    const { cell } = labOf(config).steps(config, words, snapshots)[0]!;
    const sceneAt = (width: number) =>
      sceneFor(config as unknown as Config, snapshots, {
        ...{ width, height: 542, layout: "wide", step: 0, cell, words },
      });
    const hasFilm = (width: number): boolean =>
      boardsOf(sceneAt(width), snapshots).some(({ node }) => node.startsWith("film_"));
    expect([hasFilm(1152), hasFilm(1392)]).toEqual([false, true]);
    expect(sceneAt(1152).note!.width).toBeGreaterThan(sceneAt(1392).note!.width);
  });
});

test("the film ends with the latest moment, also of a run whose steps are no multiple of ten", () => {
  inSession((goTo) => {
    const end = goTo(configOf<"training">("learn-to-reverse", { steps: 11, step: 11, beside: [] }));
    expect(framesIn(end)).toEqual([0, 4, 8, 11]);
  });
});

test("the film of a run that a file opens goes on from the file’s moment", () => {
  const { numbers } = configOf<"training">("learn-to-reverse", { steps, beside: [] });
  const [first, second] = [new Run(wholeCore, numbers), new Run(wholeCore, numbers)];
  first.goTo(10, Infinity);
  second.resume(first.trainer.save(), first.record);
  second.goTo(10, Infinity);
  expect(second.filmed).toEqual([0, 10]);
  second.goTo(17, Infinity);
  expect(second.filmed).toEqual([0, 16]);
  for (const { trainer } of [first, second]) trainer.delete();
});

test.each([
  ["a text", { task: "text", model: "decoder", samples: ["the"], window: 16, beside: [] }],
  ["a decoder, which reads its own answers", { model: "decoder", beside: [] }],
  ["a task that names no place", { task: "sort", beside: [] }],
])("there is no film of %s", (_name, changes) => {
  inSession((goTo) => {
    const config = { steps: 1, step: 0, ...changes } as Partial<ConfigOf<"training">["numbers"]>;
    const snapshots = goTo(configOf<"training">("learn-to-reverse", config));
    expect(snapshots.has("asked_0.certainty")).toBe(true);
    expect(framesIn(snapshots)).toEqual([]);
    expect(snapshots.has(FILM_HEAD)).toBe(false);
  });
});

test("a run that diverged keeps its film", () => {
  inSession((goTo) => {
    const wild = { rate: 100, warmup: 0, clip: 0, beside: [] };
    const snapshots = goTo(
      configOf<"training">("learn-to-reverse", { steps, step: steps, optimizer: "sgd", ...wild }),
    );
    const stuck = snapshots.get("run_0.stuck")!.data[0]!;
    expect(framesIn(snapshots)).toEqual([0, 8, 16, 24, 32, 40].filter((step) => step < stuck));
  });
});
