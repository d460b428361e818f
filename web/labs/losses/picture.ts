/** The picture of the three targets: the loss over the logit of the right class, and under it the arithmetic of one row. */
import type { ConfigOf } from "../../config/config.js";
import { textWidth } from "../../marks/measure.js";
import { formatNote } from "../../marks/numbers.js";
import { HANDLE } from "../../marks/rail.js";
import type { Curve, Room, Scene, Snapshots } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import {
  CHART_BELOW,
  addRail,
  placeChart,
  spreadApart,
  type Chart,
  type PlacedPlot,
  type Series,
} from "../../stage/chart.js";
import { placeColumns, type Column, type ColumnGroup } from "../../stage/columns.js";
import { arrowPath } from "../../stage/paths.js";
import { penOn, pointsFrom, writeOn } from "../../stage/pen.js";
import { LEGEND, emptyScene, familiesOf, legends, place, type Block } from "../../stage/place.js";
import { rowOf, type Point } from "../../stage/series.js";
import { stripOf } from "../../stage/strip.js";
import { MARKED } from "./build.js";
import { rowNames, stringsIn, type Key, type Say } from "./strings.js";
import { targets } from "./tensors.js";

type Config = ConfigOf<"losses">;

interface Parts {
  config: Config;
  snapshots: Snapshots;
  narrow: boolean;
  /** The stop of Play that a phone shows. */
  stop: number;
  say: Say;
  of: (node: string) => Block;
  scene: Scene;
  /** The row of logits that the chart shows, its right class, and the place of the thick curve among the targets. */
  row: number;
  right: number;
  chosen: number;
  /** The number of a node for that row: of a matrix, that in its first column or in `column`. */
  value: (node: string, column?: number) => number;
}

const NOTE = { width: 400, gap: 24, tallest: 310 };
/** The heights under the axis: its ticks, the strip of probabilities, their ticks, and the sentence. */
const BELOW = { strip: 27, height: 11, ticks: 18, sentence: 20 };
/** From the left edge of a loss to its name. */
const NUMBER = 62;
/** The step of Play of each part of the picture. */
const STEP = { predict: 0, target: 1, cost: 2, confidence: 3 };

/** The chart with its curves and the floor of each smoothed target. */
function lossChart({ config, snapshots, narrow, say, row, right, chosen, value }: Parts): Chart {
  const slots = { row: rowNames(config.numbers, say)[row]!, class: config.numbers.classes[right]! };
  const logits = rowOf(snapshots, "swept", row);
  const [first = NaN, last = NaN] = [logits[0], logits.at(-1)];
  const logit = value("target_logit");
  const away = logit < first ? ".left" : logit > last ? ".right" : "";
  const curves = targets.map(({ suffix }) => rowOf(snapshots, `swept_loss${suffix}`, row));
  const most = Math.max(...curves.flat().filter(Number.isFinite));
  const named = (label: string) => (narrow ? {} : { label });
  const series = targets.map(({ suffix, role, label }, at): Series[] => {
    const [best, floor] = [value(`best${suffix}`), value(`entropy${suffix}`)];
    const curve: Series = {
      id: `line${suffix}`,
      role,
      kind: "line",
      points: curves[at]!.map((loss, place) => [logits[place]!, loss]),
      cells: logits.map((_, place) => ({ node: `swept_loss${suffix}`, index: [row, place] })),
      step: STEP.cost,
      ...named(say(label)),
      ...(at === chosen && { strong: true }),
    };
    const ofFloor: Series = {
      id: `floor${suffix}`,
      role,
      kind: "dashed",
      points: [Math.max(best, first), last].map((z) => [z, floor]),
      step: STEP.confidence,
      ...named(say("chart.floor", { n: formatNote(floor) })),
    };
    return suffix && best < last ? [curve, ofFloor] : [curve];
  });
  return {
    id: "confidence",
    title: say(narrow ? "chart.confidence.narrow" : `chart.confidence${away}`, slots),
    x: { label: "", domain: [first, last] },
    // The slope is written above the largest loss.
    y: { label: "", domain: [0, 1.22 * most], ...(most < 3 && { ticks: [0, 0.5, 1, 1.5, 2, 2.5] }) },
    // The thick curve lies on top.
    series: [...series.filter((_, at) => at !== chosen), series[chosen]!].flat(),
    step: STEP.predict,
  };
}

