/** The core of a test file: loaded before its tests; after them nothing of it may be held any more. */
import { afterAll, beforeAll, expect } from "vitest";
import { load, type Core } from "../../web/core/index.js";

export let core: Core;

beforeAll(async () => {
  core = await load({ build: "simd" });
});

afterAll(() => {
  expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
});
