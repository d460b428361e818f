/** The lines and texts behind the matrices as shapes: row guides, wires, leaders, operators, legends, labels, curves. */
import type { Words } from "../i18n/words.js";
import type { Board } from "./board.js";
import { blend, cssColour, type Palette } from "./colour.js";
import { subscriptedParts, subscriptedWidth, symbolParts } from "./lettering.js";
import type { Leader, Lighting } from "./lighting.js";
import { letters, TYPE } from "./picture-matrix.js";
import { HANDLE, handleOf, pointAt } from "./rail.js";
import type { Curve, Label, Legend, Operator, Rail, Scene } from "./scene.js";
import {
  curvePath,
  guidePaths,
  isWireLit,
  legendPlace,
  legendStops,
  operatorPath,
  TICK_ROOM,
  tickPath,
  wirePath,
} from "./score-lines.js";
import type { Shape } from "./shapes.js";

/** The room for tilted names at the right of a matrix, and for a caption below it. */
const TILTED = 40;
const BELOW = 44;

function wireShapes(scene: Scene, lighting: Lighting, palette: Palette): Shape[] {
  const wires = scene.wires.map((wire) => ({ wire, lit: isWireLit(wire, lighting) }));
  // Highlighted wires come last, so that they cross over the others.
  wires.sort((a, b) => Number(a.lit) - Number(b.lit));
  return wires.map(({ wire, lit }) => ({
    kind: "path",
    d: wirePath(wire.points),
    stroke: { colour: cssColour(lit ? palette.roles[wire.role] : palette.rule2), weight: lit ? 2 : 1 },
  }));
}

function leaderShape({ from, to, role }: Leader, palette: Palette): Shape {
  const stroke = { colour: cssColour(palette.roles[role]), weight: 1.5, dash: [2, 3] };
  return { kind: "path", d: `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`, stroke };
}

function operatorShapes(item: Operator, palette: Palette): Shape[] {
  const { x, y, width, over, under } = item;
  const halo = { colour: cssColour(palette.paper), weight: 4 };
  const name = (text: string, baseline: number): Shape =>
    letters(x + width / 2, baseline, "", TYPE.note, palette.ink2, {
      parts: subscriptedParts(text),
      anchor: "middle",
      halo,
    });
  return [
    { kind: "path", d: operatorPath(item), stroke: { colour: cssColour(palette.ink3), weight: 1 } },
    name(over, y - 9),
    ...(under ? [name(under, y + 18)] : []),
  ];
}

/** The legend of a family; `domain` is null if each tensor has its own scale. */
export function legendShapes(item: Legend, domain: number | null, words: Words, palette: Palette): Shape[] {
  const { x, y, width, fill } = item;
  const { least, largest, text, barX, barWidth, largestX, textX } = legendPlace(item, domain, words);
  const axisText = (at: number, letter: string): Shape =>
    letters(at, y + 20, letter, TYPE.axis, palette.ink3);
  return [
    ...(item.bare
      ? []
      : [
          {
            kind: "path",
            d: `M${x} ${y}H${x + width}`,
            stroke: { colour: cssColour(palette.rule2), weight: 1 },
          } as const,
        ]),
    axisText(x, least),
    {
      kind: "ramp",
      x: barX,
      y: y + 12,
      width: barWidth,
      height: 8,
      colours: legendStops(fill, palette).map(cssColour),
    },
    axisText(largestX, largest),
    ...(text ? [axisText(textX, text)] : []),
  ];
}

function labelShapes(item: Label, palette: Palette): Shape[] {
  const { x, y, text, kind, anchor = "start", role } = item;
  const parts = kind === "code" ? [{ text, dy: 0, scale: 1 }] : subscriptedParts(text);
  const halo = item.over ? { halo: { colour: cssColour(palette.paper), weight: 3 } } : {};
  const turn = item.turned ? { degrees: -90, x, y } : null;
  if (kind === "match") {
    const colour = cssColour(palette.match);
    return [
      { kind: "path", d: tickPath(x, y), stroke: { colour, weight: 1.5, round: true } },
      letters(x + TICK_ROOM, y, "", TYPE.note, palette.match, { parts, anchor, ...halo }),
    ];
  }
  if (kind === "symbol") {
    const lettered = item.symbol ? symbolParts(item.symbol) : parts;
    const set = { parts: lettered, ...halo, family: "serif", weight: 600, italic: true, anchor } as const;
    return [letters(x, y, "", TYPE.symbol, palette.roles[role ?? "activation"], set)];
  }
  if (kind === "word") {
    const set = { parts, ...halo, family: "serif", weight: item.strong ? 600 : 400, anchor } as const;
    return [letters(x, y, "", item.size ?? TYPE.note, role ? palette.roles[role] : palette.ink, set)];
  }
  const bold = kind === "heading" || kind === "large";
  const plain = bold ? palette.ink : kind === "caption" ? palette.ink2 : palette.ink3;
  const colour = role ? palette.roles[role] : plain;
  const size = kind === "axis" ? TYPE.axis : kind === "large" ? TYPE.large : TYPE.note;
  return [letters(x, y, "", size, colour, { parts, anchor, weight: bold ? 600 : 400, turn, ...halo })];
}