/** A line on the chart through points, each as x and y. */
function line(scene: Scene, name: string, points: readonly number[], more: Partial<Curve> = {}) {
  const pen = penOn(scene, STEP.confidence);
  pen.draw(`confidence-${name}`, "activation", "line", pointsFrom(...points), more);
}

/** The second axis: the probability of the right class at each logit, marked where the curves have their minima. */
function probabilityAxis({ scene, snapshots, narrow, say, of, row, right, value }: Parts, plot: PlacedPlot) {
  const { left, right: end, bottom } = plot;
  const block = of("swept_p");
  const top = bottom + BELOW.strip;
  const foot = top + BELOW.height + 3;
  const baseline = top + BELOW.height + BELOW.ticks;
  const cell = (end - left) / (block.columns - 1);
  const { predict: step } = STEP;
  // Each cell stands about its own logit.
  place(scene, stripOf(block, [row, null]), left - cell / 2, top, cell, BELOW.height);
  writeOn(scene, "symbol", left - 26, bottom + 19, "z", { anchor: "end", step });
  writeOn(scene, "symbol", left - 26, top + 12, "p", { anchor: "end", step, role: "attention" });
  const met = targets.slice(1).flatMap(({ suffix, role }) => {
    const x = plot.x(value(`best${suffix}`));
    if (!(x >= left && x <= end)) return [];
    line(scene, `met${suffix}`, [x, plot.y(value(`least${suffix}`)), x, top - 3], { role, kind: "dashed" });
    const cells = [{ node: `best${suffix}`, index: [row, 0] }];
    line(scene, `best${suffix}`, [x, plot.y(value(`least${suffix}`))], { role, dots: "open", cells });
    line(scene, `tick${suffix}`, [x, foot, x, foot + 4], { role, step: STEP.target });
    return [{ x, role, share: formatNote(value(`target_share${suffix}`)) }];
  });
  // Two targets that are close stand apart, and no other number stands near them.
  const gap = textWidth("0.000", 12.5) + 8;
  const middles = spreadApart(
    met.map(({ x }) => x),
    left,
    end,
    gap,
  );
  met.forEach(({ share, role }, at) =>
    writeOn(scene, "heading", middles[at]!, baseline, share, { anchor: "middle", role, step: STEP.target }),
  );
  const isFree = (x: number): boolean =>
    x >= left && x <= end && middles.every((middle) => Math.abs(middle - x) >= gap);
  // The present probability: from it to the target is the gap that the slope measures.
  const present = plot.x(value("target_logit"));
  if (isFree(present)) {
    const style = { role: "attention", step } as const;
    line(scene, "share", [present, foot, present, foot + 4], style);
    writeOn(scene, "heading", present, baseline, formatNote(value("p", right)), {
      anchor: "middle",
      ...style,
    });
    middles.push(present);
  }
  rowOf(snapshots, "marked_logits", row).forEach((logit, at) => {
    const x = plot.x(logit);
    if (!isFree(x)) return;
    line(scene, `mark${at}`, [x, foot, x, foot + 4], { kind: "bracket", step });
    writeOn(scene, "axis", x, baseline, String(MARKED[at]), { anchor: "middle", step });
  });
  if (narrow) return;
  writeOn(scene, "axis", end + cell / 2 + 12, bottom + 17, say("chart.logit"), { step });
  writeOn(scene, "axis", end + cell / 2 + 12, top + 10, say("chart.probability"), { step });
  if (met.length < 2) return;
  const least = say("chart.least", { one: met[1]!.share, other: met[0]!.share });
  writeOn(scene, "caption", left, baseline + BELOW.sentence, least, { step: STEP.confidence });
}

const signed = (value: number): string => (value > 0 ? "+" : "") + formatNote(value);

