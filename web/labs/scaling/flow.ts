/** The stage of the scaling lab: how scores spread, weights and means by width, and one of the means as a curve. */
import type { Block } from "../../stage/place.js";
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshots } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../../stage/arrangement.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Stops } from "../../telling/declaration.js";
import { BINS, sizesOf, WIDTHS } from "./build.js";
import { say, type Say } from "./strings.js";
import { halves, measures, type Measure } from "./tensors.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";

type Config = ConfigOf<"scaling">;

/** The mean and the width that stand out: those of the target, else the entropy and the widest. */
export function arrange(_config: Config, { cell }: TargetRoom): string {
  const measure = measures.find((one) => cell?.node.startsWith(one)) ?? "entropy";
  const at = /^(scores|scaled|weights|variance|entropy|jacobian|shares)/.test(cell?.node ?? "")
    ? (cell?.index[0] ?? WIDTHS.length)
    : WIDTHS.length;
  return writeArrangement(measure, [Math.min(at, WIDTHS.length - 1)]);
}

/** How the scores of every width spread; that of the width looked at stands out. */
function spread(snapshots: Snapshots, room: Room, said: Say, half: 0 | 1): Chart {
  const { after, role } = halves[half]!;
  const centres = [...(snapshots.get("centres")?.data ?? [])];
  const shares = snapshots.get(`shares${after}`)?.data;
  const looked = readArrangement(room).memory[0]!;
  const order = WIDTHS.map((_, at) => at).filter((at) => at !== looked);
  return {
    id: `spread${after}`,
    title: said(half === 0 ? "chart.scores" : "chart.scaled"),
    x: {
      label: said("chart.score"),
      ...(centres.length ? { domain: [centres[0]!, centres.at(-1)!] as const } : {}),
    },
    y: { label: said("chart.share"), domain: [0, 0.4] },
    series: [...order, looked].map((row): Series => {
      const node = `shares${after}`;
      return {
        id: `width-${row}`,
        role,
        kind: row === looked ? "line" : "dashed",
        points: centres.map((centre, bin) => [centre, shares?.[row * BINS + bin] ?? NaN]),
        ...(row === looked
          ? {
              label: said("width", { n: WIDTHS[row]! }),
              cells: centres.map((_, bin) => ({ node, index: [row, bin] })),
            }
          : {}),
      };
    }),
    step: half,
  };
}

/** One of the means over the widths, not divided and divided. */
function byWidth(snapshots: Snapshots, said: Say, measure: Measure, of: (node: string) => Block): Chart {
  return {
    id: "by-width",
    title: said(`chart.${measure}`),
    x: { label: said("chart.width"), log: true, domain: [WIDTHS[0], WIDTHS.at(-1)!], ticks: WIDTHS },
    y: { label: "" },
    series: halves.map(({ after, role, label }): Series => {
      const node = `${measure}${after}`;
      const data = snapshots.get(node)?.data;
      return {
        id: node,
        role,
        kind: "line",
        dots: true,
        label: said(label),
        points: WIDTHS.map((width, at) => [width, data?.[at] ?? NaN]),
        cells: WIDTHS.map((_, at) => ({ node, index: [at] })),
        step: of(node).step,
      };
    }),
    step: of(measure).step,
  };
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: (node: string) => Block): Flow {
  const said = say(room.words);
  const { keys } = sizesOf(config.numbers);
  const columnNames = keys <= 8 ? Array.from({ length: keys }, (_, at) => String(at)) : [];
  const query = said("query.n", { n: config.numbers.query });
  const weights = (after: string): Piece => ({
    tensor: of(`weights${after}`),
    columnNames,
  });
  const means = (after: string): Piece[] => measures.map((measure) => of(`${measure}${after}`));
  const curve = byWidth(snapshots, said, readArrangement(room).id as Measure, of);
  const least = 8;
  if (room.layout === "wide")
    return {
      lines: [
        {
          steps: [0, 1],
          height: 190,
          pieces: [{ chart: spread(snapshots, room, said, 0) }, { chart: spread(snapshots, room, said, 1) }],
        },
        {
          heading: said("heading.undivided", { query }),
          steps: [0, 1, 2, 3],
          least,
          pieces: halves.flatMap(({ after }) => [weights(after), ...means(after)]),
        },
      ],
      aside: curve,
    };
  const chart = (half: 0 | 1): Line => ({
    steps: [half],
    height: 190,
    pieces: [{ chart: spread(snapshots, room, said, half) }],
  });
  return {
    lines: [
      chart(0),
      chart(1),
      ...halves.map(({ after }, half): Line => ({
        steps: [half],
        pieces: [of(`variance${after}`)],
      })),
      ...halves.map(({ after }, half): Line => ({
        ...(half === 0 ? { heading: said("heading.narrow", { query }) } : {}),
        steps: [2],
        least,
        pieces: [weights(after), of(`entropy${after}`)],
      })),
      {
        steps: [3],
        pieces: halves.map(({ after }) => of(`jacobian${after}`)),
      },
      { steps: [3], height: 190, pieces: [{ chart: byWidth(snapshots, said, "jacobian", of) }] },
    ],
  };
}

export function opening({ numbers }: Config): Cell {
  // The row of document 001 whose weights it prints: its first head is as wide as the fourth width.
  if (numbers.source !== "unit") return cellAt("weights_scaled", 3, 0, numbers.query, 8);
  return cellAt("weights", WIDTHS.length - 1, 0, numbers.query, 0);
}

export function stops({ numbers }: Config, _words: Words, snapshots: Snapshots): Stops {
  const last = WIDTHS.length - 1;
  return {
    scores: cellAt("variance", last),
    divide: cellAt("variance_scaled", last),
    softmax: largestInRow(snapshots, cellAt("weights", last, 0, numbers.query, 0)),
    gradient: cellAt("jacobian", last),
  };
}
