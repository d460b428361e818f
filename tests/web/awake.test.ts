// Waiting that a sleep is no part of.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whileAwake } from "../../web/session/client/awake.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("ends after its time, once", () => {
  const act = vi.fn();
  whileAwake(1000, act);
  vi.advanceTimersByTime(999);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  expect(act).toHaveBeenCalledTimes(1);
});

test("a sleep does not end it: only one timer is late", () => {
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

test("an answer cancels it", () => {
  const act = vi.fn();
  const answered = whileAwake(1000, act);
  vi.advanceTimersByTime(950);
  answered();
  vi.advanceTimersByTime(5000);
  expect(act).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
