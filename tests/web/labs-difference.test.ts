// The difference of two states, as a session computes it.
import { afterEach, describe, expect, test } from "vitest";
import type { Config } from "../../web/config/config.js";
import type { Before } from "../../web/session/messages.js";
import { builds } from "../../web/labs/builds.js";
import { Session } from "../../web/session/worker/session.js";
import { configOf, core } from "./labs-sessions.js";

const sessions: Session[] = [];
function session(): Session {
  const made = new Session(core, builds);
  sessions.push(made);
  return made;
}
afterEach(() => sessions.splice(0).forEach((one) => one.delete()));

const numbersBefore = (one: Session, config: Config): Before[] =>
  one.compute(config).snapshots.map(({ name, shape, data }) => ({ name, shape, data: data.slice() }));

describe("difference", () => {
  const words = configOf<"attention">("four-words") as Config;

  test("is the present number minus the earlier one, cell by cell", () => {
    const one = session();
    const before = numbersBefore(one, words);
    const now = one.compute(configOf<"attention">("four-words", { mask: "causal" }) as Config).snapshots;
    const differences = one.difference(before);
    const names = differences.map(({ name }) => name);
    expect(names).toContain("weights");
    expect(names, "a tensor that was not there").not.toContain("masked");
    let changed = 0;
    for (const { name, shape, data } of differences) {
      const then = before.find((other) => other.name === name)!;
      const there = now.find((other) => other.name === name)!;
      expect(shape).toEqual(there.shape);
      data.forEach((value, at) => expect(value).toBe(there.data[at]! - then.data[at]!));
      if (data.some((value) => value !== 0)) changed += 1;
    }
    expect(changed, "weights and output").toBe(2);
  });

  test("leaves out tensors whose shape changed, and frees its graphs", () => {
    const one = session();
    const before = numbersBefore(one, words);
    one.compute(configOf<"attention">("four-words", { keyDim: 5 }) as Config);
    const handles = core.liveHandles;
    const names = one.difference(before).map(({ name }) => name);
    expect(core.liveHandles).toBe(handles);
    expect(names).toContain("scores");
    expect(names).not.toContain("Q");
  });

  test("is refused before anything is computed", () => {
    expect(() => session().difference([])).toThrow("nothing is computed yet");
  });
});
