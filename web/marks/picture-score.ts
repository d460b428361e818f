/** What stands behind the matrices as shapes: row guides, wires, leaders, operators, legends, labels, curves. */
import type { Words } from "../i18n/words.js";
import type { Board } from "./board.js";
import { cssColour, type Palette } from "./colour.js";
import { subscriptedParts, symbolParts } from "./lettering.js";
import type { Leader, Lighting } from "./lighting.js";
import { letters, TYPE } from "./picture-matrix.js";
import type { Curve, Label, Legend, Operator, Scene } from "./scene.js";
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

function wireShapes(scene: Scene, lighting: Lighting, palette: Palette): Shape[] {
  const wires = scene.wires.map((wire) => ({ wire, lit: isWireLit(wire, lighting) }));
  // Lit wires come last, so that they cross over those at rest.
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

/** The scale of a family; `domain` is null where each tensor has its own. */
export function legendShapes(item: Legend, domain: number | null, words: Words, palette: Palette): Shape[] {
  const { x, y, width, fill } = item;
  const { least, largest, text, barX, barWidth, largestX, textX } = legendPlace(item, domain, words);
  const said = (at: number, letter: string): Shape => letters(at, y + 20, letter, TYPE.axis, palette.ink3);
  return [
    { kind: "path", d: `M${x} ${y}H${x + width}`, stroke: { colour: cssColour(palette.rule2), weight: 1 } },
    said(x, least),
    {
      kind: "ramp",
      x: barX,
      y: y + 12,
      width: barWidth,
      height: 8,
      colours: legendStops(fill, palette).map(cssColour),
    },
    said(largestX, largest),
    ...(text ? [said(textX, text)] : []),
  ];
}

function labelShapes({ x, y, text, kind, anchor = "start", role }: Label, palette: Palette): Shape[] {
  const parts = subscriptedParts(text);
  if (kind === "match") {
    const colour = cssColour(palette.match);
    return [
      { kind: "path", d: tickPath(x, y), stroke: { colour, weight: 1.5, round: true } },
      letters(x + TICK_ROOM, y, "", TYPE.note, palette.match, { parts, anchor }),
    ];
  }
  if (kind === "symbol") {
    const set = { parts: symbolParts({ text }), family: "serif", weight: 600, italic: true, anchor } as const;
    return [letters(x, y, "", TYPE.symbol, palette.roles[role ?? "activation"], set)];
  }
  const plain = kind === "heading" ? palette.ink : kind === "caption" ? palette.ink2 : palette.ink3;
  const colour = role ? palette.roles[role] : plain;
  const size = kind === "axis" ? TYPE.axis : TYPE.note;
  return [letters(x, y, "", size, colour, { parts, anchor, weight: kind === "heading" ? 600 : 400 })];
}

function curveShapes(item: Curve, on: number, palette: Palette): Shape[] {
  const role = cssColour(palette.roles[item.role]);
  const strokes = {
    line: { colour: role, weight: 1.75, round: true },
    dashed: { colour: role, weight: 1.25, dash: [4, 3] },
    faint: { colour: cssColour(palette.rule), weight: 1 },
    bracket: { colour: cssColour(palette.rule2), weight: 1 },
  };
  const dots = item.dots
    ? item.points.map(([x, y], at): Shape => {
        const r = at === on ? 4 : 1.6;
        return {
          kind: "path",
          d: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
          fill: role,
        };
      })
    : [];
  return [{ kind: "path", d: curvePath(item), stroke: strokes[item.kind] }, ...dots];
}

/** All that lies behind the matrices of a scene. `on` is the place of the target among a curve's cells, -1 for none. */
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
    ...scene.labels.flatMap((item) => labelShapes(item, palette)),
    ...scene.curves.flatMap((item) => curveShapes(item, on(item), palette)),
  ];
}
