// The page's side of the worker: only the newest Config waits, a dead worker is restarted with the same Config, and a missing answer is noticed.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Config } from "../../web/config/config.js";
import { builds } from "../../web/labs/builds.js";
import { sessionCalls } from "../../web/session/calls.js";
import { NoMemory, PartMissing } from "../../web/session/client/launch.js";
import { Session } from "../../web/session/worker/session.js";
import {
  SessionClient,
  Superseded,
  WorkerDied,
  type ClientOptions,
} from "../../web/session/client/session-client.js";
import { configOf, core } from "./labs-sessions.js";
import { InThreadWorker, type Behaviour } from "./in-thread-worker.js";

function started(behaviours: Behaviour[] = [], more: Partial<ClientOptions> = {}) {
  const workers: InThreadWorker[] = [];
  const restarts: string[] = [];
  const client = new SessionClient({
    createWorker() {
      const worker = new InThreadWorker(
        behaviours[workers.length] ?? "works",
        sessionCalls(new Session(core, builds)),
      );
      workers.push(worker);
      return worker as unknown as Worker;
    },
    wasm: () => new ArrayBuffer(0),
    onRestart: (reason) => restarts.push(reason),
    ...more,
  });
  return { client, workers, restarts };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const seeded = (seed: number): Config => configOf<"attention">("cat-on-the-mat", { seed });
const seedsOf = (worker: InThreadWorker): number[] =>
  worker.computed.map(({ numbers }) => (numbers as { seed: number }).seed);

describe("a session in a worker", () => {
  test("computes and explains through messages", async () => {
    const { client, workers } = started();
    const answer = await client.compute(configOf<"attention">("four-words"));
    expect([answer.all, answer.error]).toEqual([true, undefined]);
    expect((await client.explain("scores", [0, 2])).value).toBe(10);
    expect(workers).toHaveLength(1);
    client.close();
  });

  test("builds another graph when an optional setting is removed", () => {
    const session = new Session(core, builds);
    const { output: _, ...given } = configOf<"multi-head">("two-heads").numbers;
    const config = (numbers: typeof given & { output?: boolean }): Config => ({
      ...configOf<"multi-head">("two-heads"),
      numbers,
    });
    const names = (of: Config): string[] => session.compute(of).snapshots.map(({ name }) => name);
    expect(names(config({ ...given, output: false }))).not.toContain("W_O");
    expect(names(config(given))).toContain("W_O");
    session.delete();
  });

  test("does not keep an answer that the page no longer refers to", async () => {
    const { client } = started();
    const droppedAnswers = async (): Promise<WeakRef<object>[]> => [
      new WeakRef(await client.compute(configOf<"attention">("four-words"))),
      new WeakRef(await client.explain("scores", [0, 2])),
    ];
    const answers = await droppedAnswers();
    // A WeakRef keeps its object alive until the end of the current turn.
    await new Promise(setImmediate);
    collectGarbage();
    expect(answers.map((answer) => answer.deref())).toEqual([undefined, undefined]);
    client.close();
  });

  test("lets only the newest Config wait during a computation; the others are rejected as superseded", async () => {
    const { client, workers } = started();
    await client.compute(seeded(0));
    let release = (): void => {};
    workers[0]!.gate = new Promise((resolve) => (release = resolve));
    const computations = [1, 2, 3, 4].map((seed) =>
      client.compute(seeded(seed)).then(
        () => seed,
        (error: unknown) => error,
      ),
    );
    release();
    const answers = await Promise.all(computations);
    expect(answers[0]).toBe(1);
    expect(answers.slice(1, 3).every((error) => error instanceof Superseded)).toBe(true);
    expect(answers[3]).toBe(4);
    expect(seedsOf(workers[0]!)).toEqual([0, 1, 4]);
    client.close();
  });

  test("answers a refused Config with an error, and computes the next one", async () => {
    const { client } = started();
    const refused = await client.compute(
      configOf<"attention">("four-words", { edits: [{ node: "X", index: [7, 7], value: 1 }] }),
    );
    expect(refused.error).toMatch(/7/);
    expect((await client.compute(seeded(1))).error).toBeUndefined();
    client.close();
  });
});

describe("a worker that does not answer", () => {
  test("is reported, until it answers", async () => {
    const silences: boolean[] = [];
    const { client, workers } = started([], { silence: 10, onSilence: (silent) => silences.push(silent) });
    await client.compute(seeded(1));
    silences.length = 0;
    let release = (): void => {};
    workers[0]!.gate = new Promise((open) => (release = open));
    const computation = client.compute(seeded(2));
    await expect.poll(() => silences).toEqual([true]);
    release();
    expect((await computation).error).toBeUndefined();
    expect(silences).toEqual([true, false]);
    client.close();
  });

  test("is terminated on restart, and another worker computes its Config", async () => {
    const { client, workers, restarts } = started();
    await client.compute(seeded(1));
    workers[0]!.gate = new Promise(() => {});
    const computation = client.compute(seeded(2));
    await expect.poll(() => workers[0]!.begun).toBe(2);
    await client.restart();
    expect((await computation).all).toBe(true);
    expect(seedsOf(workers[1]!)).toEqual([2]);
    expect(restarts).toEqual(["It did not answer."]);
    expect(workers[0]!.terminated).toBe(true);
    client.close();
  });

  test("is not restarted while it is being started", async () => {
    const { client, workers } = started();
    const computation = client.compute(seeded(1));
    await client.restart();
    expect((await computation).all).toBe(true);
    expect(workers).toHaveLength(1);
    client.close();
  });
});

describe("a long computation", () => {
  test("is ended with its worker when a newer Config has waited too long", async () => {
    const { client, workers, restarts } = started([], { overrun: 20 });
    await client.compute(seeded(0));
    workers[0]!.gate = new Promise(() => {});
    const long = client.compute(seeded(1));
    const question = client.explain("output", [0, 0]);
    const newest = client.compute(seeded(2));
    await expect(long).rejects.toBeInstanceOf(Superseded);
    expect((await newest).all).toBe(true);
    expect((await question).node).toBe("output");
    expect((await client.explain("output", [0, 0])).node).toBe("output");
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    expect(seedsOf(workers[1]!)).toEqual([2]);
    expect(restarts).toEqual([]);
    client.close();
  });

  test("is ended sooner if the reader opened another lab meanwhile", async () => {
    const { client, workers } = started([], { overrun: 1e9, leaving: 20 });
    await client.compute(seeded(0));
    workers[0]!.gate = new Promise(() => {});
    const long = client.compute(seeded(1));
    // A change within the same lab waits; a change to another lab does not.
    const changed = client.compute(seeded(2));
    const other = client.compute(configOf<"multi-head">("two-heads"));
    await expect(changed).rejects.toBeInstanceOf(Superseded);
    await expect(long).rejects.toBeInstanceOf(Superseded);
    expect((await other).all).toBe(true);
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    client.close();
  });

  test("is not ended sooner if the reader came back to its lab", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, workers } = started([], { overrun: 1000, leaving: 100 });
    await client.compute(seeded(0));
    let release = (): void => {};
    workers[0]!.gate = new Promise((resolve) => (release = resolve));
    const long = client.compute(seeded(1)).catch((error: unknown) => error);
    const other = client.compute(configOf<"multi-head">("two-heads"));
    const back = client.compute(seeded(2));
    await expect(other).rejects.toBeInstanceOf(Superseded);
    await vi.advanceTimersByTimeAsync(500);
    release();
    expect(await long).toMatchObject({ all: true });
    expect((await back).error).toBeUndefined();
    expect(workers.map(({ terminated }) => terminated)).toEqual([false]);
    client.close();
  });

  test("goes on as long as no newer Config waits", async () => {
    const { client, workers } = started([], { overrun: 5 });
    await client.compute(seeded(0));
    let release = (): void => {};
    workers[0]!.gate = new Promise((resolve) => (release = resolve));
    const long = client.compute(seeded(1));
    setTimeout(release, 40);
    expect((await long).error).toBeUndefined();
    expect(workers).toHaveLength(1);
    client.close();
  });
});

