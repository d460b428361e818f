// Play, Step and the track: each stop hides later ones; Play begins at the first operation.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Step } from "../../web/marks/wording.js";
import { Player } from "../../web/page/player.js";
import type { Playground, Progress } from "../../web/page/playground.js";

const ids = ["words", "project", "compare", "mix"];
const steps: Step[] = ids.map((id) => ({
  id,
  title: id,
  sentence: id,
  nodes: [id],
  cell: { node: id, index: [0] },
}));

function made(): { player: Player; seen: (Progress | null)[]; playground: Playground } {
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
