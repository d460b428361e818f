// A timeout that does not count the time during which the tab was suspended.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whileAwake } from "../../web/session/client/awake.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("calls its function once, when the time is over", () => {
  const act = vi.fn();
  whileAwake(1000, act);
  vi.advanceTimersByTime(999);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(1);
});

test("goes on waiting after the tab was suspended, because only one timer is late", () => {
  const act = vi.fn();
  whileAwake(1000, act);
  const asleep = Date.now();
  vi.setSystemTime(asleep + 3_600_000);
  vi.advanceTimersToNextTimer();
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(899);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(act).toHaveBeenCalledTimes(1);
});

test("is cancelled by an answer", () => {
  const act = vi.fn();
  const answered = whileAwake(1000, act);
  vi.advanceTimersByTime(950);
  answered();
  vi.advanceTimersByTime(5000);
  expect(act).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
