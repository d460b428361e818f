/** A slow machine, for tests that read too early: with `SLOW=frames` everything is drawn late, with `SLOW=answers` the core answers late. */
import type { Page } from "@playwright/test";

/** Milliseconds. */
const late = { frames: 300, answers: 400 };

export async function slowed(page: Page, what: string): Promise<void> {
  if (what === "frames") await page.addInitScript(lateFrames, late.frames);
  else if (what === "answers") await page.addInitScript(lateAnswers, late.answers);
  else throw new Error(`SLOW: expected frames or answers, got ${what}`);
}

// Both keep the browser's own clock, even if a test replaces it afterwards.
function lateFrames(milliseconds: number): void {
  const [wait, forget] = [setTimeout.bind(window), clearTimeout.bind(window)];
  const [ask, cancel] = [requestAnimationFrame.bind(window), cancelAnimationFrame.bind(window)];
  const timers = new Map<number, () => void>();
  let count = 0;
  window.requestAnimationFrame = (draw) => {
    const id = ++count;
    const timer = wait(() => {
      const frame = ask((now) => {
        timers.delete(id);
        draw(now);
      });
      timers.set(id, () => cancel(frame));
    }, milliseconds);
    timers.set(id, () => forget(timer));
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    timers.get(id)?.();
    timers.delete(id);
  };
}

function lateAnswers(milliseconds: number): void {
  const wait = setTimeout.bind(window);
  const post = Worker.prototype.postMessage as (this: Worker, ...all: unknown[]) => void;
  Worker.prototype.postMessage = function (this: Worker, ...all: unknown[]) {
    wait(() => post.apply(this, all), milliseconds);
  } as typeof Worker.prototype.postMessage;
}
