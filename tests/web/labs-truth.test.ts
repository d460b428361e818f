// In every lab the picture agrees with its numbers: fills follow the scale of their legend, printed numbers fit and are correct, and equal quantities
// have equal lengths.
import { sceneFor } from "../../web/page/open-lab.js";
import { describe, expect, test } from "vitest";
import type { ConfigOf, LabId } from "../../web/config/config.js";
import { wordsIn } from "../../web/i18n/words.js";
import type { Lab } from "../../web/telling/lab.js";
import { boardsOf, rectangleOf, type Board } from "../../web/marks/board.js";
import { drawingOf, formatsOf } from "../../web/marks/board-drawing.js";
import { cssColour, parseColour, rampOf, type Rgb } from "../../web/marks/colour.js";
import { domainsOf, familyOf } from "../../web/marks/domains.js";
import { cellColours } from "../../web/marks/map.js";
import { isPicture } from "../../web/marks/matrix.js";
import { matrixShapes } from "../../web/marks/matrix-shapes.js";
import { CELL_TYPE, cellTextWidth } from "../../web/marks/numbers.js";
import { stagePicture } from "../../web/marks/picture.js";
import type { TargetRoom, Scene, Snapshots } from "../../web/marks/scene.js";
import { legendPlace, legendStops } from "../../web/marks/score-lines.js";
import type { Shape } from "../../web/marks/shapes.js";
import { computed, configOf, labOf } from "./labs-sessions.js";
import { contrast, palette } from "./tokens.js";

const shown: readonly [id: string, numbers?: object][] = [
  ["small-kingdom"],
  ["king-and-queen"],
  ["dog-bites-man"],
  ["four-words"],
  ["four-words", { mask: "causal" }],
  ["cat-on-the-mat"],
  ["long-and-narrow"],
  ["seven-widths"],
  ["saturated-rows"],
  ["ten-by-twenty-run-1"],
  ["two-heads"],
  ["fifty-positions"],
  ["two-orders"],
  ["six-encodings"],
  ["one-block"],
  ["old-black-cat"],
  ["harbour"],
  ["harbour-encoder"],
  ["masked-mat"],
  ["label-smoothing"],
  ["kl-and-cross-entropy"],
  ["twelve-dropouts"],
  ["five-on-a-bowl"],
  ["line-of-document-004"],
  ["mini-batches-of-2"],
  ["rare-feature"],
  ["rare-feature", { batch: 1, optimizer: "adam" }],
  ["noam-4000"],
  ["why-self-attention"],
];

const rooms: Pick<TargetRoom, "width" | "height" | "layout">[] = [
  { width: 1232, height: 574, layout: "wide" },
  { width: 1392, height: 700, layout: "wide" },
  { width: 772, height: 700, layout: "two" },
  { width: 358, height: 500, layout: "narrow" },
];

/** The scenes of every stop, in every room and in both languages. */
function* scenesOf(
  config: ConfigOf<LabId>,
  snapshots: Snapshots,
): Generator<{ where: string; scene: Scene; cell: TargetRoom["cell"] }> {
  const lab = labOf(config) as unknown as Lab<LabId>;
  for (const language of ["en", "zh-CN"] as const) {
    const words = wordsIn(language);
    for (const [step, stop] of lab.steps(config, words, snapshots).entries())
      for (const room of rooms)
        for (const cell of new Set([stop.cell, ...(step === 0 ? [lab.opening(config, snapshots)] : [])])) {
          const scene = sceneFor(config, snapshots, { ...room, step, cell, words });
          yield { where: `${language} ${room.width} stop ${step} ${cell.node}`, scene, cell };
        }
  }
}

const MINUS = "\u2212";
const plain = (text: string): string => text.replaceAll(MINUS, "-");
const placesOf = (text: string): number => text.split(".")[1]?.length ?? 0;

