/** The part of gifenc that is used; the package has no types. */
declare module "gifenc" {
  type Colour = [red: number, green: number, blue: number];

  interface FrameOptions {
    /** The table of all frames, given with the first one. */
    palette?: Colour[];
    /** Milliseconds until the next frame. */
    delay: number;
    transparent?: boolean;
    transparentIndex?: number;
    /** What happens to the frame before the next one is drawn; 1: it stays. */
    dispose?: number;
  }

  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  };

  /** At most `most` colours for the pixels, as red, green, blue and alpha. */
  export function quantize(pixels: Uint8Array, most: number, options?: { format: "rgb565" }): Colour[];

  export function nearestColorIndex(colours: Colour[], pixel: Colour): number;
}