/**
 * The handle that drags the present logit along its axis, in place of the ticks around it. It snaps to the minima, and stops short of the
 * symbol and the labels at the ends of the axis.
 */
function addHandle(
  { config, snapshots, scene, narrow, say, row, right, value }: Parts,
  plot: PlacedPlot,
): void {
  const half = (narrow ? HANDLE.small : HANDLE.width) / 2;
  const hundredth = (logit: number): number => Number(logit.toFixed(2));
  const logit = hundredth(value("target_logit"));
  const [start = NaN] = rowOf(snapshots, "swept", row);
  const logitAt = (x: number): number => hundredth(start + (x - plot.left) / (plot.x(1) - plot.x(0)));
  const first = Math.min(logit, logitAt(plot.left + half - 21));
  const last = Math.max(logit, logitAt(plot.right - half + 4));
  const best = targets.slice(1).map(({ suffix }) => hundredth(value(`best${suffix}`)));
  const slots = { row: rowNames(config.numbers, say)[row]!, class: config.numbers.classes[right]! };
  addRail(scene, plot, {
    id: "logit",
    changes: { node: "logits", index: [row, right] },
    name: say("rail.logit", slots),
    ends: [first, last],
    unit: 0.01,
    keyUnit: 0.1,
    marks: best
      .filter((mark) => mark > first && mark < last)
      .sort((a, b) => a - b)
      .map((mark) => ({ value: mark })),
    value: logit,
    ...(narrow ? { isSmall: true } : { reach: HANDLE.height / 2 }),
  });
}

/** The present logit: a line, the three losses on it, the slope of the thick curve, and the way that descent moves the logit. */
function presentLogit(parts: Parts, plot: PlacedPlot): void {
  const { scene, say, row, right, chosen, value } = parts;
  const { left, right: end, top, bottom } = plot;
  const x = plot.x(value("target_logit"));
  if (!(x >= left - 1 && x <= end + 1)) return;
  line(scene, "present", [x, top - 4, x, bottom], { step: STEP.predict });
  addHandle(parts, plot);
  const { suffix, role, label } = targets[chosen]!;
  const slope = value(`off${suffix}`, right);
  const side = x > left + 0.56 * (end - left) ? -1 : 1;
  const at = x + side * 12;
  const style = { anchor: side < 0 ? "end" : "start", step: STEP.confidence } as const;
  const [p, y] = [value("p", right), value(`y${suffix}`, right)].map(formatNote);
  writeOn(scene, "axis", at, top + 8, say("chart.slope", { target: say(label) }), { ...style, role });
  writeOn(scene, "large", at, top + 29, signed(slope), style);
  writeOn(scene, "caption", at, top + 47, `= p − y = ${p} − ${y}`, style);
  const arrow = Math.abs(slope) < 0.0005 ? 0 : 14 + 96 * Math.min(1, Math.abs(slope));
  const beyond = at + side * (arrow && arrow + 10);
  writeOn(scene, "caption", beyond, top + 66, say(arrow ? "chart.descent" : "chart.stays"), style);
  if (arrow) {
    const way = -Math.sign(slope);
    const [head, middle] = [way === side ? at + side * arrow : at, top + 62];
    const points = pointsFrom(head - way * arrow, middle, head, middle);
    line(scene, "descent", points.flat(), { path: arrowPath(points, 5, 4) });
  }
  const losses = targets.map((target, place) => ({ ...target, place, n: value(`loss${target.suffix}`) }));
  const drawn = [...losses.filter(({ place }) => place !== chosen), losses[chosen]!];
  for (const { suffix, role, n } of drawn) {
    const cells = [{ node: `loss${suffix}`, index: [row] }];
    line(scene, `now${suffix}`, [x, plot.y(n)], { role, dots: "large", cells, step: STEP.cost });
  }
  // They are listed in the order of the dots: above them, or high up beside the curves if a curve crosses the list there.
  losses.sort((a, b) => b.n - a.n);
  const wide = NUMBER + Math.max(...losses.map(({ label }) => textWidth(say(label))));
  const beside = (way: number, away: number): number => (way > 0 ? x + away : x - away - wide);
  const above = plot.y(losses[0]!.n) - 54;
  const drawnAt = scene.curves.flatMap(({ kind, points }) => (kind === "line" ? points : []));
  const crosses = (from: number, { label }: { label: Key }, nth: number): boolean =>
    drawnAt.some(
      ([a, b]) =>
        a > from && a < from + NUMBER + textWidth(say(label)) && Math.abs(b - above - nth * 19 + 5) < 12,
    );
  const place = [beside(side, 12), beside(-side, 12)].find(
    (from) =>
      above > top + 88 &&
      from > left &&
      from + wide < end + 8 &&
      !losses.some((loss, nth) => crosses(from, loss, nth)),
  );
  const [start, first] =
    place === undefined ? [Math.min(beside(side, 150), end + 8 - wide), top + 104] : [place, above];
  losses.forEach(({ role, label, n, place }, nth) => {
    const kind = place === chosen ? "large" : "heading";
    writeOn(scene, kind, start, first + nth * 19, formatNote(n), { role, step: STEP.cost });
    writeOn(scene, "axis", start + NUMBER, first + nth * 19, say(label), { role, step: STEP.cost });
  });
  tangent(parts, plot, slope);
}

