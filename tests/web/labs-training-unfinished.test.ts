// A run that has not come to its step yet sends the numbers that the lab shows, and all of them when it has.
import { expect, test } from "vitest";
import type { Config, ConfigOf } from "../../web/config/config.js";
import { modelsOf, presetOf, tasks } from "../../web/config/labs/training.js";
import { examples } from "../../web/examples/index.js";
import { wordsIn } from "../../web/i18n/words.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { boardsOf } from "../../web/marks/board.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { lacksNumbers } from "../../web/page/cells.js";
import { sceneFor } from "../../web/page/open-lab.js";
import { TrainingSession } from "../../web/session/worker/training-session.js";
import { drawnPlaces } from "../../web/stage/series.js";
import { configOf, labOf, wholeCore } from "./labs-sessions.js";

const words = wordsIn("en");

/** Gives `use` what the first answer on the way to a far step holds, and its session. */
function unfinished(
  config: ConfigOf<"training">,
  use: (snapshots: Snapshots, session: TrainingSession) => void,
): void {
  const session = new TrainingSession(wholeCore, wholeBuilds);
  try {
    const answer = session.compute(config as unknown as Config);
    expect([answer.error, answer.isUnfinished]).toEqual([undefined, true]);
    use(new Map(answer.snapshots.map((snapshot) => [snapshot.name, snapshot])), session);
  } finally {
    session.delete();
  }
}

const far = { steps: 5000, step: 5000 };
const configs: [string, ConfigOf<"training">][] = [
  ...examples
    .filter(({ config }) => config.view.lab === "training")
    .map(({ id }): [string, ConfigOf<"training">] => [id, configOf<"training">(id, far)]),
  ...tasks.flatMap((task) =>
    modelsOf[task].map((model): [string, ConfigOf<"training">] => [
      `${task}, ${model}`,
      configOf<"training">("learn-to-reverse", {
        ...presetOf({ seed: 7, beside: [] }, task),
        model,
        ...far,
      }),
    ]),
  ),
  ...[
    "encoder.layers.0.self_attn.scores",
    "encoder.layers.1.linear1.weight:grad:hist",
    "embedding.weight:move",
  ].map((watch): [string, ConfigOf<"training">] => [
    watch,
    configOf<"training">("learn-to-reverse", { ...far, watch }),
  ]),
];

test.each(configs)("everything that is drawn on the way has its numbers: %s", (_name, config) => {
  unfinished(config, (snapshots) => {
    const { cell } = labOf(config).steps(config, words, snapshots)[0]!;
    for (const layout of ["wide", "narrow"] as const) {
      const width = layout === "wide" ? 1232 : 358;
      const scene = sceneFor(config as unknown as Config, snapshots, {
        width,
        height: 542,
        layout,
        step: 0,
        cell,
        words,
      });
      const drawn = [
        ...boardsOf(scene, snapshots).map(({ node }) => node),
        ...scene.curves.flatMap(({ cells = [] }) => cells.map(({ node }) => node)),
      ];
      expect(drawn.length).toBeGreaterThan(0);
      expect(drawn.filter((node) => lacksNumbers(snapshots.get(node)!))).toEqual([]);
    }
  });
});

test("the steps inside the model come without numbers on the way, and are explained all the same", () => {
  unfinished(configOf<"training">("learn-to-reverse", { ...far, beside: [] }), (snapshots, session) => {
    const weights = snapshots.get("encoder.layers.0.self_attn.weights")!;
    const hidden = snapshots.get("encoder.layers.0.linear1")!;
    expect(lacksNumbers(weights)).toBe(false);
    expect(lacksNumbers(hidden)).toBe(true);
    expect(hidden.shape).toHaveLength(3);
    const { value, uses } = session.explain(hidden.name, [0, 0, 0]);
    expect(Number.isFinite(value)).toBe(true);
    // The numbers of the cells that use it come with the explanation.
    for (const { node, index, value: used } of uses) expect(used).toBe(session.explain(node, index).value);
    expect(uses.length).toBeGreaterThan(0);
  });
});

test("at its step everything has its numbers", () => {
  const config = configOf<"training">("learn-to-reverse", { step: 3, beside: [] }) as unknown as Config;
  const session = new TrainingSession(wholeCore, wholeBuilds);
  let answer = session.compute(config);
  while (answer.isUnfinished) answer = session.compute(config);
  expect(answer.snapshots.filter(lacksNumbers).map(({ name }) => name)).toEqual([]);
  session.delete();
});

test("a long curve is drawn through the lowest and the highest number of each of its parts", () => {
  const numbers = Array.from({ length: 5000 }, (_, at) => Math.sin(at * at));
  numbers[7] = NaN;
  const places = drawnPlaces(numbers, 5000);
  expect(places.length).toBeLessThan(700);
  expect([places[0], places.at(-1)]).toEqual([0, 4999]);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  const finite = numbers.filter((value) => !Number.isNaN(value));
  expect(places).toContain(numbers.indexOf(Math.max(...finite)));
  expect(places).toContain(numbers.indexOf(Math.min(...finite)));
  expect(drawnPlaces(numbers, 5000, 1234)).toContain(1234);
  // It keeps what it has while it grows, but for its end and the part that is not complete.
  const before = drawnPlaces(numbers.slice(0, 2000), 5000).slice(0, -3);
  expect(places).toEqual(expect.arrayContaining(before));
  expect(drawnPlaces(numbers.slice(0, 300), 400)).toEqual(
    Array.from({ length: 300 }, (_, at) => at).filter((at) => at !== 7),
  );
});