describe("a question about a cell", () => {
  test("that does not exist is refused by the core; a question that a newer Config overtakes is rejected as superseded", async () => {
    const { client } = started();
    await client.compute(seeded(0));
    await expect(client.explain("nothing", [0])).rejects.toThrow('name is "nothing"');
    const overtaken = client.explain("nothing", [0]);
    const newer = client.compute(seeded(1));
    await expect(overtaken).rejects.toBeInstanceOf(Superseded);
    await newer;
    client.close();
  });

  test("shares the new worker with a computation if both lost the old one", async () => {
    const { client, workers, restarts } = started();
    await client.compute(seeded(1));
    workers[0]!.gate = new Promise(() => {});
    const computing = client.compute(seeded(2));
    await new Promise((resolve) => setTimeout(resolve, 5));
    workers[0]!.fail("out of memory");
    const question = client.explain("output", [0, 0]);
    expect((await computing).all).toBe(true);
    expect((await question).node).toBe("output");
    expect(workers).toHaveLength(2);
    expect(restarts).toEqual(["out of memory"]);
    client.close();
  });
});

describe("a question that ends the worker", () => {
  test("does not end the computation: the next worker computes it", async () => {
    const { client, workers, restarts } = started();
    await client.compute(seeded(1));
    workers[0]!.gate = new Promise(() => {});
    const computing = client.compute(seeded(2));
    await expect.poll(() => workers[0]!.begun).toBe(2);
    let times = 0;
    const question = client.ask(async () => {
      if (times++ === 0) throw Object.assign(new Error("unreachable"), { name: "RuntimeError" });
      return "answered";
    });
    expect((await computing).all).toBe(true);
    expect(await question).toBe("answered");
    expect(seedsOf(workers[1]!)).toEqual([2]);
    expect(workers).toHaveLength(2);
    expect(restarts).toEqual(["unreachable"]);
    client.close();
  });
});

