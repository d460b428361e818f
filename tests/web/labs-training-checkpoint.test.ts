// Runs as files: saved in one worker, opened in another, which goes on to the same numbers bit for bit.
import { afterAll, describe, expect, test } from "vitest";
import { encode } from "../../web/config/codec.js";
import { decode } from "../../web/config/decode.js";
import type { Config } from "../../web/config/config.js";
import { load } from "../../web/core/transformer/part.js";
import { recognizeFile } from "../../web/files/saved-link.js";
import { readMetadata, withMetadata } from "../../web/files/safetensors-metadata.js";
import { checkpointCalls } from "../../web/labs/training/checkpoint.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { TransformerSession } from "../../web/session/worker/transformer-session.js";

const configAt = (step: number, more = ""): Config =>
  decode(`v=1&lab=training&beside=none&steps=40&step=${step}${more}`).config;

const sessions: TransformerSession[] = [];
afterAll(() => sessions.forEach((one) => one.delete()));

/** A worker of its own. */
async function worker() {
  const core = await load({ build: "simd" });
  const session = new TransformerSession(core, wholeBuilds);
  sessions.push(session);
  /** The losses and learning rates of the run at the step of a Config, and the probabilities of its answers. */
  const run = (config: Config) => {
    for (;;) {
      const { snapshots, isUnfinished, error } = session.compute(config, true);
      if (error !== undefined) throw new Error(error);
      if (isUnfinished) continue;
      const all = new Map(snapshots.map(({ name, data }) => [name, Array.from(data)]));
      return {
        losses: all.get("run_0.losses"),
        answers: all.get("asked_0.probabilities"),
        rates: all.get("learning_rates"),
      };
    }
  };
  return { run, ...checkpointCalls(core) };
}

describe("a run that is saved and opened in another worker", () => {
  test("goes on bit for bit, with its losses from the first step on", async () => {
    const [first, second] = [await worker(), await worker()];
    first.run(configAt(12));
    const link = `https://example.org/#${encode(configAt(12))}`;
    const file = first.checkpoint(configAt(12), link);
    expect(recognizeFile(file)).toEqual({ kind: "checkpoint", hash: encode(configAt(12)) });
    const there = first.run(configAt(30));
    second.openCheckpoint(configAt(12), file);
    const opened = second.run(configAt(12));
    expect(opened.losses).toEqual(there.losses!.slice(0, 12));
    expect(second.run(configAt(30))).toEqual(there);
    // Back before the moment of the file, the run is computed from its beginning.
    expect(second.run(configAt(5)).answers).toEqual(first.run(configAt(5)).answers);
  });

  test("has no learning rates if it was saved before they were recorded, and all else", async () => {
    const [first, second] = [await worker(), await worker()];
    const there = first.run(configAt(12));
    expect(there.rates).toHaveLength(12);
    const file = first.checkpoint(configAt(12), "#v=1");
    const texts = readMetadata(file)!;
    const { rates: _rates, ...older } = JSON.parse(texts["attention-playground.record"]!) as {
      rates: number[];
    };
    const record = { ...texts, "attention-playground.record": JSON.stringify(older) };
    second.openCheckpoint(configAt(12), withMetadata(file, record));
    expect(second.run(configAt(12))).toEqual({ ...there, rates: undefined });
    expect(second.run(configAt(30))).toEqual({ ...first.run(configAt(30)), rates: undefined });
    // A run that has made no step has missed none.
    const third = await worker();
    third.run(configAt(0));
    const unbegun = third.checkpoint(configAt(0), "#v=1");
    const before = readMetadata(unbegun)!;
    const { rates: _none, ...empty } = JSON.parse(before["attention-playground.record"]!) as {
      rates: number[];
    };
    const without = { ...before, "attention-playground.record": JSON.stringify(empty) };
    third.openCheckpoint(configAt(0), withMetadata(unbegun, without));
    expect(third.run(configAt(12)).rates).toEqual(there.rates);
  });

  test("is refused where the file is of other settings, and changes nothing", async () => {
    const one = await worker();
    const before = one.run(configAt(3));
    const file = one.checkpoint(configAt(3), "#v=1");
    expect(() => one.openCheckpoint(configAt(3, "&heads=2"), file)).toThrow(/numHeads|num_heads/);
    expect(() => one.openCheckpoint(configAt(3), new Uint8Array(40))).toThrow("no .safetensors file");
    const texts = readMetadata(file)!;
    for (const record of ["", "{}", '{"losses":[1]}', "null"]) {
      const damaged = withMetadata(file, { ...texts, "attention-playground.record": record });
      expect(() => one.openCheckpoint(configAt(3), damaged), record).toThrow("attention-playground.record");
    }
    const shorter = JSON.parse(texts["attention-playground.record"]!) as Record<string, number[]>;
    const groups = shorter["values"]!.length / 3;
    for (const name of ["values", "gradients", "moves"]) shorter[name] = shorter[name]!.slice(groups);
    for (const name of ["losses", "rates"]) shorter[name] = shorter[name]!.slice(1);
    const damaged = withMetadata(file, { ...texts, "attention-playground.record": JSON.stringify(shorter) });
    expect(() => one.openCheckpoint(configAt(3), damaged)).toThrow("2 steps, expected 3");
    expect(one.run(configAt(3))).toEqual(before);
    expect(() => one.checkpoint(decode("v=1&lab=attention").config, "")).toThrow('lab is "attention"');
  });
});

describe("the texts of a .safetensors file", () => {
  test("change without its numbers", async () => {
    const core = await load({ build: "simd" });
    const numbers = { shape: [2, 2], data: Float64Array.of(1, -2, 3.5, 1e-300) };
    const file = core.writeSafetensors({ W: numbers });
    const changed = withMetadata(file, { title: "“标题”" });
    expect(readMetadata(changed)).toEqual({ title: "“标题”" });
    expect(core.readSafetensors(changed)).toEqual({ W: numbers });
    expect(changed.length % 8).toBe(0);
  });

  test("of other files are null", () => {
    for (const file of [new Uint8Array(0), new Uint8Array(100), new TextEncoder().encode('12345678{"a":1}')])
      expect(readMetadata(file)).toBeNull();
  });
});
