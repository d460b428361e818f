/** Colours as seen with a colour vision deficiency (Machado, Oliveira and Fernandes 2009, full severity) and their CIEDE2000 difference. */
import { lightOf, type Rgb } from "../../web/marks/colour.js";

export type Deficiency = "normal" | "deutan" | "protan" | "tritan";
type Lab = readonly [number, number, number];

/** Matrices for linear RGB, from table 1 of the paper at severity 1. */
const MATRICES: Record<Exclude<Deficiency, "normal">, readonly (readonly [number, number, number])[]> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const XYZ = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
] as const;
const WHITE = [0.95047, 1, 1.08883] as const;

function apply(
  matrix: readonly (readonly [number, number, number])[],
  [a, b, c]: readonly [number, number, number],
): [number, number, number] {
  return matrix.map(([x, y, z]) => x * a + y * b + z * c) as [number, number, number];
}

/** The CIE Lab values of a colour as it is seen. */
export function seenWith(colour: Rgb, vision: Deficiency): Lab {
  const light = lightOf(colour);
  const seen =
    vision === "normal"
      ? light
      : apply(MATRICES[vision], light).map((part) => Math.max(0, Math.min(1, part)));
  const [x, y, z] = apply(XYZ, seen as [number, number, number]).map((part, at) => {
    const share = part / (WHITE[at] ?? 1);
    return share > 216 / 24389 ? Math.cbrt(share) : ((24389 / 27) * share + 16) / 116;
  }) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const radians = Math.PI / 180;

/** CIEDE2000 with all weights 1. */
export function differenceCiede2000([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const seventh = (chroma: number): number => Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7));
  const meanC = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const stretch = 1 + 0.5 * (1 - seventh(meanC));
  const [c1, c2] = [Math.hypot(a1 * stretch, b1), Math.hypot(a2 * stretch, b2)];
  const hue = (a: number, b: number): number =>
    a === 0 && b === 0 ? 0 : (Math.atan2(b, a * stretch) / radians + 360) % 360;
  const [h1, h2] = [hue(a1, b1), hue(a2, b2)];
  let turn = c1 * c2 === 0 ? 0 : h2 - h1;
  if (turn > 180) turn -= 360;
  else if (turn < -180) turn += 360;
  let meanH = h1 + h2;
  if (c1 * c2 !== 0)
    meanH = Math.abs(h1 - h2) <= 180 ? meanH / 2 : meanH < 360 ? (meanH + 360) / 2 : (meanH - 360) / 2;
  const meanL = (l1 + l2) / 2;
  const meanChroma = (c1 + c2) / 2;
  const cos = (degrees: number): number => Math.cos(degrees * radians);
  const t =
    1 -
    0.17 * cos(meanH - 30) +
    0.24 * cos(2 * meanH) +
    0.32 * cos(3 * meanH + 6) -
    0.2 * cos(4 * meanH - 63);
  const lightness = (l2 - l1) / (1 + (0.015 * (meanL - 50) ** 2) / Math.sqrt(20 + (meanL - 50) ** 2));
  const chroma = (c2 - c1) / (1 + 0.045 * meanChroma);
  const hueDifference =
    (2 * Math.sqrt(c1 * c2) * Math.sin((turn / 2) * radians)) / (1 + 0.015 * meanChroma * t);
  const rotation = -2 * seventh(meanChroma) * Math.sin(60 * Math.exp(-(((meanH - 275) / 25) ** 2)) * radians);
  return Math.sqrt(lightness ** 2 + chroma ** 2 + hueDifference ** 2 + rotation * chroma * hueDifference);
}
