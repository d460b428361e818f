/** What the page leaves for the test to read; without an import, so that it means something before the package is built. */
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
