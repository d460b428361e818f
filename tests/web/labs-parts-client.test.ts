// One client for both parts of the core: each part is started when it is first needed, and the page never mixes the answers of the two.
import { describe, expect, test, vi } from "vitest";
import type { Config } from "../../web/config/config.js";
import { builds } from "../../web/labs/builds.js";
import type { Part } from "../../web/labs/list.js";
import { PartsClient } from "../../web/session/client/parts-client.js";
import { sessionCalls, transformerCalls } from "../../web/session/calls.js";
import { SessionClient, Superseded } from "../../web/session/client/session-client.js";
import { Session } from "../../web/session/worker/session.js";
import { transformerBuilds } from "../../web/labs/transformer-builds.js";
import { TransformerSession } from "../../web/session/worker/transformer-session.js";
import { configOf, core, wholeCore } from "./labs-sessions.js";
import { InThreadWorker } from "./in-thread-worker.js";

// In this test the ViT lab is computed by the whole core.
vi.mock("../../web/labs/list.js", async (original) => ({
  ...(await original<object>()),
  partOf: ({ view }: Config): Part => (view.lab === "vit" ? "transformer" : "attention"),
}));

function started() {
  const workers: { part: Part; worker: InThreadWorker }[] = [];
  const restarts: string[] = [];
  const client = new PartsClient(
    (part) =>
      new SessionClient({
        createWorker() {
          const calls =
            part === "attention"
              ? sessionCalls(new Session(core, builds))
              : transformerCalls(new TransformerSession(wholeCore, transformerBuilds));
          const worker = new InThreadWorker("works", calls);
          workers.push({ part, worker });
          return worker as unknown as Worker;
        },
        wasm: () => new ArrayBuffer(0),
        onRestart: (reason) => restarts.push(reason),
      }),
  );
  return { client, workers, restarts, parts: () => workers.map(({ part }) => part) };
}

const words = configOf<"attention">("four-words") as Config;
const image = configOf<"vit">("letter") as Config;
const withEdit = (config: Config, node: string, index: number[], value: number): Config =>
  ({ ...config, example: null, numbers: { ...config.numbers, edits: [{ node, index, value }] } }) as Config;

describe("a part of the core", () => {
  test("is started once, when a lab or a question first needs it", async () => {
    const { client, parts } = started();
    await client.compute(words);
    await client.explain("scores", [0, 2], false);
    expect(parts()).toEqual(["attention"]);
    expect(await client.about("program", "numpy")).toContain("import numpy");
    expect(await client.about("program", "pytorch")).toContain("import torch");
    expect(parts()).toEqual(["attention", "transformer"]);
    await client.compute(image);
    await client.about("gradients", { node: "output", index: [0, 0] });
    expect(parts()).toEqual(["attention", "transformer"]);
    client.close();
  });

  test("computes the labs that belong to it", async () => {
    const { client, workers, parts } = started();
    expect((await client.compute(image)).all).toBe(true);
    expect(parts()).toEqual(["transformer"]);
    expect(workers[0]!.worker.computed).toHaveLength(1);
    client.close();
  });
});

describe("questions", () => {
  test("are refused before anything is computed", async () => {
    const { client, parts } = started();
    await expect(client.about("program", "numpy")).rejects.toThrow("nothing is computed yet");
    await expect(client.explain("scores", [0, 0], false)).rejects.toThrow("nothing is computed yet");
    expect(parts()).toEqual([]);
    client.close();
  });

  test("about a lab of the attention part are answered by the whole core, and the lab goes on as before", async () => {
    const { client } = started();
    await client.compute(words);
    const gradients = await client.about("gradients", { node: "output", index: [0, 0] });
    const { data } = gradients.find(({ name }) => name === "W_V")!;
    const cell = await client.about(
      "explainGradient",
      { node: "output", index: [0, 0] },
      "W_V",
      [1, 0],
      true,
    );
    expect(cell!.value).toBe(data[3]);
    const bytes = await client.about("file", "weights", "npy");
    const read = await client.ask("readNpy", bytes);
    expect([read.shape, read.data[2]]).toEqual([
      [4, 4],
      (await client.explain("weights", [0, 2], false)).value,
    ]);
    const next = await client.compute(withEdit(words, "W_V", [0, 1], 9));
    expect([next.all, next.snapshots.map(({ name }) => name)]).toEqual([false, ["W_V", "V", "output"]]);
    expect(await client.about("program", "numpy")).toContain("9");
    expect(await client.ask("bytePairs", "aa aa", 1)).toEqual({ pieces: ["aa", "\u2423", "aa"], merges: 1 });
    client.close();
  });

  test("are answered by a new worker after theirs died", async () => {
    const { client, workers, restarts } = started();
    await client.compute(words);
    const before = await client.about("program", "numpy");
    workers[1]!.worker.fail("out of memory");
    expect(await client.about("program", "numpy")).toBe(before);
    expect(restarts).toEqual(["out of memory"]);
    expect((await client.explain("scores", [0, 2], false)).value).toBe(10);
    client.close();
  });
});

describe("changing from one part to the other", () => {
  test("and back returns every node, because the page no longer has the earlier ones", async () => {
    const { client } = started();
    await client.compute(words);
    await client.compute(image);
    const back = await client.compute(withEdit(words, "W_V", [0, 1], 9));
    expect(back.all).toBe(true);
    expect(back.snapshots.map(({ name }) => name)).toContain("scores");
    const again = await client.compute(withEdit(image, "b_E", [0], 9));
    expect(again.all).toBe(true);
    expect((await client.compute(withEdit(image, "b_E", [0], 8))).all).toBe(false);
    client.close();
  });

  test("an answer that arrives after the page has changed part is dropped, and the next answer is complete", async () => {
    const { client, workers } = started();
    await client.compute(words);
    let release = (): void => {};
    workers[0]!.worker.gate = new Promise((resolve) => (release = resolve));
    const late = client.compute(withEdit(words, "X", [0, 0], 5)).catch((error: unknown) => error);
    expect((await client.compute(image)).all).toBe(true);
    expect((await client.explain("output", [0, 0], false)).node).toBe("output");
    release();
    expect(await late).toBeInstanceOf(Superseded);
    workers[0]!.worker.gate = Promise.resolve();
    expect((await client.compute(withEdit(words, "X", [0, 0], 6))).all).toBe(true);
    client.close();
  });

  test("the lab on the page is still explained while the other part computes", async () => {
    const { client, workers } = started();
    await client.compute(words);
    const moving = client.compute(image);
    expect((await client.explain("scores", [0, 2], false)).value).toBe(10);
    await moving;
    expect(workers.map(({ part }) => part)).toEqual(["attention", "transformer"]);
    await expect(client.explain("Q", [0, 0], false)).rejects.toThrow("Q");
    client.close();
  });

  test("with a refused Config leaves the lab on the page, which still answers questions", async () => {
    const { client } = started();
    await client.compute(words);
    expect((await client.compute(withEdit(image, "image", [9, 0, 0], 1))).error).toMatch(/9/);
    expect((await client.explain("scores", [0, 2], false)).value).toBe(10);
    expect(await client.about("program", "numpy")).toContain("W_Q");
    expect((await client.compute(withEdit(words, "X", [0, 0], 5))).all).toBe(true);
    client.close();
  });
});
