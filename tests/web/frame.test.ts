// A frame: tensors that are wanted alone are shown at every stop of their lab, whichever stop draws them.
import { expect, test } from "vitest";
import { choices } from "../../web/config/bounds.js";
import { defaults } from "../../web/config/defaults.js";
import type { Config } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import { loadLab } from "../../web/labs/index.js";
import type { Snapshots } from "../../web/marks/scene.js";
import { framedScene, framedTensors, frameRoom, frameWidth } from "../../web/page/frame.js";
import { labOf } from "../../web/page/open-lab.js";
import { wholeCore } from "../links/computing.js";

const words = wordsIn("en");
const compute = await wholeCore("simd");

test.each(choices.lab)("%s", async (id) => {
  await loadLab(id);
  const config = defaults(id) as Config;
  const snapshots: Snapshots = new Map(compute(config).snapshots.map((one) => [one.name, one]));
  const names = framedTensors(config, snapshots, words);
  expect(names.length).toBeGreaterThan(0);
  const stops = labOf(config).steps(config, words);
  const room = { width: frameWidth, height: frameRoom, layout: "narrow", arrangement: null, words } as const;
  for (const [step, { cell }] of stops.entries())
    for (const name of names) {
      const { tensors } = framedScene(config, snapshots, { ...room, step, cell }, [name], (height) =>
        height(),
      );
      expect([step, name, [...new Set(tensors.map(({ node }) => node))]]).toEqual([step, name, [name]]);
    }
  // None of them: the lab as ever.
  const first = { ...room, step: 0, cell: stops[0]!.cell };
  const [whole, ever] = [["nothing"], []].map((focus) =>
    framedScene(config, snapshots, first, focus, () => 0),
  );
  expect(whole!.tensors).toEqual(ever!.tensors);
});
