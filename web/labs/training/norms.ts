/** The picture of the norms of the gradients, of how far each step moves the weights, and of the learning rate. */
import type { ConfigOf } from "../../config/config.js";
import { isProblem, parseSelector } from "../../config/selector.js";
import { textWidth } from "../../marks/measure.js";
import type { Opener, Room, Scene, Snapshots } from "../../marks/scene.js";
import { penOn, pointsFrom, writeOn } from "../../stage/pen.js";
import { place, type Block } from "../../stage/place.js";
import { drawnPlaces, valuesOf } from "../../stage/series.js";
import { groupsOf, type Group } from "./groups.js";
import { isParameter } from "./selection.js";
import type { Say } from "./strings.js";
import { groupName } from "./tensors.js";
import { textsOf } from "./tokens.js";

interface Parts {
  config: ConfigOf<"training">;
  snapshots: Snapshots;
  scene: Scene;
  say: Say;
  of: (node: string) => Block;
  /** The number of steps made at the moment that is drawn. */
  now: number;
  layout: Room["layout"];
}

type Box = Record<"x" | "y" | "width" | "height", number>;

const MIDDLE = { anchor: "middle" } as const;
const END = { anchor: "end" } as const;

/** The largest finite number of a row, and at least 0. */
const largestOf = (row: Float64Array): number =>
  row.reduce((largest, one) => (Number.isFinite(one) ? Math.max(largest, one) : largest), 0);

/** The height of a name that can be pressed. */
const NAME = 17;

/**
 * The parameter of a part whose gradient is shown next: the largest one or, if the gradient of one of the part is shown, the next smaller
 * one; null after the smallest.
 */
export function nextParameter(snapshots: Snapshots, { names }: Group, watch = "none"): string | null {
  const size = (name: string): number => snapshots.get(name)!.data.length;
  const bySize = [...names].sort((a, b) => size(b) - size(a));
  const selector = parseSelector(watch);
  const shown = isProblem(selector) || !selector.gradient ? -1 : bySize.indexOf(selector.name);
  return bySize[shown + 1] ?? null;
}

/** The width of a number at the right of the norms, `air` before them, and the narrowest area that is drawn beside two columns of them. */
const NORM = { number: 58, air: 4, least: 40 };

/**
 * The norm of the gradient of each part of the model: an area over the steps, all on one scale, with the number of the step that is drawn and,
 * where there is room, by how much that step moved the part; under them the learning rate, on its own scale.
 */
export function norms(parts: Parts, { x, y, width, height }: Box): number {
  const { config, snapshots, scene, say, of, now, layout } = parts;
  const isNarrow = layout === "narrow";
  const groups = textsOf(snapshots, "groups");
  const numbers = valuesOf(snapshots, "gradient_norms");
  const rates = Float64Array.from(valuesOf(snapshots, "learning_rates"));
  const heading = say("head.norms");
  writeOn(scene, "heading", x, y + 14, heading);
  const { draw, write } = penOn(scene, 0);
  const count = groups.length;
  const made = Math.floor(numbers.length / Math.max(1, count));
  const ofGroups = groups.map((_, group) =>
    Float64Array.from({ length: made }, (_, step) => numbers[step * count + group]!),
  );
  const most = Math.max(...ofGroups.map(largestOf)) || 1;
  const rows = [
    ...groups.map((id, group) => ({ name: groupName(id, say, snapshots), row: ofGroups[group]!, most })),
    // A run from a file that was saved before rates were recorded has none.
    ...(made === 0 || rates.length > 0
      ? [{ name: say("group.rate"), row: rates, most: largestOf(rates) || 1 }]
      : []),
  ];
  const left = x + Math.max(...rows.map(({ name }) => textWidth(name))) + 12;
  const hasRatios = x + width - 2 * NORM.number - NORM.air - left >= NORM.least;
  const right = x + width - (hasRatios ? 2 : 1) * NORM.number - NORM.air;
  const isHigh = hasRatios && x + textWidth(heading, 14) + 8 > right;
  const top = y + (isHigh ? 36 : 24);
  // A phone's rows are high enough to be pressed; its stage is scrolled.
  const pitch = isNarrow
    ? 24
    : Math.max(13, Math.min(24, Math.floor((height - (top - y) - 8) / rows.length)));
  const parameters = [...snapshots.keys()].filter((name) => isParameter(name, snapshots.get(name)!));
  const openers = groupsOf(parameters).flatMap((group): Opener[] => {
    const { id } = group;
    const line = groups.indexOf(id);
    const parameter = nextParameter(snapshots, group, config.numbers.watch);
    if (line < 0) return [];
    const part = rows[line]!.name;
    const width = textWidth(part);
    const [high, wide] = isNarrow ? [pitch, Math.max(24, width)] : [Math.min(pitch, NAME), width];
    return [
      {
        id: `gradient-${id}`,
        control: "watch",
        value: parameter === null ? "none" : `${parameter}:grad:hist`,
        text: say(parameter === null ? "norms.close" : "norms.open", { part, name: parameter ?? "" }),
        isArea: true,
        x: left - 8 - wide,
        y: top + (line + 1) * pitch - high,
        width: wide,
        height: high,
      },
    ];
  });
  scene.openers = [...(scene.openers ?? []), ...openers];
  const at = (step: number): number => left + ((right - left) * step) / config.numbers.steps;
  for (const [line, { name, row, most: largest }] of rows.entries()) {
    const foot = top + (line + 1) * pitch;
    write(left - 8, foot - 3, name, END);
    draw(`norm-${line}`, "activation", "faint", pointsFrom(left, foot, right, foot));
    const shown = row.subarray(0, now);
    const points = drawnPlaces(shown, config.numbers.steps).map((step): [number, number] => [
      at(step),
      foot - ((pitch - 3) * shown[step]!) / largest,
    ]);
    if (points.length > 1)
      draw(
        `norms-${line}`,
        "activation",
        "area",
        [[points[0]![0], foot], ...points, [points.at(-1)![0], foot]],
        {
          strong: true,
        },
      );
  }
  // Numbers stand in the middle of their cells, the names beside them at the foot of their rows.
  const level = Math.max(0, pitch / 2 - 7.5);
  const columns = hasRatios ? (["gradient_norms", "update_ratios"] as const) : (["gradient_norms"] as const);
  const hasNumbers = now > 0 && made >= now;
  if (hasRatios && hasNumbers)
    for (const [column, key] of (["norms.length", "norms.ratio"] as const).entries())
      write(
        right + NORM.air + (column === 0 ? NORM.number / 2 - 1 : 2 * NORM.number - 2),
        y + (isHigh ? 31 : 14),
        say(key),
        column === 0 ? MIDDLE : END,
      );
  if (hasNumbers)
    for (const [column, node] of columns.entries()) {
      const block = { ...of(node), at: [now - 1, null], turned: true, rows: count, columns: 1 };
      place(scene, block, right + NORM.air + column * NORM.number, top + level, NORM.number - 2, pitch, {
        id: `${node}-now`,
      });
    }
  if (now > 0 && rates.length >= now) {
    const rate = { ...of("learning_rates"), rows: 1, columns: 1, window: { first: now - 1, count: 1 } };
    place(scene, rate, right + NORM.air, top + count * pitch + level, NORM.number - 2, pitch);
  }
  const bottom = top + rows.length * pitch;
  draw("cursor-norms", "activation", "thin", pointsFrom(at(now), top, at(now), bottom));
  return bottom + 8;
}
