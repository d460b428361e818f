/** Writes tasks and numbers as text. */
import { ownStrings, type OwnWords, type Words } from "../../i18n/words.js";
import type { Sequences, Work } from "../works.js";
import { en } from "./en.js";
import { zhCN } from "./zh-CN.js";

export type BenchWords = OwnWords<typeof en>;

export const benchWords = (words: Words): BenchWords => ownStrings(words, { en, "zh-CN": zhCN });

/** "B 10, H 8, L 20, D 128", with the letters of the README; a batch of one is left out. */
const sizesText = ({ batch, heads, length, dim }: Sequences): string =>
  [batch > 1 ? `B ${batch}` : "", `H ${heads}`, `L ${length}`, `D ${dim}`].filter(Boolean).join(", ");

export function workName(words: BenchWords, work: Work): string {
  switch (work.kind) {
    case "matmul":
      return words("work.matmul", { n: work.sizes.n });
    case "attention":
      return words(work.sizes.causal ? "work.attention.causal" : "work.attention", {
        sizes: sizesText(work.sizes),
      });
    case "multiHead":
      return words("work.multiHead", { sizes: sizesText(work.sizes) });
    case "encoder":
      return words("work.encoder", { sizes: sizesText(work.sizes) });
    case "sinusoidal":
      return words("work.sinusoidal", { ...work.sizes });
    case "patches":
      return words("work.patches", { ...work.sizes });
    case "training":
      return words("work.training", { layers: work.sizes.layers, sizes: sizesText(work.sizes) });
    case "decoding":
      return words("work.decoding", { steps: work.sizes.steps });
  }
}

/** Three significant figures in the best unit: µs, ms or s. */
export function timeText(milliseconds: number): string {
  const [value, unit] =
    milliseconds < 1
      ? [milliseconds * 1000, "µs"]
      : milliseconds < 1000
        ? [milliseconds, "ms"]
        : [milliseconds / 1000, "s"];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

export function speedText(gflops: number): string {
  return gflops < 1 ? gflops.toFixed(3) : gflops.toFixed(1);
}

export const percentText = (part: number): string => (part < 0.01 ? "< 1 %" : `${Math.round(part * 100)} %`);

export const ratioText = (ratio: number): string => `${ratio.toFixed(2)} ×`;
