/** The stage of the block lab: a map of the whole block, and under it the stop in use, large; and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, RoomAt, Snapshots } from "../../marks/scene.js";
import { arrangedAs, remembered } from "../../stage/arrangement.js";
import type { Chart } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { valuesOf } from "../../stage/series.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import { addedNode, inputNode, middleNode, readNode, stopIds } from "./path.js";
import { drawMap } from "./picture.js";
import { sayIn, type Say } from "./strings.js";
import { fromNeither, rulesOf } from "./tensors.js";

type Config = ConfigOf<"block">;
type Of = (node: string) => Block;

const perHead = ["K_T", "scores", "scaled", "weights", "dropped", "V_heads", "heads"];

/** The parts of the attention stop: the projections, one head, the join. Wide screens show that of the target. */
const attentionParts = ["project", "attend", "join"] as const;

/** The part of the attention stop, the head that is unfolded, and the row that stands out: those of the target; a row of -1 is none. */
export function arrange(_config: Config, { cell }: RoomAt): string {
  const name = cell?.node.replace("self_attn.", "") ?? "";
  const joins = /^(concat|output|out_proj\.weight)$/.test(name);
  const part = /^([QKV]|[qkv]_proj_weight)$/.test(name) ? "project" : joins ? "join" : "attend";
  const inHead = cell?.node.startsWith("self_attn.") && cell.index.length > 2;
  return remembered(part, [
    perHead.includes(name) ? (cell?.index[0] ?? 0) : 0,
    cell?.index[inHead ? 1 : 0] ?? -1,
  ]);
}

function blockLines({ numbers }: Config, room: Room, of: Of, say: Say): Line[] {
  const stops = stopIds(numbers);
  const dropping = numbers.dropout > 0;
  const { id, memory } = arrangedAs(room);
  const [head = 0] = memory;
  const inHead = (name: string): Block => {
    const tensor = of(`self_attn.${name}`);
    return { ...tensor, symbol: { ...tensor.symbol, sub: String(head) }, at: [head, null, null] };
  };
  const words = of("x").names?.rows ?? [];
  const line = (stop: string, ...pieces: Piece[]): Line => ({
    rowNames: words,
    named: false,
    pieces,
    steps: [stops.indexOf(stop)],
    // A stop that is broken into two lines would not fit under the map.
    ...(room.layout === "wide" ? { least: 9 } : {}),
  });
  const times = (node: string, factor: string): Piece => ({ tensor: of(node), above: of(factor) });
  /** What dropout makes of what stands before, where there is any. */
  const dropped = (made: Block | false): Piece[] => (made ? [[say("p", { p: numbers.dropout })], made] : []);
  const sum = (which: 1 | 2, onto: string, made: string): Line => {
    const added = of(addedNode(numbers, which));
    const adding = dropping ? [of(made), ...dropped(added)] : [added];
    return line(`add${which}`, of(onto), "+", ...adding, "=", of(`residual${which}`));
  };
  const normed = (which: 1 | 2): Line => {
    const before = which === 1 ? inputNode(numbers) : "residual1";
    const from = numbers.norm === "pre" ? before : `residual${which}`;
    return line(
      `norm${which}`,
      of(from),
      [say("operator.norm")],
      times(`norm${which}`, `norm${which}.weight`),
    );
  };
  const attention: Record<(typeof attentionParts)[number], Line> = {
    project: line(
      "attend",
      { tensor: of(readNode(numbers, 1)), id: "read" },
      ...["Q", "K", "V"].map((name) =>
        times(`self_attn.${name}`, `self_attn.${name.toLowerCase()}_proj_weight`),
      ),
    ),
    attend: {
      ...line(
        "attend",
        { tensor: inHead("scores"), above: inHead("K_T"), columnNames: words },
        { operator: "self_attn.scaled", name: [`÷√${numbers.dim / numbers.heads}`] },
        inHead("weights"),
        ...dropped(dropping && inHead("dropped")),
        { tensor: inHead("heads"), above: inHead("V_heads") },
      ),
      heading: say("heading.head", { n: head, heads: numbers.heads }),
    },
    join: line("attend", of("self_attn.concat"), times("self_attn.output", "self_attn.out_proj.weight")),
  };
  const chosen = room.layout === "narrow" ? attentionParts : [id as (typeof attentionParts)[number]];
  return [
    line(
      "embed",
      { tensor: of("embedded"), above: of("E"), aboveNames: of("E").names?.rows ?? [] },
      ...["+", of("PE"), "=", of("x")],
      ...dropped(dropping && of("dropped")),
    ),
    ...chosen.map((part) => attention[part]),
    sum(1, inputNode(numbers), "self_attn.output"),
    normed(1),
    line(
      "feed",
      times("linear1", "linear1.weight"),
      [say(`activation.${numbers.activation}`)],
      of("activation"),
      ...dropped(dropping && of("dropout")),
      times("linear2", "linear2.weight"),
    ),
    sum(2, middleNode(numbers), "linear2"),
    normed(2),
    { ...line("measure", of("means"), of("deviations")), named: true },
  ];
}

