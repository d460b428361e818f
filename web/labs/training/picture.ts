/**
 * The picture of the training lab: the attention of every head and layer at the left, losses, answers and gradients at the right, and
 * below them what the reader asks.
 */
import type { ConfigOf } from "../../config/config.js";
import { columnNames, cutName, textWidth } from "../../marks/measure.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { placeChart, spreadApart } from "../../stage/chart.js";
import { penOn, placeMarks, pointsFrom, writeOn, type Mark } from "../../stage/pen.js";
import { emptyScene, legend, place, type Block } from "../../stage/place.js";
import { accuracyChart, lossChart, runLines, runNames } from "./charts.js";
import { claimCard } from "./claim.js";
import { claimOf } from "./claims.js";
import { filmStrip, fitsFilm } from "./film-strip.js";
import { focusNode } from "./focus.js";
import { nextToken } from "./next-token.js";
import { norms } from "./norms.js";
import { samples, samplesHeight } from "./sample-rows.js";
import { selected, SELECTED_HEIGHT } from "./selected.js";
import { stringsIn, type Say } from "./strings.js";
import { answered, shownAttention } from "./tensors.js";
import { imagePlaceIn, placesOf, reached } from "./tokens.js";
import { writesAnswer } from "./writing.js";

type Config = ConfigOf<"training">;

