// After a first visit the site opens and computes without a network, in the engine that ENGINE names.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answers, listen } from "../../toolchain/serve.mjs";
import { idleStage, queryAll, textOf } from "./shadow-roots.js";
import { engine } from "./running.js";

/** The built site, because a page that a host changes is not stored; and a function that takes its host away. */
async function host(): Promise<{ address: string; leave: () => void }> {
  const dist = resolve(import.meta.dirname, "../../dist");
  const server = (await listen(answers(dist, { under: "/some/where/" }), 0, "127.0.0.1")) as Server;
  const leave = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(leave);
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`, leave };
}

/** The title of the lab whose numbers are shown; null while the page waits for an answer. */
const computed = `(${queryAll})('${idleStage}').length && (${queryAll})("[role=gridcell]").length ? ${textOf("h1")} : null`;

const shows = (title: string) =>
  expect.poll(() => engine().evaluate(computed), { timeout: 60_000, interval: 50 }).toBe(title);

test("labs of both parts of the core open without a network, and so does the page itself", async () => {
  const { address, leave } = await host();
  await engine().open(`${address}#v=1`);
  await shows("Attention, step by step");
  await expect
    .poll(() => engine().evaluate("navigator.serviceWorker.controller?.state ?? null"), {
      timeout: 60_000,
      interval: 50,
    })
    .toBe("activated");
  leave();
  await expect(fetch(address)).rejects.toThrow();
  await engine().evaluate('void (location.hash = "v=1&lab=block")');
  await shows("The block");
  await engine().open(`${address}index.html?again#v=1&lab=vit`);
  await shows("An image, read as 64 words");
  await engine().open(`${address}?again#v=1`);
  await shows("Attention, step by step");
});
