/** The reasons why the numbers on the page are not those of the settings. */
import { NoMemory, NoSimd } from "../session/client/launch.js";

/** "lab": a requested lab, or its part of the core, could not be fetched. */
export interface Trouble {
  kind: "refused" | "died" | "restarted" | "silent" | "start" | "memory" | "simd" | "lab";
  reason: string;
}

/** The kinds with which the numbers on the page are those of the settings, or may still become so. */
const harmless: readonly Trouble["kind"][] = ["restarted", "silent", "lab"];

/** Whether the numbers could not be computed. */
export const hasFailed = (trouble: Trouble | null): boolean =>
  trouble !== null && !harmless.includes(trouble.kind);

/** Whether the core refused these settings because they need more memory than it allows itself. */
export const isTooLarge = ({ kind, reason }: Trouble): boolean =>
  kind === "refused" && /: needs [\d.]+ MB.*; the limit is /.test(reason);

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why the core did not compute; `once`: whether it has computed before. */
export function troubleOf(error: unknown, once: boolean): Trouble {
  const kind =
    error instanceof NoSimd ? "simd" : error instanceof NoMemory ? "memory" : once ? "died" : "start";
  return { kind, reason: reasonOf(error) };
}
