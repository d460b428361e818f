// Play, Step and the track: each stop hides later ones; Play begins at the first operation; numbers travel before the sweep.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Step } from "../../web/marks/wording.js";
import { Player, type Flights } from "../../web/page/player.js";
import type { Playground, Progress } from "../../web/page/playground.js";

const ids = ["words", "project", "compare", "mix"];
const steps: Step[] = ids.map((id) => ({
  id,
  title: id,
  sentence: id,
  nodes: [id],
  cell: { node: id, index: [0] },
}));

const still: Flights = { prepare: () => Promise.resolve(null), show: () => true, hide: () => undefined };

function made(flights = still): { player: Player; seen: (Progress | null)[]; playground: Playground } {
  const seen: (Progress | null)[] = [];
  const playground = {
    progress: null as Progress | null,
    cell: steps[2]!.cell,
    openingCount: 1,
    snapshots: new Map(
      ids.map((id, at) => [id, { name: id, shape: [1], data: [1], op: at === 0 ? "leaf" : "matmul" }]),
    ),
    setProgress(progress: Progress | null) {
      this.progress = progress;
      seen.push(progress);
    },
    target(cell: Step["cell"]) {
      this.cell = cell;
    },
  };
  const known = playground as unknown as Playground;
  const nothing = (): void => undefined;
  return {
    player: new Player(
      () => known,
      () => steps,
      nothing,
      nothing,
      flights,
    ),
    seen,
    playground: known,
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  vi.stubGlobal("document", { hidden: false });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a stop of the track hides later stops, the first stop too; the last stop shows everything", () => {
  const { player, playground } = made();
  expect(playground.progress).toBeNull();
  for (const step of [0, 2, 1]) {
    player.go(step);
    expect(playground.progress).toEqual({ step, id: steps[step]!.id, sweep: null });
    expect(playground.cell).toEqual(steps[step]!.cell);
  }
  player.back();
  expect(playground.progress).toEqual({ step: 0, id: steps[0]!.id, sweep: null });
  player.go(3);
  expect(playground.progress).toBeNull();
  expect(player.current).toBe(3);
});

test("Play begins at the first operation, not at its inputs", async () => {
  const { player, seen } = made();
  const played = player.play();
  await vi.runAllTimersAsync();
  expect(await played).toBe(true);
  expect(seen).toEqual(
    [1, 2, 3].map((step) => ({ step, id: steps[step]!.id, sweep: null })).concat(null as never),
  );
});

test("going to a cell of a later stop advances to that stop; going to one of an earlier stop does not go back", () => {
  const { player, playground } = made();
  player.go(1);
  player.reach("words");
  expect(playground.progress).toEqual({ step: 1, id: steps[1]!.id, sweep: null });
  player.reach("compare");
  expect(playground.progress).toEqual({ step: 2, id: steps[2]!.id, sweep: null });
  player.reach("mix");
  expect(playground.progress).toBeNull();
});

test("at a stop the numbers travel first, then the other cells follow; any input ends both", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  const shown: number[] = [];
  const hide = vi.fn();
  const { player, playground, seen } = made({
    prepare: () => Promise.resolve({ ends: 1020 } as never),
    show: (_travel, time) => shown.push(time) > 0,
    hide,
  });
  const stepped = player.step();
  await vi.advanceTimersByTimeAsync(1000);
  expect(playground.progress).toMatchObject({ step: 3, sweep: 0, node: "mix" });
  expect(shown.length).toBeGreaterThan(40);
  expect([...shown].sort((a, b) => a - b)).toEqual(shown);
  await vi.advanceTimersByTimeAsync(200);
  expect(playground.progress).toMatchObject({ step: 3, sweep: 1 });
  // The result stays in its cell until the other cells are there.
  expect(shown.at(-1)).toBeGreaterThan(1020);
  expect(hide).not.toHaveBeenCalled();
  await vi.runAllTimersAsync();
  expect(await stepped).toBe(true);
  expect(hide).toHaveBeenCalledTimes(1);
  expect(seen.at(-1)).toBeNull();

  const played = player.play();
  await vi.advanceTimersByTimeAsync(300);
  player.pause();
  await vi.advanceTimersByTimeAsync(20);
  expect(await played).toBe(false);
  expect(hide).toHaveBeenCalledTimes(2);
  expect(playground.progress).toMatchObject({ sweep: null });
});

test("a travel that cannot go on ends, and the sweep follows at once", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  const { player, playground } = made({
    ...still,
    prepare: () => Promise.resolve({ ends: 1020 } as never),
    show: () => false,
  });
  void player.step();
  await vi.advanceTimersByTimeAsync(160);
  expect(playground.progress).toMatchObject({ step: 3, sweep: 1 });
  player.stop();
  await vi.runAllTimersAsync();
});