/** The errors in the numbers printed on a board. A number that would read 0 may have more decimals than the others. */
function wrongNumbers(
  board: Board,
  size: number,
  texts: readonly (string | null)[],
  domain: number,
): string[] {
  const wrong: string[] = [];
  const whole = texts.every((_, at) => {
    const value = valueOf(board, at);
    return !Number.isFinite(value) || Number.isInteger(value);
  });
  const places = new Map<number, number>();
  texts.forEach((text, at) => {
    if (!text) return;
    const value = valueOf(board, at);
    const [top, left] = [Math.floor(at / board.columns), at % board.columns];
    const { width } = rectangleOf(board, { top, bottom: top, left, right: left });
    if (cellTextWidth(text, size) > width - 2) wrong.push(`"${text}" on ${width} px`);
    if (text === "0" && value !== 0) wrong.push(`${value} as 0`);
    if (text === "·" && Math.abs(value) > domain / 8) wrong.push(`${value} of ${domain} as a dot`);
    if (!/^-?[0-9.]+$/.test(plain(text)) || text === "0") return;
    if (text.endsWith(".")) {
      if (Math.abs(value) < 9.5 || Math.abs(Number(plain(text)) - value) > 0.5)
        wrong.push(`${value} as "${text}"`);
      return;
    }
    places.set(placesOf(text), Math.max(places.get(placesOf(text)) ?? 0, Math.abs(value)));
    if (!whole && placesOf(text) === 0) wrong.push(`${value} as "${text}"`);
    if (Math.abs(Number(plain(text)) - value) > 0.5001 * 10 ** -placesOf(text))
      wrong.push(`${value} as "${text}"`);
  });
  const fewest = Math.min(...places.keys());
  if ([...places].some(([more, largest]) => more > fewest && largest > 0.5 * 10 ** -fewest))
    wrong.push(`decimals ${[...places.keys()].join()}`);
  return wrong;
}

const valueOf = (board: Board, at: number): number =>
  board.valueAt(Math.floor(at / board.columns), at % board.columns) ?? NaN;