/** The tangent of the thick curve, and a triangle one logit wide with the slope as its height. */
function tangent({ scene, say, narrow, chosen, value }: Parts, plot: PlacedPlot, slope: number): void {
  const [logit, loss] = [value("target_logit"), value(`loss${targets[chosen]!.suffix}`)];
  const at = (away: number): Point => [plot.x(logit + away), plot.y(loss + slope * away)];
  const isInside = (x: number, y: number): boolean =>
    x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom;
  const reach = (most: number): number =>
    [1, 0.8, 0.6, 0.4, 0.2].map((part) => part * most).find((away) => isInside(...at(away))) ?? 0;
  line(scene, "tangent", [...at(reach(-1.7)), ...at(reach(1.5))], { kind: "dashed" });
  const [x, y] = at(0);
  const number = signed(slope);
  const needed = textWidth(number, 12.5) + 8;
  const sides = slope > 0 ? [1] : narrow ? [-1] : [-1, 1];
  const side = sides.find((one) => isInside(...at(one)) && isInside(at(one)[0] + one * needed, y));
  if (side === undefined || Math.abs(at(1)[1] - y) < 6) return;
  const [cornerX, endY] = at(side);
  line(scene, "triangle", [x, y, cornerX, y, cornerX, endY], { kind: "bracket" });
  const anchor = side < 0 ? "end" : "start";
  // Above a curve that rises.
  const baseline = slope > 0 ? endY - 14 : (y + endY) / 2 + 4;
  writeOn(scene, "heading", cornerX + side * 6, baseline, number, { anchor, step: STEP.confidence });
  // Above a triangle that falls to the right stand the losses.
  if (narrow || endY > y) return;
  writeOn(scene, "axis", (x + cornerX) / 2, y + 14, say("chart.one"), {
    anchor: "middle",
    step: STEP.confidence,
    over: true,
  });
}

/** The area between the thick curve and its floor, right of the minimum: the cost of being surer than the target. */
function wedge({ scene, snapshots, row, chosen, value }: Parts, plot: PlacedPlot): void {
  const { suffix, role } = targets[chosen]!;
  const [best, floor] = [value(`best${suffix}`), plot.y(value(`entropy${suffix}`))];
  const losses = rowOf(snapshots, `swept_loss${suffix}`, row);
  const beyond = rowOf(snapshots, "swept", row).flatMap((z, at) =>
    z > best ? [plot.x(z), plot.y(losses[at]!)] : [],
  );
  if (!suffix || beyond.length === 0) return;
  const points = [Math.max(plot.left, plot.x(best)), floor, ...beyond, plot.right, floor];
  line(scene, "wedge", points, { role, kind: "area" });
  scene.curves.unshift(scene.curves.pop()!);
}

