/** Times every task on both of our builds in turns, as the worker of bench.html does. */
import type { Build, Core } from "../core/index.js";
import { deviation, TOLERANCE } from "./agreement.js";
import { editingTimes } from "./editing.js";
import type { Measured, Result, WorkerMessage } from "./messages.js";
import { makersOf } from "./ours/index.js";
import { fractionOfPeak, registerPeaks, type PeakPlan, type RegisterPeaks } from "./peak.js";
import { pairedRatio, timeAll, type Plan, type Runner, type Timed } from "./timing.js";
import { worksWith, type Makers, type Ready, type Work } from "./works.js";

export const plans: Record<"whole" | "quick", { peak: PeakPlan; timing: Plan }> = {
  whole: {
    peak: { samples: 7, milliseconds: 20 },
    timing: {
      rounds: 9,
      sampleMs: 8,
      warmMs: 80,
      settleMs: 50,
      budgetMs: 1500,
      least: 3,
      onceMs: 500,
      againMs: 2000,
    },
  },
  quick: {
    peak: { samples: 3, milliseconds: 4 },
    timing: {
      rounds: 3,
      sampleMs: 2,
      warmMs: 10,
      settleMs: 0,
      budgetMs: 200,
      least: 2,
      onceMs: 100,
      againMs: 300,
    },
  },
};

/** The word in the address that selects only the edits of the gallery's examples. */
const EDITING = "editing";

/** Typed so that the maker of each kind of task gets the sizes of that kind. */
const madeReady = (makers: Makers, { kind, sizes }: Work): Ready | Promise<Ready> =>
  (makers[kind] as (given: Work["sizes"]) => Ready | Promise<Ready>)(sizes);

/** One runner per peak, named after the build. */
const peakRunners = (peaks: RegisterPeaks, builds: readonly Build[]): (Runner & { flops: number })[] =>
  builds.flatMap((build) => {
    const peak = peaks[build];
    return peak ? [{ name: `peak ${build}`, ready: peak, firstMs: 0, flops: peak.flops }] : [];
  });

/** The median time, and the figures that follow from it and from the peak in the same rounds. */
const measuredOf = (time: Timed, work: Work, peak: Timed, peakFlops: number): Measured => ({
  median: time.median,
  gflops: work.flops / time.median / 1e6,
  ofPeak: fractionOfPeak({ time, flops: work.flops }, { time: peak, flops: peakFlops }),
});

async function measured(
  work: Work,
  makers: readonly (readonly [Build, Makers])[],
  peaks: RegisterPeaks,
  plan: Plan,
): Promise<Result> {
  const runners: Runner[] = [];
  const outputs: Float32Array[] = [];
  try {
    for (const [name, of] of makers) {
      const ready = await madeReady(of, work);
      const start = performance.now();
      outputs.push(Float32Array.from(await ready.run()));
      runners.push({ name, ready, firstMs: performance.now() - start });
    }
    const agrees = outputs.every((output) => deviation(outputs[0]!, output) <= TOLERANCE);
    const beside = peakRunners(
      peaks,
      makers.map(([build]) => build),
    );
    const times = new Map((await timeAll([...runners, ...beside], plan)).map((time) => [time.name, time]));
    const builds: Result["builds"] = {};
    for (const [build] of makers) {
      const { name, flops } = beside.find((peak) => peak.name === `peak ${build}`)!;
      builds[build] = measuredOf(times.get(build)!, work, times.get(name)!, flops);
    }
    const [relaxed, simd] = [times.get("relaxed"), times.get("simd")];
    return { id: work.id, builds, faster: relaxed && simd ? pairedRatio(simd, relaxed) : null, agrees };
  } finally {
    for (const { ready } of runners) await ready.end?.();
  }
}

/** Measures, and reports each result at once. */
export async function measureAll(
  cores: Partial<Record<Build, Core>>,
  { only, quick }: { only: string; quick: boolean },
  tell: (told: WorkerMessage) => void,
): Promise<void> {
  const plan = plans[quick ? "quick" : "whole"];
  const peaks = await registerPeaks(plan.peak);
  tell({ type: "peaks", simd: peaks.simd.gflops, relaxed: peaks.relaxed?.gflops ?? null });
  const makers = (Object.entries(cores) as [Build, Core][]).map(
    ([build, core]) => [build, makersOf(core)] as const,
  );
  const chosen = worksWith(only, quick);
  const withEdits = only === "" || only === EDITING;
  const count = chosen.length + (withEdits ? 1 : 0);
  for (const [place, work] of chosen.entries()) {
    tell({ type: "next", id: work.id, place, count });
    tell({ type: "result", result: await measured(work, makers, peaks, plan.timing) });
  }
  if (withEdits) {
    tell({ type: "next", id: "", place: chosen.length, count });
    tell({ type: "edits", edits: editingTimes(cores.relaxed ?? cores.simd!, quick ? 1 : 5) });
  }
  tell({ type: "done" });
}