describe.each(shown)("%s %j", (id, numbers = {}) => {
  const config = configOf(id, numbers as never) as ConfigOf<LabId>;
  const { snapshots } = computed(config);

  test("a fill has the colour of its legend in both themes; numbers fit, and have one precision", () => {
    const known = new Set<string>();
    const wrong: string[] = [];
    for (const { where, scene } of scenesOf(config, snapshots)) {
      const boards = boardsOf(scene, snapshots);
      const domains = domainsOf(boards, "shared", null);
      const formats = formatsOf(boards);
      const kinds = new Map<string, string>();
      for (const board of boards) {
        if (!board.tensor) continue;
        const { placed, drawn, plane } = board.tensor;
        const domain = domains.get(familyOf(board, "shared"))!;
        const own = formats.get(board) ?? null;
        const said =
          own && `${own.decimals} in ${own.size} px${own.cut ? ", cut" : ""}${own.bare ? ", bare" : ""}`;
        const legend = scene.legends.find(({ family }) => family === placed.family);
        if (legend && (legend.fill !== placed.fill || legend.stretched !== placed.stretched))
          wrong.push(`${where}: ${board.id} is ${placed.fill}, its legend ${legend.fill}`);
        if (own && own.decimals > 0) {
          const kind = `${placed.family} ${drawn.op} ${board.cellWidth.toFixed(3)}`;
          if (kinds.has(kind) && kinds.get(kind) !== said)
            wrong.push(`${where}: ${board.id} has not the decimals of its twins`);
          kinds.set(kind, said!);
        }
        const key = `${board.node} ${plane.at.join()} ${board.cellWidth} ${board.cellHeight} ${domain} ${said} ${placed.fill}`;
        if (known.has(key)) continue;
        known.add(key);
        for (const theme of ["light", "dark"] as const) {
          const colours = palette(theme);
          const drawing = drawingOf(board, {
            palette: colours,
            domain,
            format: own,
            ratio: 1,
            shown: Infinity,
          });
          const scale = placed.plain ? () => colours.paper : rampOf(legend?.fill ?? placed.fill, colours);
          const count = board.rows * board.columns;
          const fills: string[] = [];
          const texts: (string | null)[] = [];
          const written = new Map<string, { on: Rgb[]; in: Set<string> }>();
          if (isPicture(drawing)) {
            const at = cellColours(drawing, colours);
            for (let cell = 0; cell < count; cell += 7)
              fills[cell] = cssColour(at(Math.floor(cell / board.columns), cell % board.columns));
          } else {
            let cell = -1;
            // Small plain numbers stand on the paper itself, without fills.
            const isClear = placed.plain === "small";
            const shapes = matrixShapes(drawing, 0, 0, colours).slice(drawing.box ? 0 : 1);
            for (const shape of shapes) {
              if (isClear) fills[++cell] = cssColour(colours.paper);
              if (
                shape.kind === "rect" &&
                shape.fill !== undefined &&
                shape.fill !== cssColour(colours.notice)
              )
                fills[++cell] = shape.fill;
              if (shape.kind !== "text") continue;
              // A cell that shares its row may have its name before its number.
              const text = shape.parts[0]!.text.split(" · ").at(-1)!;
              texts[cell] = text;
              const [on, said] = [parseColour(fills[cell]!), parseColour(shape.fill)];
              if (!shape.fill.startsWith("#")) continue;
              if (contrast(said, on) < 4.5)
                wrong.push(`${where}: ${board.id}: "${text}" does not read in ${theme}`);
              const alike = written.get(text) ?? { on: [], in: new Set<string>() };
              written.set(text, { on: [...alike.on, on], in: alike.in.add(shape.fill) });
            }
            expect(cell).toBe(count - 1);
          }
          for (const [text, { on, in: inks }] of written) {
            const one = ["#000", "#fff"].some((colour) =>
              on.every((fill) => contrast(parseColour(colour), fill) >= 4.5),
            );
            if (one && inks.size > 1)
              wrong.push(`${where}: ${board.id}: "${text}" is black and white in ${theme}`);
          }
          fills.forEach((fill, cell) => {
            const [row, column] = [Math.floor(cell / board.columns), cell % board.columns];
            const value = drawing.filled?.(row, column) ?? valueOf(board, cell);
            if (placed.masked?.[row]?.[column] || !Number.isFinite(value)) return;
            const [expected, painted] = [scale(value / domain), fill.match(/\d+/g)!.map(Number)];
            // Maps look their colours up in a table of 1024 steps.
            if (expected.some((channel, at) => Math.abs(channel - painted[at]!) > 2))
              wrong.push(
                `${where}: ${board.id}[${row}, ${column}] = ${value} is ${fill} in ${theme}, not ${cssColour(expected)}`,
              );
          });
          if (theme === "light")
            wrong.push(
              ...wrongNumbers(board, own?.size ?? CELL_TYPE, texts, domain).map(
                (what) => `${where}: ${board.id}: ${what}`,
              ),
            );
        }
      }
    }
    expect(wrong.slice(0, 8)).toEqual([]);
  });
});

