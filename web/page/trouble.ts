/** What keeps the numbers on the page from being those of the settings. */
import { NoMemory, NoSimd } from "../session/client/launch.js";

/** "lab": a lab that was asked for, or its part of the core, could not be fetched. */
export interface Trouble {
  kind: "refused" | "died" | "restarted" | "silent" | "start" | "memory" | "simd" | "lab";
  reason: string;
}

/** With these the numbers on the page are those of the settings, or may still become so. */
const harmless: readonly Trouble["kind"][] = ["restarted", "silent", "lab"];

/** The numbers could not be had. */
export const failed = (trouble: Trouble | null): boolean =>
  trouble !== null && !harmless.includes(trouble.kind);

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why the core did not compute; `once`: it has before. */
export function troubleOf(error: unknown, once: boolean): Trouble {
  const kind =
    error instanceof NoSimd ? "simd" : error instanceof NoMemory ? "memory" : once ? "died" : "start";
  return { kind, reason: reasonOf(error) };
}
