/**
 * Times tasks: each contestant is warmed up, then all take turns, one sample per round in a rotating order, so that the load of other
 * processes affects all of them alike. Two contestants are compared by the ratios of their samples in the same rounds.
 */
import type { Ready } from "./works.js";

export interface Plan {
  rounds: number;
  /** A sample repeats a run until it lasts this long, because the timers of pages are coarse. */
  sampleMs: number;
  warmMs: number;
  /** A pause before the rounds, in which engines finish compiling in the background. */
  settleMs: number;
  /** The longest time of all rounds together: fewer rounds where it would take longer, but at least `least`. */
  budgetMs: number;
  least: number;
  /** A run that lasts longer than this is not repeated. */
  onceMs: number;
  /** A first run may include compilation, so that a long one is repeated, unless it is as long as this. */
  againMs: number;
}

/** A contestant with a prepared task, and the time of its first run. */
export interface Runner {
  name: string;
  ready: Ready;
  firstMs: number;
}

export interface Timed {
  name: string;
  /** Milliseconds of one run, one sample per round; one sample in all of a run that is too long to repeat. */
  samples: number[];
  median: number;
  /** The number of runs in a sample; 0 where there were no rounds. */
  repeats: number;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median over rounds of `of` / `by`; for samples from different rounds, the ratio of the medians. */
export function pairedRatio(of: Timed, by: Timed): number {
  if (of.repeats === 0 || by.repeats === 0) return of.median / by.median;
  return median(of.samples.map((sample, round) => sample / by.samples[round]!));
}

/** A run that failed, with the name of its contestant. */
export class RunFailed extends Error {
  readonly runner: string;

  constructor(runner: string, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.runner = runner;
  }
}

async function repeat({ name, ready }: Runner, times: number): Promise<void> {
  try {
    for (let turn = 0; turn < times; turn++) {
      const running = ready.run();
      if (running instanceof Promise) await running;
    }
  } catch (cause) {
    throw new RunFailed(name, cause);
  }
}

/** Milliseconds of one run, measured over as many runs as last `sampleMs` together. */
async function calibrated(runner: Runner, sampleMs: number): Promise<number> {
  const from = performance.now();
  for (let runs = 1; ; runs++) {
    await repeat(runner, 1);
    const lasted = performance.now() - from;
    if (lasted >= sampleMs) return lasted / runs;
  }
}

/** Milliseconds of one run, after at least `warmMs` of runs, so that the engine has finished compiling. */
async function warmed(runner: Runner, { warmMs, sampleMs }: Plan): Promise<number> {
  const most = 5000;
  const start = performance.now();
  let fastest = Infinity;
  for (let runs = 1; runs <= most; runs++) {
    const before = performance.now();
    await repeat(runner, 1);
    const after = performance.now();
    fastest = Math.min(fastest, after - before);
    if (after - start >= warmMs) break;
  }
  if (fastest >= sampleMs) return fastest;
  // Measured twice: if the first is interrupted, a sample would be a single run, shorter than the timer's resolution.
  return Math.min(await calibrated(runner, sampleMs), await calibrated(runner, sampleMs));
}

/** Milliseconds of one run, from one sample. A sample that is far too short, because both calibrations were interrupted, is repeated with more runs. */
async function sample(runner: Runner, row: { repeats: number }, { sampleMs }: Plan): Promise<number> {
  for (;;) {
    const start = performance.now();
    await repeat(runner, row.repeats);
    const lasted = performance.now() - start;
    if (lasted >= sampleMs / 4) return lasted / row.repeats;
    row.repeats *= 2;
  }
}

/** Times all contestants in rounds. `between` is awaited after each round. Throws RunFailed. */
export async function timeAll(
  runners: readonly Runner[],
  plan: Plan,
  between: () => Promise<void> | void = () => undefined,
): Promise<Timed[]> {
  const all = runners.map(({ name, firstMs }) => ({ name, samples: [firstMs], repeats: 0 }));
  const turns: { runner: Runner; row: (typeof all)[number]; lasts: number }[] = [];
  for (const [place, runner] of runners.entries()) {
    const row = all[place]!;
    if (runner.firstMs > plan.onceMs) {
      if (runner.firstMs > plan.againMs) continue;
      const start = performance.now();
      await repeat(runner, 1);
      row.samples = [performance.now() - start];
      if (row.samples[0]! > plan.onceMs) continue;
    }
    const once = await warmed(runner, plan);
    row.repeats = Math.ceil(plan.sampleMs / once) || 1;
    row.samples = [];
    turns.push({ runner, row, lasts: row.repeats * once });
    await between();
  }
  const round = turns.reduce((sum, { lasts }) => sum + lasts, 0);
  const affordable = Math.floor(plan.budgetMs / round);
  const rounds = Math.min(plan.rounds, Math.max(plan.least, affordable));
  if (plan.settleMs > 0) await new Promise((resolve) => setTimeout(resolve, plan.settleMs));
  for (let turn = 0; turn < (turns.length > 0 ? rounds : 0); turn++) {
    const first = (turn >> 1) % turns.length;
    const order = [...turns.slice(first), ...turns.slice(0, first)];
    if (turn % 2) order.reverse();
    for (const { runner, row } of order) row.samples.push(await sample(runner, row, plan));
    await between();
  }
  return all.map((row) => ({ ...row, median: median(row.samples) }));
}