/** Everything that a part of the picture is drawn from. */
interface Parts {
  config: Config;
  snapshots: Snapshots;
  scene: Scene;
  layout: Room["layout"];
  say: Say;
  of: (node: string) => Block;
  /** The number of steps made at the moment that is drawn. */
  now: number;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** `layer`: the width of the name of a layer. `named`: the smallest cells whose rows and columns have names. `wideLeast`: the smallest on a wide screen. */
const MAP = {
  largest: 17,
  named: 11,
  left: 44,
  layer: 36,
  head: 40,
  gap: 30,
  closeGap: 18,
  foot: 26,
  least: 4,
  wideLeast: 2,
};
/**
 * The charts beside the maps, from which they are `beside` apart. Where they had less than `least`, or on a wide screen with the claim beside
 * the norms `wideLeast`, they stand under them, `high` with the norms.
 */
const CHARTS = { beside: 44, least: 280, wideLeast: 440, high: 380 };
/** The note beside a selection; beside the film, where its title and its foot fit on a line each; and alone. */
const NOTE = { narrow: 420, middle: 492, wide: 540, height: 252 };
/** The frames beside each other on a wide screen, and on others; the height of the film there. */
const FILM = { wide: 3, narrow: 6, height: 160 };
/** From one line of the names of runs to the next. */
const MARKS_LINE = 16;
const MIDDLE = { anchor: "middle" } as const;
const END = { anchor: "end" } as const;

/** On a wide screen more than `most` layers stand in two stacks, `between` apart, if there is room for cells of the size `least`. */
const STACK = { most: 6, least: 5, between: 12 };

/** The width of the maps of a layer side by side. */
const mapsWidthOf = (heads: number, columns: number, cell: number, gap: number): number =>
  heads * columns * cell + (heads - 1) * gap;

const leastCell = (layout: Room["layout"]): number => (layout === "wide" ? MAP.wideLeast : MAP.least);

/** Whether the maps leave no room for the charts beside them, however small their cells are. */
function needWholeWidth(snapshots: Snapshots, layout: Room["layout"], width: number): boolean {
  const [, heads = 1, , columns = 1] = shownAttention(snapshots)[0]?.shape ?? [];
  const maps = MAP.left + mapsWidthOf(heads, columns, leastCell(layout), MAP.closeGap) + 8;
  const charts = layout === "wide" ? CHARTS.wideLeast : CHARTS.least;
  return maps + CHARTS.beside + charts > width;
}

/** The attention of every head, a line for each layer; returns its lower and its right edge. */
function maps(parts: Parts, { x, y, width, height }: Box): { bottom: number; right: number } {
  const { scene, snapshots, say, of, layout } = parts;
  const nodes = shownAttention(snapshots);
  const isNarrow = layout === "narrow";
  const { write } = penOn(scene, 0);
  const heading = say(
    nodes.length === 0 ? "head.none" : layout === "wide" ? "head.attention" : "head.attention.narrow",
  );
  writeOn(scene, "heading", x, y + 14, heading);
  const [, heads = 1, rows = 1, columns = 1] = nodes[0]?.shape ?? [];
  if (nodes.length === 0) return { bottom: y + 24, right: x + width };
  const names = placesOf(snapshots, [rows, columns], imagePlaceIn(say));
  const plain = { left: x + (isNarrow ? 18 : MAP.left), top: y + MAP.head + (isNarrow ? 0 : 10) };
  /** The width that a cell may have, with so many stacks and so much between heads. */
  const acrossOf = (stacks: number, gap: number, left = plain.left): number =>
    (width / stacks - (left - x) - (heads - 1) * gap - 8) / heads / columns;
  const isStacked =
    layout === "wide" && nodes.length > STACK.most && acrossOf(2, MAP.closeGap) >= STACK.least;
  const stacks = isStacked ? 2 : 1;
  const inStack = Math.ceil(nodes.length / stacks);
  const isClose = isNarrow || isStacked || acrossOf(1, MAP.gap) < MAP.least;
  const gap = isClose ? MAP.closeGap : MAP.gap;
  // A phone's stage is moved sideways.
  const least = isNarrow ? MAP.least : Math.max(1, Math.min(leastCell(layout), acrossOf(stacks, gap)));
  const line = (cell: number): number => rows * cell + MAP.foot + 6;
  const cellFrom = ({ left, top }: typeof plain): number => {
    const across = Math.floor(acrossOf(stacks, gap, left));
    const up = Math.floor(((y + height - top) / inStack - MAP.foot - 6) / rows);
    const most = isNarrow ? 99 : Math.max(isStacked ? STACK.least : 8, up);
    return Math.max(least, Math.min(MAP.largest, across, most));
  };
  // Words need more room beside and above the maps than digits.
  const widest = Math.max(...names.rows.map((name) => textWidth(cutName(name))));
  const roomy = {
    left: Math.max(plain.left, x + widest + (isNarrow ? 16 : MAP.layer)),
    top: isNarrow ? plain.top : Math.max(plain.top, y + 22 + columnNames(names.columns, MAP.largest).height),
  };
  const hasNames = cellFrom(roomy) >= MAP.named;
  const { left, top } = hasNames ? roomy : plain;
  const cell = cellFrom({ left, top });
  const hasFocus = snapshots.has(focusNode(0));
  const mapsWidth = mapsWidthOf(heads, columns, cell, gap);
  const stackPitch = left - x + mapsWidth + STACK.between;
  const right = left + (stacks - 1) * stackPitch + mapsWidth;
  const legendWidth = isNarrow ? 140 : 170;
  const legendLeft = Math.max(left, right - legendWidth, x + textWidth(heading, 14) + 16);
  legend(scene, "attention", "probability", legendLeft, y - 4, legendWidth, "").bare = true;
  for (const [layer, { name }] of nodes.entries()) {
    const stackX = x + Math.floor(layer / inStack) * stackPitch;
    const lineTop = top + (layer % inStack) * line(cell);
    const layerName = say("layer", { n: layer });
    // On a phone the names of rows take its place.
    if (!isNarrow || (!hasNames && textWidth(layerName) <= rows * cell))
      write(stackX + (isNarrow ? 7 : 12), lineTop + (rows * cell) / 2, layerName, {
        turned: true,
        ...MIDDLE,
      });
    for (let head = 0; head < heads; head++) {
      const mapLeft = left - x + stackX + head * (columns * cell + gap);
      const block = { ...of(name), at: [0, head, null, null], rows, columns };
      place(scene, block, mapLeft, lineTop, cell, cell, {
        id: `${name}-${head}`,
        ...(hasNames && head === 0 ? { rowNames: names.rows } : {}),
        ...(hasNames && layer % inStack === 0 && !isNarrow ? { columnNames: names.columns } : {}),
      });
      const foot = lineTop + rows * cell + 17;
      const width = hasFocus ? Math.min(44, columns * cell - 20) : 0;
      const long = say("head", { n: head });
      const hasRoom = textWidth(long) + 6 <= columns * cell - width;
      write(mapLeft, foot, hasRoom ? long : say("head.short", { n: head }));
      if (!hasFocus) continue;
      const focus = { ...of(focusNode(layer)), rows: 1, columns: 1, window: { first: head, count: 1 } };
      place(scene, focus, mapLeft + columns * cell - width, foot - 15, width, 20, {
        id: `focus-${layer}-${head}`,
      });
    }
  }
  const bottom = top + inStack * line(cell);
  const notes = [...(hasFocus ? [say("note.focus")] : []), say("note.rows")];
  const note = notes.find((text) => textWidth(text) <= x + width - left);
  if (!isNarrow && note) write(left, bottom + 8, note);
  return { bottom: bottom + (isNarrow ? 0 : 14), right };
}

/** A chart of the runs, with a vertical line at the step that is drawn and the numbers there beside it. */
function runChart(
  { scene, now, say }: Parts,
  { chart, labels }: ReturnType<typeof lossChart>,
  box: Box,
): void {
  const plot = placeChart(scene, chart, box);
  if (!plot) return;
  const { draw } = penOn(scene, 0);
  const x = plot.x(now);
  draw(`${chart.id}-cursor`, "activation", "thin", pointsFrom(x, plot.top - 6, x, plot.bottom));
  if (labels.length === 0) {
    const left = plot.left + 12;
    const fits = left + textWidth(say("note.empty")) <= box.x + box.width;
    penOn(scene, 0).write(left, (plot.top + plot.bottom) / 2, say(fits ? "note.empty" : "note.empty.narrow"));
  }
  const widestOf = (texts: readonly string[]): number =>
    Math.max(0, ...texts.map((text) => textWidth(text, 12.5)));
  const isRoomBeside = (widest: number): boolean =>
    x + 10 + widest <= box.x + box.width || x - 10 - widest >= plot.left;
  // Where neither side has room for the names, the numbers stand alone.
  const named = labels.map(({ value, name }) => (name ? `${value} ${name}` : value));
  const texts = isRoomBeside(widestOf(named)) ? named : labels.map(({ value }) => value);
  const isLeft = x + 10 + widestOf(texts) > box.x + box.width;
  const heights = spreadApart(
    // A label left of its point stands over the line, or under it where the plot ends.
    labels.map(({ y }) => plot.y(y) + (!isLeft ? 4 : plot.y(y) - 18 < plot.top ? 16 : -6)),
    plot.top + 6,
    plot.bottom - 4,
    16,
  );
  for (const [at, { isFirst }] of labels.entries())
    writeOn(scene, isFirst ? "heading" : "caption", x + (isLeft ? -9 : 9), heights[at]!, texts[at]!, {
      over: true,
      step: 0,
      ...(isLeft && END),
    });
}

/** Which line is which run, where their names do not fit beside the lines; returns its height. */
function markRuns({ scene, config, say }: Parts, x: number, y: number, width: number): number {
  const names = runNames(config, say);
  if (names.length === 1) return 0;
  const marks = names.map((name, run): Mark => [name, "activation", runLines[run]!]);
  let height = 0;
  for (let placed = 0; placed < marks.length; height += MARKS_LINE)
    placed += Math.max(1, placeMarks(scene, marks.slice(placed), x, y + height, x + width));
  return height;
}

function charts(parts: Parts, { x, y, width, height }: Box): void {
  const { config, snapshots, say, layout } = parts;
  const isShort = layout !== "wide";
  const gap = layout === "narrow" ? 8 : 28;
  const each = (width - gap) / 2;
  const box = (at: number) => ({ x: x + at * (each + gap), y, width: each, height });
  runChart(parts, lossChart(config, snapshots, say, isShort), box(0));
  runChart(parts, accuracyChart(config, snapshots, say, isShort), box(1));
}

/** From left to right on a wide screen, else one part under the other. */
export function picture(
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
): Scene {
  const scene = emptyScene(room.width);
  const { width, layout } = room;
  const parts: Parts = {
    config,
    snapshots,
    scene,
    layout,
    say: stringsIn(room.words),
    of,
    now: reached(snapshots),
  };
  const isWritten = writesAnswer(config.numbers) && answered(snapshots).length > 0;
  if (layout === "narrow") {
    // A claim and its verdict are what such a run is about.
    const isClaim = claimOf(config.numbers) !== null;
    const card = (y: number): number => claimCard(parts, { x: 14, y, width: width - 18 });
    const left = maps(parts, { x: 0, y: isClaim ? card(0) + 12 : 4, width, height: 400 });
    const marked = left.bottom + markRuns(parts, 4, left.bottom + 8, width);
    charts(parts, { x: 0, y: marked + 4, width, height: 170 });
    const asked = samples(parts, { x: 4, y: marked + 178, width: width - 8 });
    const film = { width: width - 8, height: FILM.height, inLine: FILM.narrow };
    const bottom = fitsFilm(snapshots, film)
      ? filmStrip(parts, { x: 4, y: asked + 12, ...film })
      : isWritten
        ? nextToken(parts, room, { x: 4, y: asked + 12, width: width - 8 })
        : asked;
    const low = isClaim ? bottom : card(bottom + 12);
    const rows = norms(parts, { x: 0, y: low + 16, width, height: 200 });
    // Under the names that select it, so that they stay where they are pressed.
    const under = selected(parts, { x: 4, y: rows + 4, width: width - 8, height: 0.6 * width });
    scene.height = under + 12;
    return scene;
  }
  const isWide = layout === "wide";
  const half = Math.round(width * (isWide ? 0.5 : 0.52));
  const isWatched = (config.numbers.watch ?? "none") !== "none";
  // The width of the samples beside a film or a selection, and where that begins.
  const beside = 0.36 * width;
  const middleX = MAP.left + beside + 20;
  const film = isWide
    ? { width: width - middleX - NOTE.middle - 36, height: NOTE.height, inLine: FILM.wide }
    : { width: 0.6 * width, height: FILM.height, inLine: FILM.narrow };
  const hasFilm = !isWatched && fitsFilm(snapshots, film);
  const hasNext = !isWatched && !hasFilm && isWritten;
  const isBeside = isWatched || hasFilm || hasNext;
  const noteWidth = isWatched || hasNext ? NOTE.narrow : hasFilm ? NOTE.middle : NOTE.wide;
  const share = isWide ? (isBeside ? beside : width - noteWidth - 90) : width * 0.6;
  const lower = Math.max(
    samplesHeight(snapshots, share),
    isWide ? NOTE.height : 0,
    isWatched ? SELECTED_HEIGHT : 0,
  );
  const upper = isWide ? Math.max(250, Math.min(420, room.height - lower)) : 380;
  const isUnder = needWholeWidth(snapshots, layout, width);
  const left = maps(parts, { x: 0, y: 4, width: isUnder ? width : half, height: upper });
  const besideX = Math.max(left.right + CHARTS.beside, half);
  const [chartX, chartY, chartsHeight] = isUnder
    ? [0, left.bottom + 12, CHARTS.high]
    : [besideX, 4, Math.max(upper, left.bottom - MAP.foot)];
  const chartWidth = width - chartX;
  const chartHeight = Math.max(132, Math.min(190, Math.round(0.44 * chartsHeight)));
  const below = chartY + chartHeight + 8;
  charts(parts, { x: chartX, y: chartY, width: chartWidth, height: chartHeight });
  const normsWidth = Math.round(chartWidth * (isWide ? 0.54 : 1));
  const normsBottom = norms(parts, {
    x: chartX + 8,
    y: below,
    width: normsWidth - 8,
    height: chartsHeight - chartHeight - 12,
  });
  const claimX = chartX + normsWidth + 28;
  const claimBottom = isWide ? claimCard(parts, { x: claimX, y: below, width: width - claimX }) : 0;
  const rule = Math.max(left.bottom, normsBottom, claimBottom) + 8;
  penOn(scene, 0).draw("rule", "activation", "faint", pointsFrom(0, rule, width, rule));
  const bottom = samples(parts, { x: MAP.left, y: rule + 10, width: share });
  const x = isWide ? middleX : MAP.left;
  const y = isWide ? rule + 10 : bottom;
  const high = isWide ? room.height - rule - 10 : 250;
  const under = hasFilm
    ? filmStrip(parts, {
        ...film,
        x,
        y: isWide ? y : y + 8,
        height: isWide ? Math.max(film.height, high) : film.height,
      })
    : hasNext
      ? nextToken(parts, room, {
          x,
          y: isWide ? y : y + 8,
          width: isWide ? width - x - noteWidth - 36 : film.width,
        })
      : selected(parts, { x, y, width: width - x - (isWide ? noteWidth + 36 : 8), height: high });
  const cardX = width * 0.68;
  const low = isWide ? 0 : claimCard(parts, { x: cardX, y: rule + 10, width: width - cardX });
  if (isWide) scene.note = { x: width - noteWidth - 8, y: rule + 12, width: noteWidth };
  scene.height = Math.max(bottom, under, low) + 8;
  return scene;
}
