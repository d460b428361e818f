/** The published runs of `npm run bench`, each written by `npm run bench -- --publish FILE`: bench.html and the README show them. */
import beside from "./amd-epyc-25-17-beside.json";
import calm from "./amd-epyc-25-17-calm.json";

/** The times of our two builds at one task, and of the best of the others in the same rounds, in milliseconds. */
export interface PublishedWork {
  id: string;
  relaxed: number;
  simd: number;
  /** The fraction of the registers' peak that the relaxed build reached. */
  ofPeak: number;
  /** The best of the other libraries, and its time. */
  other: string;
  otherTime: number;
  /** The other library's time over that of the relaxed build, and of the SIMD build: above 1 ours is faster. */
  ratio: number;
  plainRatio: number;
}

export interface PublishedRun {
  /** The date, as 2026-11-23. */
  date: string;
  processor: string;
  cores: number;
  /** The version of Chromium. */
  browser: string;
  /** Whether a second process kept reading 64 MB of memory during the run. */
  beside: boolean;
  /** The fraction of the processors' time that the host gave to other machines. */
  stolen: number;
  /** The versions of the other libraries, by package name. */
  versions: Record<string, string>;
  /** GFLOP/s of the registers. */
  peak: { simd: number; relaxed: number };
  works: PublishedWork[];
}

export const publishedRuns: readonly PublishedRun[] = [calm, beside];

/** The task at which ours leads by least, or is furthest behind. */
export const lowestOf = ({ works }: PublishedRun): PublishedWork =>
  works.reduce((lowest, work) => (work.ratio < lowest.ratio ? work : lowest));

/** The median ratio. */
export function middleOf({ works }: PublishedRun): number {
  const ratios = works.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return ratios[ratios.length >> 1]!;
}

/** The number of tasks at which another library was faster. */
export const slowerCount = ({ works }: PublishedRun): number => works.filter(({ ratio }) => ratio < 1).length;
