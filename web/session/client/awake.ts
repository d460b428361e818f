/** A timeout that does not count time in which the tab or the machine was suspended: a suspended worker cannot answer. */

/** The timeout is split into this many timers, one after another, so that a suspension delays only one of them. */
const steps = 10;

/** Calls `act` after `milliseconds` in which the tab was awake. Returns a function that cancels the timeout. */
export function whileAwake(milliseconds: number, act: () => void): () => void {
  let left = steps;
  let timer: ReturnType<typeof setTimeout>;
  const step = (): void => {
    if (left-- === 0) act();
    else timer = setTimeout(step, milliseconds / steps);
  };
  step();
  return () => clearTimeout(timer);
}