/** The logits, probabilities and surprises of all rows; then, for the row of the chart, the three targets and their losses. */
function arithmetic({ config, of, say, row, right, narrow, stop }: Parts): ColumnGroup[] {
  const whole = (node: string, before?: readonly [string]): Column => ({ blocks: [of(node)], before });
  const stack = (key: string, at: (number | null)[], symbol: string, name: Key, before?: string): Column => {
    const columns = at.includes(null) ? of(key).columns : 1;
    const blocks = targets.map(({ suffix }) => ({ ...of(key + suffix), at, rows: 1, columns }));
    return { blocks, before, caption: { symbol, name: say(name) } };
  };
  const ofAll = [whole("logits"), whole("p", [say("op.softmax")]), whole("surprise", [say("op.log")])];
  const ofRow = [
    stack("y", [row, null], "Y", "caption.targets"),
    stack("loss", [row], "L", "name.loss", "· s"),
    stack("entropy", [row], "H", "caption.floor", "−"),
    stack("kl", [row], "D", "caption.above", narrow ? undefined : "="),
    stack("off", [row, right], "g", "caption.slope"),
    stack("loss_mean", [0], "m", "name.loss_mean"),
  ];
  // A phone shows the columns of its stop; targets and losses together.
  const partOf = (step: number) => [0, 1, 1, 2][step];
  const isShown = ({ blocks }: Column): boolean => !narrow || partOf(blocks[0]!.step) === partOf(stop);
  return [
    { columns: ofAll.filter(isShown), rowNames: rowNames(config.numbers, say) },
    { columns: ofRow.filter(isShown), rowNames: targets.map(({ label }) => say(label)) },
  ];
}

export function picture(config: Config, snapshots: Snapshots, room: Room, of: Parts["of"]): Scene | null {
  if (config.numbers.topic !== "smoothing") return null;
  const [row = 0, chosen = 1] = readArrangement(room).memory;
  const [wide, narrow] = [room.layout === "wide", room.layout === "narrow"];
  const scene = emptyScene(room.width);
  const parts: Parts = {
    config,
    snapshots,
    narrow,
    stop: room.step,
    say: stringsIn(room.words),
    of,
    scene,
    row,
    right: config.numbers.targets[row]!,
    chosen,
    value: (node, column = 0) => rowOf(snapshots, node, row)[column] ?? NaN,
  };
  // The arithmetic is measured first: the chart takes the height that it leaves.
  const groups = arithmetic(parts);
  const needed = placeColumns(emptyScene(room.width), groups, 0, room.width);
  const left = Math.max(430, room.height) - needed - 6;
  // The legends stand under the note, or where that may be too long, under everything.
  const beside = wide && left - 2 * LEGEND >= NOTE.tallest;
  const height = wide
    ? Math.max(270, beside ? left : left - LEGEND)
    : Math.min(440, Math.max(320, room.height - 70));
  // The keyboard reaches the arithmetic before the strip of probabilities.
  const foot = placeColumns(scene, groups, height, room.width);
  const below = BELOW.strip + BELOW.height + BELOW.ticks + (narrow ? 0 : BELOW.sentence) + 6;
  const width = wide ? room.width - NOTE.width - NOTE.gap : room.width;
  const size = { width, height: height - below + CHART_BELOW };
  const plot = placeChart(scene, lossChart(parts), { x: 0, y: 0, ...size });
  if (plot) {
    wedge(parts, plot);
    probabilityAxis(parts, plot);
    presentLogit(parts, plot);
  }
  const families = familiesOf(scene);
  const x = room.width - NOTE.width - 8;
  const ruled = beside
    ? { x, y: height - 2 * LEGEND, width: NOTE.width }
    : { x: 9, y: foot, width: room.width - 18 };
  const bottom = legends(scene, families, ruled, beside || narrow ? 1 : 2, (family) =>
    parts.say(`legend.${family}` as Key),
  );
  scene.height = Math.max(foot, bottom) + 6;
  if (narrow) scene.stop = room.step;
  if (wide) scene.note = { x, y: 8, width: NOTE.width };
  return scene;
}