function curveShapes(item: Curve, on: number, palette: Palette): Shape[] {
  const role = cssColour(palette.roles[item.role]);
  const paper = cssColour(palette.paper);
  if (item.kind === "area") {
    const fill = cssColour(blend(palette.paper, palette.roles[item.role], item.strong ? 0.25 : 0.09));
    return [{ kind: "path", d: curvePath(item), fill }];
  }
  if (item.kind === "body" || item.kind === "box") {
    const isBody = item.kind === "body";
    const fill = isBody ? blend(palette.paper, palette.roles[item.role], 0.06) : palette.paper;
    const colour = cssColour(isBody ? palette.rule2 : palette.ink3);
    return [{ kind: "path", d: curvePath(item), fill: cssColour(fill), stroke: { colour, weight: 1 } }];
  }
  const strokes = {
    line: { colour: role, weight: item.width ?? (item.strong ? 3 : 1.75), round: true },
    dashed: { colour: role, weight: 1.25, dash: [4, 3] },
    dotted: { colour: role, weight: 1.5, dash: [1.5, 3] },
    "dash-dotted": { colour: role, weight: 1.25, dash: [7, 3, 1.5, 3] },
    faint: { colour: cssColour(palette.rule), weight: 1 },
    bracket: { colour: cssColour(palette.rule2), weight: 1 },
    thin: { colour: role, weight: 1 },
    mesh: {
      colour: cssColour(blend(palette.paper, palette.roles[item.role], 0.45)),
      weight: item.width ?? 0.9,
    },
  };
  const dots = item.dots
    ? item.points.map(([x, y], at): Shape => {
        const large = item.dots !== true;
        const open = item.dots === "open";
        const r = at === on ? (large ? 5.5 : 4) : large ? 4 : 1.6;
        return {
          kind: "path",
          d: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
          fill: open ? paper : role,
          ...(open
            ? { stroke: { colour: role, weight: 2 } }
            : item.over
              ? { stroke: { colour: paper, weight: 1 } }
              : {}),
        };
      })
    : [];
  const d = curvePath(item);
  const round: Shape = { kind: "path", d, stroke: { colour: paper, weight: 4, round: true } };
  return [...(item.over === true ? [round] : []), { kind: "path", d, stroke: strokes[item.kind] }, ...dots];
}

/** All shapes behind the matrices of a scene. `on` returns the place of the target among a curve's cells, or -1. */
export function scoreShapes(
  scene: Scene,
  boards: readonly Board[],
  lighting: Lighting,
  domain: (family: string) => number | null,
  on: (curve: Curve) => number,
  words: Words,
  palette: Palette,
): Shape[] {
  const guide = { colour: cssColour(palette.rule), weight: 1 };
  return [
    ...guidePaths(boards).map((d): Shape => ({ kind: "path", d, stroke: guide })),
    ...wireShapes(scene, lighting, palette),
    ...lighting.leaders.map((leader) => leaderShape(leader, palette)),
    ...scene.operators.flatMap((item) => operatorShapes(item, palette)),
    ...scene.legends.flatMap((item) => legendShapes(item, domain(item.family), words, palette)),
    ...labelAndCurveShapes(scene, false, on, palette),
  ];
}

function labelAndCurveShapes(
  scene: Scene,
  over: boolean,
  on: (curve: Curve) => number,
  palette: Palette,
): Shape[] {
  const isInLayer = ({ over: own = false }: { over?: boolean | "bare" }): boolean => Boolean(own) === over;
  const labels = scene.labels.filter(isInLayer).flatMap((item) => labelShapes(item, palette));
  const curves = scene.curves.filter(isInLayer).flatMap((item) => curveShapes(item, on(item), palette));
  return over ? [...curves, ...labels] : [...labels, ...curves];
}

/** The handle of a rail. */
function railShapes(rail: Rail, palette: Palette): Shape[] {
  const [x, y] = pointAt(rail, rail.value);
  const { height } = HANDLE;
  const { text, width } = handleOf(rail);
  const box = { x: x - width / 2, y: y - height / 2, width, height, radius: height / 2 };
  const number = letters(x, y + 5, text, HANDLE.text, palette.paper, {
    anchor: "middle",
    weight: 600,
  });
  return [{ kind: "rect", ...box, fill: cssColour(palette.ink) }, number];
}

/** The shapes in front of the matrices: labels and lines with a margin of background, and handles. */
export function overShapes(scene: Scene, on: (curve: Curve) => number, palette: Palette): Shape[] {
  return [
    ...labelAndCurveShapes(scene, true, on, palette),
    ...(scene.rails ?? []).flatMap((rail) => railShapes(rail, palette)),
  ];
}

/** The extent of what a scene draws. The scene itself may be larger, with room for a note. */
export function extentOf(scene: Scene, boards: readonly Board[]): { right: number; bottom: number } {
  const labels = scene.labels.map(({ x, y, text, kind, anchor = "start" }): [number, number] => {
    const width = subscriptedWidth(text, kind === "symbol" ? TYPE.symbol : TYPE.note);
    return [x + (anchor === "end" ? 0 : anchor === "middle" ? width / 2 : width + TICK_ROOM), y + 8];
  });
  const reached: [number, number][] = [
    // Brackets and tilted names reach out at the right, captions below.
    ...boards.map(({ x, y, rows, columns, cellWidth, cellHeight, tensor }): [number, number] => [
      x + columns * cellWidth + (tensor?.placed.columnNames ? TILTED : 8),
      y + rows * cellHeight + (tensor?.placed.caption === "below" ? BELOW : 4),
    ]),
    ...scene.images.map(({ x, y, size }): [number, number] => [x + size, y + size]),
    ...scene.legends.map(({ x, y, width }): [number, number] => [x + width, y + 26]),
    ...scene.operators.map(({ x, y, width }): [number, number] => [x + width + 8, y + 22]),
    ...scene.wires.flatMap(({ points }) => points),
    ...scene.curves.flatMap(({ points }) => points.map(([x, y]): [number, number] => [x + 6, y + 6])),
    ...labels,
  ];
  return {
    right: Math.max(0, ...reached.map(([right]) => right)),
    bottom: Math.max(0, ...reached.map(([, bottom]) => bottom)),
  };
}
