/** What the page stores for the test to read. It has no import, so that it compiles before the package is built. */
export interface Found {
  shown: Record<string, { shape: number[]; data: number[] }>;
  state: string;
  attention: { build: string; output: number[] };
  whole: { build: string; normalized: number[] };
  frame: string;
}

declare global {
  interface Window {
    found: Promise<Found>;
  }
}
