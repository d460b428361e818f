/**
 * How works are timed: each contestant is warmed, then all of them take turns, one sample a round in an order that rotates, so that what
 * the machine does beside falls on all alike. Two are compared by the ratios of the samples of the same round.
 */
import type { Ready } from "./works.js";

export interface Plan {
  rounds: number;
  /** A sample repeats a run until it has lasted so long: timers of pages are coarse. */
  sampleMs: number;
  warmMs: number;
  /** A wait before the rounds, in which engines finish compiling in the background. */
  settleMs: number;
  /** What a work may take of rounds, all contestants together: fewer rounds where it would be more, but `least`. */
  budgetMs: number;
  least: number;
  /** A run that lasts longer is not repeated. */
  onceMs: number;
  /** A first run may have compiled what it ran, so that a long one is taken again, but not one as long as this. */
  againMs: number;
}

/** A contestant with a work made ready, and how long its first run took. */
export interface Runner {
  name: string;
  ready: Ready;
  firstMs: number;
}

export interface Timed {
  name: string;
  /** Milliseconds of one run, a sample per round; of a run too long to repeat one alone. */
  samples: number[];
  median: number;
  /** Runs in a sample; 0 where there were no rounds. */
  repeats: number;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Median over rounds of `of` / `by`; of samples that were not taken in the same rounds the ratio of their medians. */
export function pairedRatio(of: Timed, by: Timed): number {
  if (of.repeats === 0 || by.repeats === 0) return of.median / by.median;
  return median(of.samples.map((sample, round) => sample / by.samples[round]!));
}

/** A run that failed, and whose it was. */
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

/** Milliseconds of one run, by as many as last `sampleMs` together. */
async function calibrated(runner: Runner, sampleMs: number): Promise<number> {
  const from = performance.now();
  for (let runs = 1; ; runs++) {
    await repeat(runner, 1);
    const lasted = performance.now() - from;
    if (lasted >= sampleMs) return lasted / runs;
  }
}

/** Milliseconds of one run, after runs of at least `warmMs`: what is compiled while running is compiled by then. */
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
  // Twice: one that the machine interrupts would have a sample be a single run, shorter than a timer's tick.
  return Math.min(await calibrated(runner, sampleMs), await calibrated(runner, sampleMs));
}

/** Milliseconds of one run, by a sample of them. One far too short, after a calibration that was interrupted twice, is taken again with more. */
async function sample(runner: Runner, row: { repeats: number }, { sampleMs }: Plan): Promise<number> {
  for (;;) {
    const start = performance.now();
    await repeat(runner, row.repeats);
    const lasted = performance.now() - start;
    if (lasted >= sampleMs / 4) return lasted / row.repeats;
    row.repeats *= 2;
  }
}

/** Times all, in rounds. `between` is awaited after each. Throws RunFailed. */
export async function timed(
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
