/** Whole runs of `npm run bench` that were kept, each written by `npm run bench -- --publish FILE`: what the page of speed and the README tell. */
import beside from "./amd-epyc-25-17-beside.json";
import calm from "./amd-epyc-25-17-calm.json";

/** Our two builds at one work, and the best of the others in the same rounds. Times are milliseconds. */
export interface PublishedWork {
  id: string;
  relaxed: number;
  simd: number;
  /** The part of the registers' peak that the relaxed build reached. */
  ofPeak: number;
  /** The best of the others, and its time. */
  other: string;
  otherTime: number;
  /** The other's time over that of the relaxed build, and of the plain one: above 1 ours is faster. */
  ratio: number;
  plainRatio: number;
}

export interface PublishedRun {
  /** The day, as 2026-11-23. */
  date: string;
  processor: string;
  cores: number;
  /** The version of Chromium. */
  browser: string;
  /** Whether a second process walked through 64 MB all the while. */
  beside: boolean;
  /** The part of the processors' time that the host gave to other machines. */
  stolen: number;
  /** The versions of the other libraries, by the names of their packages. */
  versions: Record<string, string>;
  /** GFLOP/s of the registers. */
  peak: { simd: number; relaxed: number };
  works: PublishedWork[];
}

export const publishedRuns: readonly PublishedRun[] = [calm, beside];

/** The work at which ours leads by least, or is behind by most. */
export const lowestOf = ({ works }: PublishedRun): PublishedWork =>
  works.reduce((lowest, work) => (work.ratio < lowest.ratio ? work : lowest));

/** The ratio above which half of the works are. */
export function middleOf({ works }: PublishedRun): number {
  const ratios = works.map(({ ratio }) => ratio).sort((a, b) => a - b);
  return ratios[ratios.length >> 1]!;
}

/** How many works another library did faster. */
export const behindIn = ({ works }: PublishedRun): number => works.filter(({ ratio }) => ratio < 1).length;