describe("a worker that dies", () => {
  test("is restarted with the same Config, and the page is informed", async () => {
    const { client, workers, restarts } = started();
    await client.compute(seeded(1));
    workers[0]!.gate = new Promise(() => {});
    const waiting = client.compute(seeded(2));
    await expect.poll(() => workers[0]!.begun).toBe(2);
    workers[0]!.fail("out of memory");
    const answer = await waiting;
    expect(answer.all).toBe(true);
    expect(restarts).toEqual(["out of memory"]);
    expect(workers.map(({ terminated }) => terminated)).toEqual([true, false]);
    expect(seedsOf(workers[1]!)).toEqual([2]);
    client.close();
  });

  test("between two questions is noticed at the next one, which is answered by a new worker", async () => {
    const { client, workers, restarts } = started();
    await client.compute(seeded(1));
    const before = await client.explain("output", [0, 0]);
    workers[0]!.fail("killed");
    expect(await client.explain("output", [0, 0])).toEqual(before);
    expect(restarts).toEqual(["killed"]);
    expect(seedsOf(workers[1]!)).toEqual([1]);
    client.close();
  });

  test("by a trap of the core is restarted too; if it dies twice of the same Config, this Config fails and the next one is computed", async () => {
    const { client, workers, restarts } = started(["works", "works", "traps"]);
    await client.compute(seeded(1));
    workers[0]!.trap = new Error("unreachable");
    expect((await client.compute(seeded(2))).all).toBe(true);
    expect(restarts).toEqual(["unreachable"]);
    workers[1]!.trap = new Error("unreachable");
    const twice = client.compute(seeded(3));
    await expect(twice).rejects.toThrow("unreachable again");
    await expect(twice).rejects.toBeInstanceOf(WorkerDied);
    expect((await client.compute(seeded(4))).all).toBe(true);
    expect(workers).toHaveLength(4);
    client.close();
  });

  test("at its start gives an error with the reason: an exception, an error event, a message, or no answer", async () => {
    await expect(started(["errors"]).client.compute(seeded(1))).rejects.toThrow("no such script");
    await expect(started(["fails"]).client.compute(seeded(1))).rejects.toThrow("no core there");
    await expect(started(["silent"], { startTimeout: 20 }).client.compute(seeded(1))).rejects.toThrow(
      "does not answer",
    );
    // An error without a message: a script that is fetched over the network did not arrive.
    const missing = started(["fails without a message"], { fetched: true }).client.compute(seeded(1));
    await expect(missing).rejects.toBeInstanceOf(PartMissing);
    const mute = started(["fails without a message"]).client.compute(seeded(1));
    await expect(mute).rejects.toThrow("The worker stopped.");
    await expect(mute).rejects.toBeInstanceOf(WorkerDied);
    const throwing = started([], {
      createWorker() {
        throw new Error("SecurityError");
      },
    });
    await expect(throwing.client.compute(seeded(1))).rejects.toThrow("SecurityError");
    const second = started(["fails", "works"]);
    await expect(second.client.compute(seeded(1))).rejects.toThrow("no core there");
    expect((await second.client.compute(seeded(1))).all).toBe(true);
  });

  test("at its start for lack of memory gives its own error; the next start fetches its files again", async () => {
    let failed = 0;
    const { client } = started(["fails", "no memory", "works"], { startFailed: () => (failed += 1) });
    await expect(client.compute(seeded(1))).rejects.not.toBeInstanceOf(NoMemory);
    await expect(client.compute(seeded(1))).rejects.toBeInstanceOf(NoMemory);
    expect(failed).toBe(2);
    expect((await client.compute(seeded(1))).all).toBe(true);
    expect(failed).toBe(2);
    client.close();
  });

  test("is not started again after the session was closed", async () => {
    const { client, workers } = started();
    await client.compute(seeded(1));
    client.close();
    await expect(client.compute(seeded(2))).rejects.toThrow("closed");
    await expect.poll(() => workers[0]!.terminated).toBe(true);
  });
});