test("a legend has the ends and the colours of the scale of its tensors", () => {
  for (const [id, numbers = {}] of shown) {
    const config = configOf(id, numbers as never) as ConfigOf<LabId>;
    const { snapshots } = computed(config);
    const words = wordsIn("en");
    const lab = labOf(config) as unknown as Lab<LabId>;
    const cell = lab.opening(config, snapshots);
    const scene = sceneFor(config, snapshots, { ...rooms[0]!, step: 0, cell, words });
    const colours = palette("dark");
    const target = { cell, regions: [] };
    const picture = stagePicture(scene, snapshots, {
      words,
      palette: colours,
      scales: "shared",
      title: "",
      target,
    });
    const flat = (shapes: readonly Shape[]): Shape[] =>
      shapes.flatMap((shape) => (shape.kind === "moved" ? flat(shape.shapes) : [shape]));
    const drawn = flat(picture.shapes);
    const ramps = drawn.filter((shape) => shape.kind === "ramp");
    const domains = domainsOf(boardsOf(scene, snapshots), "shared", null);
    expect(ramps).toHaveLength(scene.legends.length);
    scene.legends.forEach((legend, at) => {
      const domain = domains.get(legend.family) ?? 1;
      expect(ramps[at]!.colours).toEqual(legendStops(legend.fill, colours).map(cssColour));
      const { largest } = legendPlace(legend, domain, words);
      expect(Math.abs(Number(plain(largest)) - domain), `${id} ${legend.family}`).toBeLessThanOrEqual(
        0.006 * domain,
      );
    });
  }
});

describe("maps", () => {
  test.each([
    ["small-kingdom", "map"],
    ["king-and-queen", "near"],
    ["five-on-a-bowl", "map"],
    ["rosenbrock-valley", "map"],
  ])("of distances in %s: a unit is as long across as up", (id, chart) => {
    const config = configOf(id) as ConfigOf<LabId>;
    const { snapshots } = computed(config);
    let seen = 0;
    for (const { where, scene } of scenesOf(config, snapshots)) {
      const axis = (name: string) =>
        scene.curves.filter((curve) => curve.id.startsWith(`${chart}-${name}`) && curve.points.length === 2);
      const ticks = (name: "x" | "y"): [value: number, at: number][] =>
        axis(name).flatMap((curve) => {
          const value = Number(curve.id.slice(chart.length + 2));
          const at = curve.points[0]![name === "x" ? 0 : 1];
          return curve.id.length > chart.length + 2 && Number.isFinite(value) ? [[value, at]] : [];
        });
      // A low chart may have a single tick; then its points give the unit.
      const dots = (name: "x" | "y"): [value: number, at: number][] =>
        scene.curves.flatMap(({ id, points, cells }): [number, number][] => {
          const cell = id.startsWith(`${chart}-word-`) ? cells?.[0] : undefined;
          const shown = cell && snapshots.get(cell.node);
          const [axisAt, point] = [name === "x" ? 0 : 1, points[0]];
          return shown && point ? [[shown.data[cell.index[0]! * 2 + axisAt]!, point[axisAt]!]] : [];
        });
      const unit = (name: "x" | "y"): number => {
        const marks = (ticks(name).length > 1 ? ticks(name) : dots(name)).sort(([one], [two]) => one - two);
        const [first, last] = [marks[0], marks.at(-1)];
        return first && last && first !== last ? Math.abs((last[1] - first[1]) / (last[0] - first[0])) : NaN;
      };
      const [across, up] = [unit("x"), unit("y")];
      if (Number.isNaN(across + up)) continue;
      seen += 1;
      expect([where, across / up]).toEqual([where, expect.closeTo(1, 6)]);
    }
    expect(seen).toBeGreaterThan(3);
  });

  test.each([
    ["ten-by-twenty-run-1", /^map-/],
    ["fifty-positions", /^similarity/],
    ["harbour", /^(scores|scaled|weights)$/],
  ])("of %s are squares", (id, name) => {
    const config = configOf(id) as ConfigOf<LabId>;
    const { snapshots } = computed(config);
    let seen = 0;
    for (const { where, scene } of scenesOf(config, snapshots)) {
      for (const { rows, columns, cellWidth, cellHeight, id: own, tensor } of boardsOf(scene, snapshots)) {
        if (!tensor || !name.test(own) || rows !== columns || Math.min(cellWidth, cellHeight) >= 16) continue;
        seen += 1;
        expect([where, own, cellWidth / cellHeight]).toEqual([where, own, expect.closeTo(1, 6)]);
      }
    }
    expect(seen).toBeGreaterThan(0);
  });
});
