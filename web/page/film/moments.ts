/**
 * The moments of a film of Play: what is shown, and for how long. A pure function of the stops: no clock, so that the same state
 * always makes the same file.
 */

/** Milliseconds: the whole film, how long its last picture stays longer than others, and one picture while something moves. */
const TOTAL = 10_000;
const END = 1000;
const PICTURE = 80;
/** Milliseconds of Play: to show frames, and to sweep the result. */
const TIMES = { frames: 240, sweep: 420 };
/** The most of a stop's time in which something moves; the rest is for reading. */
const MOVING = 0.65;
/** The unit of time in GIF files. */
const UNIT = 10;

export interface Moment {
  /** The place of the stop among the given stops. */
  stop: number;
  /** Milliseconds since its numbers began to travel; null when they are at rest. */
  travel: number | null;
  /** The share of its tensor that is drawn. */
  swept: number;
  /** Milliseconds that the picture is shown. */
  lasts: number;
}

const inUnits = (milliseconds: number): number => UNIT * Math.round(milliseconds / UNIT);

function momentsOfStop(stop: number, travel: number, takes: number): Moment[] {
  const whole = TIMES.frames + travel + TIMES.sweep;
  const moving = Math.min(whole, MOVING * takes);
  const pictures = Math.max(1, Math.floor(moving / PICTURE));
  const moments = Array.from({ length: pictures }, (_, at): Moment => {
    const time = (whole * at) / pictures - TIMES.frames;
    const swept = Math.max(0, Math.min(1, (time - travel) / TIMES.sweep));
    return { stop, travel: Math.max(0, time), swept, lasts: PICTURE };
  });
  return [...moments, { stop, travel: null, swept: 1, lasts: takes - pictures * PICTURE }];
}

/**
 * The moments of all stops; together they last ten seconds, whatever the number of stops. `travels`: the milliseconds in which the
 * numbers of each stop travel; 0 where only the result is swept, null where nothing moves.
 */
export function momentsOf(travels: readonly (number | null)[]): Moment[] {
  const ends = travels.map((_, stop) => inUnits(((TOTAL - END) * (stop + 1)) / travels.length));
  const moments = travels.flatMap((travel, stop): Moment[] => {
    const takes = ends[stop]! - (ends[stop - 1] ?? 0);
    return travel === null
      ? [{ stop, travel: null, swept: 1, lasts: takes }]
      : momentsOfStop(stop, travel, takes);
  });
  const last = moments.at(-1);
  return last ? [...moments.slice(0, -1), { ...last, lasts: last.lasts + END }] : [];
}

/** The steps of learning that a film shows: all, or as many as fit, the first and the last among them. */
export function stepsToFilm(last: number, most: number): number[] {
  const count = Math.min(last + 1, most);
  return Array.from({ length: count }, (_, at) => Math.round((at * last) / Math.max(1, count - 1)));
}
