// The leaves that a Config allows to be edited are leaves of the graph that its lab builds, with the same shapes.
import { describe, expect, test } from "vitest";
import type { Config, ConfigOf, LabId, NumbersOf } from "../../web/config/config.js";
import { defaults } from "../../web/config/defaults.js";
import { settingsOf } from "../../web/config/labs.js";
import { validateConfig } from "../../web/config/validate.js";
import { sessionOf } from "./labs-sessions.js";

const words = { tokens: ["a", "b", "c"], source: "words" } as const;
const cases: [LabId, object][] = [
  ["attention", {}],
  ["attention", { ...words, x: null, memory: ["d", "e"], keyDim: 2, valueDim: 5 }],
  ["multi-head", { ...words, dim: 12, heads: 2, keyDim: 3, valueDim: 4 }],
  ["multi-head", { length: 3, batch: 2, dim: 12, heads: 2, keyDim: 3, valueDim: 4 }],
  ...(["sinusoidal", "absolute", "learned", "rotary", "alibi", "shift"] as const).flatMap(
    (encoding): [LabId, object][] => [
      ["positions", { encoding, length: 4, dim: 6 }],
      ["positions", { encoding, length: 4, dim: 6, x: [[1, 2, 3, 4, 5, 6]] }],
    ],
  ),
  ["vit", { size: 16 }],
  ["vit", { size: 16, compare: "projection" }],
  ["vit", { size: 16, compare: "projection", cls: true }],
  ["vit", { size: 16, compare: "projection", cls: true, layers: 1 }],
];

describe("leaves", () => {
  test.each(cases)("%s %j", (lab, change) => {
    const config = {
      ...defaults(lab),
      example: null,
      numbers: { ...defaults(lab).numbers, ...change },
    } as ConfigOf<LabId>;
    validateConfig(config);
    const session = sessionOf(config);
    const built = session.compute(config as Config);
    expect(built.error).toBeUndefined();
    const shapes = settingsOf(lab).leaves(config.numbers as NumbersOf[typeof lab]);
    for (const [node, shape] of Object.entries(shapes)) {
      const snapshot = built.snapshots.find(({ name }) => name === node);
      expect(snapshot?.shape, node).toEqual(shape);
      // The last cell of each leaf can be edited, and the edit takes effect.
      const index = shape.map((length) => length - 1);
      const edited = session.compute({
        ...config,
        numbers: { ...config.numbers, edits: [{ node, index, value: 7 }] },
      } as Config);
      expect(edited.error, node).toBeUndefined();
      expect(edited.snapshots.find(({ name }) => name === node)?.data.at(-1)).toBe(7);
    }
    session.delete();
  });
});
