/** The scales of charts: from the numbers of an axis to pixels, and the numbers at which the axis has ticks. */
import { nice, ticks } from "d3-array";

export interface Scale {
  (value: number): number;
  /** The numbers at the two ends. */
  domain: readonly [number, number];
}

const along = (share: number, [from, to]: readonly [number, number]): number => from + (to - from) * share;

export function linearScale([low, high]: readonly [number, number], range: readonly [number, number]): Scale {
  return Object.assign((value: number) => along((value - low) / (high - low), range), {
    domain: [low, high] as const,
  });
}

/** A linear scale whose ends are round numbers that enclose the domain. */
export const roundedScale = (domain: readonly [number, number], range: readonly [number, number]): Scale =>
  linearScale(nice(...domain, 4), range);

/** A logarithmic scale of positive numbers. */
export function logScale([low, high]: readonly [number, number], range: readonly [number, number]): Scale {
  const [from, to] = [Math.log(low), Math.log(high)];
  return Object.assign((value: number) => along((Math.log(value) - from) / (to - from), range), {
    domain: [low, high] as const,
  });
}

/** About `count` round numbers of the domain. */
export const linearTicks = ({ domain }: Scale, count: number): number[] => ticks(...domain, count);

/** The multiples of powers of ten in the domain, from which powers alone or 1, 2 and 5 are chosen if there are more than `count`. */
export function logTicks(scale: Scale, count: number): number[] {
  const [low, high] = scale.domain;
  const all: number[] = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++)
    for (let digit = 1; digit < 10; digit++) all.push(Number(`${digit}e${power}`));
  const inside = all.filter((value) => value >= low && value <= high);
  const startingWith = (digits: string) =>
    inside.filter((value) => digits.includes(value.toExponential()[0]!));
  const thinned = (values: number[]) => values.filter((_, at) => at % Math.ceil(values.length / count) === 0);
  if (inside.length <= count) return 2 * inside.length < count ? linearTicks(scale, count) : inside;
  const powers = startingWith("1");
  if (powers.length > 1) return thinned(powers);
  const few = startingWith("125");
  return few.length < 3 ? linearTicks(scale, count) : thinned(few);
}
