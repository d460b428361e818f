/** The core for the tests of one file: loaded before them. After them no handle may be left. */
import { afterAll, beforeAll, expect } from "vitest";
import { load, type Core } from "../../web/core/index.js";

export let core: Core;

beforeAll(async () => {
  core = await load({ build: "simd" });
});

afterAll(() => {
  expect([core.liveHandles, core.liveValues]).toEqual([0, 0]);
});
