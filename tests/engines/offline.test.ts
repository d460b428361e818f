// What was opened once opens and computes without network, in the engine that ENGINE names.
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answers, listen } from "../../toolchain/serve.mjs";
import { calling, given, type Engine } from "./engine.js";
import { chromium, firefox } from "./puppeteer.js";
import { webkit } from "./webkit.js";

const engines: Record<string, () => Promise<Engine>> = { chromium, firefox, webkit };

// As it is built: a page that a host writes into is not kept.
const dist = resolve(import.meta.dirname, "../../dist");
const host = (await listen(answers(dist, { under: "/some/where/" }), 0, "127.0.0.1")) as Server;
const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/some/where/`;
function leave(): void {
  host.closeAllConnections();
  host.close();
}
const engine = await engines[given("ENGINE")]!().catch((error: unknown) => {
  leave();
  throw error;
});
afterAll(async () => {
  await engine.close();
  if (host.listening) leave();
});

/** The lab whose numbers are shown; null where they are not those of the settings. */
function computed(): string | null {
  const lab = document.querySelector("ap-app")?.shadowRoot?.querySelector("ap-lab");
  const { playground } = (lab ?? {}) as {
    playground?: { standsBack: boolean; shown: { view: { lab: string } } | null };
  };
  return playground && !playground.standsBack ? (playground.shown?.view.lab ?? null) : null;
}

const shows = (lab: string) =>
  expect.poll(() => engine.evaluate(calling(computed)), { timeout: 60_000, interval: 50 }).toBe(lab);

test("without network labs of both parts of the core are opened, and the page itself", async () => {
  await engine.open(`${address}#v=1`);
  await shows("attention");
  await expect
    .poll(() => engine.evaluate("navigator.serviceWorker.controller?.state ?? null"), {
      timeout: 60_000,
      interval: 50,
    })
    .toBe("activated");
  leave();
  await expect(fetch(address)).rejects.toThrow();
  await engine.evaluate('void (location.hash = "v=1&lab=block")');
  await shows("block");
  await engine.open(`${address}index.html?again#v=1&lab=vit`);
  await shows("vit");
  await engine.open(`${address}?again#v=1`);
  await shows("attention");
});
