/**
 * The speed of this machine's registers with 32-bit floats, four at a time, on one thread: chains of multiply-adds that read and
 * write no memory, as many in parallel as hide their latency. For each number of chains a WebAssembly module is written here, byte by byte.
 */
import { pairedRatio, type Timed } from "./timing.js";

export type Instructions = "simd" | "relaxed";

/** The number of chains that is fastest here. */
export interface RegisterPeak {
  gflops: number;
  /** The operations of one run, which lasts about as long as requested. */
  flops: number;
  run(): Float32Array;
}

/** `relaxed` is null where the engine has no relaxed SIMD. */
export interface RegisterPeaks {
  simd: RegisterPeak;
  relaxed: RegisterPeak | null;
}

/** The number of multiply-adds of each chain in one iteration of the loop. */
const UNROLLED = 8;

const CHAINS = [4, 8, 10, 12, 13];

/** A whole number from 0 in LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = (rest - low) / 128;
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}

const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];
const single = (value: number): number[] => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];
const simd = (code: number): number[] => [0xfd, ...unsigned(code)];

const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const SPLAT = simd(0x13);
const FIRST_LANE = [...simd(0x1f), 0];
const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);
const RELAXED_MULTIPLY_ADD = simd(0x105);

/** `run(turns)`: local 0 is the count, 1 and 2 the factor and the term, the chains from 3 on. */
function moduleOf(instructions: Instructions, chains: number): Uint8Array<ArrayBuffer> {
  const places = Array.from({ length: chains }, (_, chain) => chain + 3);
  const step = (x: number): number[] =>
    instructions === "relaxed"
      ? [...get(x), ...get(1), ...get(2), ...RELAXED_MULTIPLY_ADD, ...set(x)]
      : [...get(x), ...get(1), ...MULTIPLY, ...get(2), ...ADD, ...set(x)];
  const turn = Array.from({ length: UNROLLED }, () => places.flatMap(step)).flat();
  const code = [
    // One group of locals, all of them v128.
    ...[1, ...unsigned(chains + 2), 0x7b],
    ...[...single(0.999), ...SPLAT, ...set(1), ...single(0.001), ...SPLAT, ...set(2)],
    ...places.flatMap((x) => [...single(x), ...SPLAT, ...set(x)]),
    ...[0x03, 0x40, ...turn],
    // turns - 1, and again while it is not 0
    ...[...get(0), 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b],
    ...places.flatMap((x, place) => [...get(x), ...(place > 0 ? ADD : [])]),
    ...[...FIRST_LANE, 0x0b],
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7d]),
    ...section(3, [1, 0]),
    ...section(7, [1, 3, ...new TextEncoder().encode("run"), 0, 0]),
    ...section(10, [1, ...sized(code)]),
  ]);
}

/** A compiled number of chains, with runs as long as a sample should be. */
async function chain(
  instructions: Instructions,
  chains: number,
  milliseconds: number,
): Promise<Omit<RegisterPeak, "gflops">> {
  const { instance } = await WebAssembly.instantiate(moduleOf(instructions, chains));
  const turn = instance.exports["run"] as (turns: number) => number;
  turn(1 << 14);
  for (let turns = 1 << 14; ; turns *= 2) {
    const start = performance.now();
    turn(turns);
    if (performance.now() - start < milliseconds) continue;
    return { flops: turns * chains * UNROLLED * 4 * 2, run: () => Float32Array.of(turn(turns)) };
  }
}

/** The fastest number of chains. Its fastest sample counts: the speed of registers does not depend on other processes. */
async function peakOf(
  instructions: Instructions,
  samples: number,
  milliseconds: number,
): Promise<RegisterPeak> {
  const ready: Omit<RegisterPeak, "gflops">[] = [];
  for (const chains of CHAINS) ready.push(await chain(instructions, chains, milliseconds));
  const all: RegisterPeak[] = ready.map((one) => ({ ...one, gflops: 0 }));
  for (let sample = 0; sample < samples; sample++)
    for (const one of all) {
      const start = performance.now();
      one.run();
      one.gflops = Math.max(one.gflops, one.flops / (performance.now() - start) / 1e6);
    }
  return all.reduce((best, one) => (one.gflops > best.gflops ? one : best));
}

/** Whether the engine has relaxed SIMD. */
export const hasRelaxed = (): boolean => WebAssembly.validate(moduleOf("relaxed", 1));

export interface PeakPlan {
  samples: number;
  /** The shortest duration of a sample. */
  milliseconds: number;
}

export async function registerPeaks({ samples, milliseconds }: PeakPlan): Promise<RegisterPeaks> {
  return {
    simd: await peakOf("simd", samples, milliseconds),
    relaxed: hasRelaxed() ? await peakOf("relaxed", samples, milliseconds) : null,
  };
}

/** Replaces each sample of a peak by the shortest of three: its own round, the one before and the one after. No task can be faster than registers. */
function smoothedSamples(peak: Timed): Timed {
  const { samples } = peak;
  const around = (round: number) => samples.slice(round ? round - 1 : 0, round + 2);
  return { ...peak, samples: samples.map((_, round) => around(round).reduce((a, b) => (a < b ? a : b))) };
}

/** The fraction of the peak that a task reaches, from the times of both in the same rounds. */
export const fractionOfPeak = (
  work: { time: Timed; flops: number },
  peak: { time: Timed; flops: number },
): number => pairedRatio(smoothedSamples(peak.time), work.time) * (work.flops / peak.flops);
