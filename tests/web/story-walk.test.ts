// Play for a story: the steps it goes to, and what ends it.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StoryWalk } from "../../web/page/story/walk.js";

const steps = ["a", "b", "c"].map((words) => ({ words, link: "ex=four-words" }));
/** Longer than the reading time of a step of one letter. */
const LONGER_THAN_A_STEP = 5000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (act: () => void) => setTimeout(act, 16));
  vi.stubGlobal("document", { hidden: false });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function reader() {
  const state = { told: { steps, at: 0 }, gone: [] as number[], settled: true as boolean | null };
  const walk = new StoryWalk({
    story: () => state.told,
    go(place) {
      state.gone.push(place);
      state.told = { ...state.told, at: place };
    },
    isDrawn: () => state.settled,
    changed: () => undefined,
  });
  return { state, walk };
}

test("goes to every step that follows, and from the last to the first", async () => {
  const { state, walk } = reader();
  const played = walk.play();
  await vi.advanceTimersByTimeAsync(2 * LONGER_THAN_A_STEP);
  expect(await played).toBe(true);
  expect(state.gone).toEqual([1, 2]);
  void walk.play();
  expect(state.gone).toEqual([1, 2, 0]);
});

test("ends when the reader went elsewhere during a step, and does not move the reader", async () => {
  for (const told of [
    { steps, at: 0 },
    { steps: steps.slice(0, 1), at: 0 },
  ]) {
    const { state, walk } = reader();
    const played = walk.play();
    await vi.advanceTimersByTimeAsync(100);
    state.told = told;
    await vi.advanceTimersByTimeAsync(LONGER_THAN_A_STEP);
    expect(await played).toBe(false);
    expect([state.gone, walk.isPlaying]).toEqual([[1], false]);
  }
});

test("waits for a step that is computed, and ends at one that cannot be", async () => {
  const { state, walk } = reader();
  state.settled = false;
  const played = walk.play();
  await vi.advanceTimersByTimeAsync(LONGER_THAN_A_STEP);
  expect(state.gone).toEqual([1]);
  state.settled = null;
  await vi.advanceTimersByTimeAsync(100);
  expect(await played).toBe(false);
});
