/** Play of the state on the page as an animated GIF file, which contains the link. */
import { withGifText } from "../../files/gif-text.js";
import { GifColours, GifWriter } from "../../files/gif.js";
import type { Palette } from "../../marks/colour.js";
import { textWidth } from "../../marks/measure.js";
import { drawPicture, drawShapes } from "../../marks/picture-canvas.js";
import { labOf } from "../open-lab.js";
import { momentsOf, type Moment } from "./moments.js";
import { FILM_ROOM, FOOT_SIZE, FilmPictures } from "./pictures.js";
import { filmStops, type Filmed } from "./plan.js";

export interface FilmLook {
  palette: Palette;
  link: string;
  /** The address of the page, written in the film if the link is too long. */
  page: string;
}

export interface Making {
  /** Told the share that is done. */
  progress(share: number): void;
  signal: AbortSignal;
}

/** The most pixels of the file. */
const MOST = { width: 960, height: 1200 };
/** The share of the work that is done once the colours are chosen. */
const COUNTED = 0.2;

/** Lets the page answer the reader. A timer would wait for a second where the tab is hidden. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    port2.postMessage(null);
  });

/** Draws pictures of a film, one after another on the same canvas. */
class Drawing {
  readonly width: number;
  readonly height: number;
  readonly #pictures: FilmPictures;
  readonly #palette: Palette;
  readonly #ratio: number;
  readonly #context: CanvasRenderingContext2D;
  #background: { key: string; canvas: HTMLCanvasElement } | null = null;

  constructor(pictures: FilmPictures, palette: Palette) {
    this.#pictures = pictures;
    this.#palette = palette;
    this.#ratio = Math.min(1, MOST.width / pictures.width, MOST.height / pictures.height);
    const canvas = document.createElement("canvas");
    this.width = canvas.width = Math.round(pictures.width * this.#ratio);
    this.height = canvas.height = Math.round(pictures.height * this.#ratio);
    // The same letters have the same pixels only if all are drawn without the graphics card.
    const context = canvas.getContext("2d", { willReadFrequently: true });
    if (!context) throw new Error("no 2d canvas");
    this.#context = context;
  }

  pixels(moment: Moment): Uint8ClampedArray {
    const { key, picture } = this.#pictures.background(moment);
    if (this.#background?.key !== key)
      this.#background = { key, canvas: drawPicture(picture(), this.#ratio, this.#palette, true) };
    const context = this.#context;
    context.resetTransform();
    context.drawImage(this.#background.canvas, 0, 0);
    context.scale(this.#ratio, this.#ratio);
    drawShapes(context, this.#pictures.front(moment), this.#ratio, this.#palette);
    return context.getImageData(0, 0, this.width, this.height).data;
  }
}

/**
 * Makes the film. Rejects with an Error when the numbers are replaced before they are explained, when the browser cannot draw, and
 * with the signal's reason when it is cancelled.
 */
export async function filmOf(filmed: Filmed, look: FilmLook, making: Making): Promise<Uint8Array> {
  const { config, words } = filmed;
  const { palette, link, page } = look;
  const { progress, signal } = making;
  const stops = await filmStops(filmed, signal);
  const fits = textWidth(link, FOOT_SIZE) <= FILM_ROOM.width;
  const text = { title: labOf(config).title(config, words), address: fits ? link : page, words };
  const pictures = new FilmPictures(stops, text, config.view.scales, palette);
  for (const stop of stops) {
    await pause(signal);
    pictures.add(stop);
  }
  const moments = momentsOf(pictures.travels);
  const drawing = new Drawing(pictures, palette);

  const colours = new GifColours();
  const atRest = moments.filter(({ travel }) => travel === null);
  for (const [at, moment] of atRest.entries()) {
    await pause(signal);
    const pixels = drawing.pixels(moment);
    await pause(signal);
    colours.add(pixels);
    progress((COUNTED * (at + 1)) / atRest.length);
  }
  await pause(signal);
  const gif = new GifWriter(drawing.width, drawing.height, colours.choose());
  for (const [at, moment] of moments.entries()) {
    await pause(signal);
    const pixels = drawing.pixels(moment);
    await pause(signal);
    gif.add(pixels, moment.lasts);
    progress(COUNTED + ((1 - COUNTED) * (at + 1)) / moments.length);
  }
  await pause(signal);
  return withGifText(gif.finish(), link);
}
