/**
 * Draws the sample images: `node web/examples/samples/draw.mjs` writes the .json files beside it.
 * Everything is arithmetic on integers and halves, so the pixels are the same on every machine.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const size = 64;
/** Points per pixel and axis; a pixel is their mean. */
const fine = 4;

const mix = (a, b, t) =>
  a.map((value, channel) => value + (b[channel] - value) * Math.min(Math.max(t, 0), 1));
/** Height of a chain of straight ridges at x. */
const ridge = (points, x) => {
  const next = points.findIndex(([at]) => at > x);
  const [[x0, y0], [x1, y1]] = [points[next - 1], points[next]];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
};
const inside = (x, y, corners) =>
  corners.every(([x0, y0], at) => {
    const [x1, y1] = corners[(at + 1) % corners.length];
    return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= 0;
  });

const far = [
  [-1, 36],
  [7, 26],
  [13, 23],
  [20, 29],
  [26, 32],
  [33, 26],
  [38, 25],
  [45, 29],
  [50, 34],
  [57, 32],
  [65, 34],
];
const near = [
  [-1, 36],
  [5, 33],
  [12, 31],
  [19, 35],
  [27, 36],
  [36, 34],
  [46, 37],
  [56, 35],
  [65, 37],
];
const glints = [
  [45, 41, 8],
  [47, 44, 5],
  [44, 47, 9],
  [46, 50, 7],
  [43, 54, 6],
  [47, 57, 5],
  [44, 60, 8],
];

/** A harbour in the evening: sky, a low sun, two ridges, water, a boat with two sails. */
function harbour(x, y) {
  if (
    inside(x, y, [
      [9, 51.5],
      [34, 51.5],
      [31, 56],
      [13, 56],
    ])
  )
    return [58, 40, 36];
  if (x >= 20.5 && x < 21.5 && y >= 25 && y < 52) return [96, 80, 72];
  if (
    inside(x, y, [
      [20, 29],
      [20, 50],
      [10, 50],
    ])
  )
    return [248, 244, 236];
  if (
    inside(x, y, [
      [22, 32],
      [31, 50],
      [22, 50],
    ])
  )
    return [206, 84, 56];
  if (y >= 38) {
    const glint = glints.some(
      ([left, top, width]) => x >= left && x < left + width && y >= top && y < top + 1,
    );
    const water = mix([187, 153, 136], [51, 85, 119], (y - 38) / 11);
    return glint ? mix(water, [255, 236, 190], 0.7) : mix(water, [17, 51, 85], (y - 49) / 15);
  }
  if (y >= ridge(near, x)) return [96, 112, 140];
  if (y >= ridge(far, x)) return [134, 146, 172];
  if ((x - 46) ** 2 + (y - 20) ** 2 <= 36) return [255, 232, 190];
  return y < 20
    ? mix([136, 170, 204], [221, 204, 187], y / 20)
    : mix([221, 204, 187], [255, 204, 153], (y - 20) / 16);
}

/** A face: eyes, cheeks, a smile. */
function face(x, y) {
  const disc = (cx, cy, r) => (x - cx) ** 2 + (y - cy) ** 2 <= r * r;
  if (!disc(32, 32, 27)) return [204, 221, 238];
  if (disc(22, 26, 4) || disc(42, 26, 4))
    return disc(23.5, 24.5, 1.5) || disc(43.5, 24.5, 1.5) ? [255, 255, 255] : [44, 36, 40];
  if (disc(16, 37, 4.5) || disc(48, 37, 4.5)) return [240, 150, 120];
  if (y > 37 && disc(32, 35, 15) && !disc(32, 32, 15)) return [150, 52, 48];
  return mix([255, 220, 120], [238, 176, 70], ((x - 32) ** 2 + (y - 26) ** 2) / 900);
}

/** The letter A over a chequered floor that pales to the right. */
function letter(x, y) {
  const bar =
    inside(x, y, [
      [15, 55],
      [28, 9],
      [36, 9],
      [23, 55],
    ]) ||
    inside(x, y, [
      [28, 9],
      [36, 9],
      [49, 55],
      [41, 55],
    ]) ||
    inside(x, y, [
      [22, 36],
      [42, 36],
      [44, 43],
      [20, 43],
    ]);
  if (bar) return mix([68, 34, 119], [153, 34, 85], y / 64);
  const dark = (Math.floor(x / 8) + Math.floor(y / 8)) % 2 === 0;
  return mix(dark ? [119, 170, 153] : [187, 221, 204], [238, 238, 238], x / 64);
}

/** Levels of a picture: row, column, channel, each 0 … 15. */
function levels(picture) {
  const out = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const sum = [0, 0, 0];
      for (let i = 0; i < fine * fine; i++) {
        const point = picture(column + ((i % fine) + 0.5) / fine, row + (Math.floor(i / fine) + 0.5) / fine);
        point.forEach((value, channel) => (sum[channel] += value));
      }
      out.push(...sum.map((value) => Math.floor((value / (fine * fine) + 8.5) / 17)));
    }
  }
  return out;
}

/** One line per row of pixels, three hexadecimal digits per pixel. */
export const pictures = [
  { id: "harbour", title: { en: "The harbour", "zh-CN": "港湾" }, draw: harbour },
  { id: "face", title: { en: "A face", "zh-CN": "笑脸" }, draw: face },
  { id: "letter", title: { en: "The letter A", "zh-CN": "字母 A" }, draw: letter },
].map(({ id, title, draw }) => {
  const digits = levels(draw)
    .map((level) => level.toString(16))
    .join("");
  return { id, title, size, rows: digits.match(/.{192}/g) };
});

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const picture of pictures) {
    writeFileSync(new URL(`${picture.id}.json`, import.meta.url), `${JSON.stringify(picture, null, 2)}\n`);
  }
}
