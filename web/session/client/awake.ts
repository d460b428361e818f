/** Waiting of which the time that the tab or the machine sleeps is no part: who was asked could not answer then either. */

/** So many timers one after another: of those that a sleep makes late all but one begin after it. */
const steps = 10;

/** Calls `act` after `milliseconds` awake. The answer ends the waiting. */
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