/** Each row of the block's numbers against the row it came from: a straight line of slope 1 / deviation. */
function normChart({ numbers }: Config, snapshots: Snapshots, say: Say): Chart {
  const x = Array.from(valuesOf(snapshots, "x"));
  const rows = valuesOf(snapshots, "rows");
  return {
    id: "rules",
    title: say("chart.rules"),
    x: { label: say("chart.rules.x") },
    y: { label: "" },
    series: rulesOf(numbers, say).map(({ node, name }, rule) => ({
      id: String(rule),
      role: (["output", "query", "key"] as const)[rule] ?? "activation",
      kind: rule === 0 ? "line" : "dashed",
      dots: true,
      label: name,
      points: x.map((value, at) => [value, rows[rule * x.length + at] ?? NaN]),
      cells: x.map((_, at) => ({ node, index: [0, at] })),
    })),
    step: 2,
  };
}

function normLines(config: Config, snapshots: Snapshots, of: Of, say: Say): Line[] {
  const measured = {
    pieces: [of("row_deviations"), { chart: normChart(config, snapshots, say) }],
  };
  const root = ["√"] as const;
  return [
    { pieces: [of("x"), "−", of("mean"), "=", of("centred")], steps: [0] },
    {
      pieces: [
        of("squares"),
        [say("operator.sum")],
        of("total"),
        [say("operator.divide")],
        of("variance"),
        root,
        of("deviation"),
      ],
      steps: [1],
    },
    { pieces: rulesOf(config.numbers, say).map(({ node }) => of(node)), steps: [2] },
    {
      ...(fromNeither(config.numbers, snapshots) ? { heading: say("remark.claim.title") } : {}),
      ...measured,
      steps: [2],
      height: 170,
    },
  ];
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: Of): Flow {
  const { numbers } = config;
  const say = sayIn(room.words);
  if (numbers.part === "norm") return { lines: normLines(config, snapshots, of, say) };
  // Stops whose matrices have a factor above them.
  const factored = ["embed", "attend", "feed"].includes(stopIds(numbers)[room.step] ?? "");
  return {
    lines: blockLines(config, room, of, say),
    strip: [
      ...["embedded", "PE", inputNode(numbers), "self_attn.weights", "self_attn.output", "residual1"],
      ...["norm1", "activation", "linear2", "residual2", "norm2"],
    ],
    ...(room.layout === "narrow"
      ? {}
      : { overview: (scene, width) => drawMap(scene, width, config, snapshots, room, of, say, factored) }),
  };
}

/** Where the telling cells of the stops are. */
const tellingNodes: Readonly<Record<string, string>> = {
  embed: "x",
  attend: "self_attn.weights",
  add1: "residual1",
  norm1: "norm1",
  feed: "linear2",
  add2: "residual2",
  norm2: "norm2",
  measure: "deviations",
  centre: "centred",
  spread: "variance",
  divide: "biased",
};

function cellOf(numbers: Config["numbers"], stop: string): Cell {
  const row = numbers.part === "norm" ? 0 : Math.min(1, numbers.tokens.length - 1);
  return cellAt(tellingNodes[stop]!, ...(stop === "attend" ? [0] : []), row, 0);
}

export const opening = ({ numbers }: Config): Cell =>
  cellOf(numbers, numbers.part === "norm" ? "divide" : "norm1");

export function stops({ numbers }: Config, words: Words, snapshots: Snapshots): Stops {
  const say = sayIn(words);
  const { norm, dim } = numbers;
  const slots = { dim, activation: say(`activation.${numbers.activation}`) };
  return Object.fromEntries(
    stopIds(numbers).map((id) => {
      const tell = /^norm\d/.test(id) ? `${id}.${norm}` : id;
      return [id, { ...largestInRow(snapshots, cellOf(numbers, id)), tell, slots }];
    }),
  );
}
