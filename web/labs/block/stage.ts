/** The stage of the block lab: a map of the whole block, and under it the stop in use, large. */
import type { Block } from "../../stage/place.js";
import type { ConfigOf } from "../../config/config.js";
import type { Room, RoomAt, Snapshots } from "../../marks/scene.js";
import { arrangedAs, remembered } from "../../stage/arrangement.js";
import type { Chart } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import { drawMap } from "./map.js";
import { fromNeither, ruleNames, rowWidth } from "./norm-tensors.js";
import { addedNode, inputNode, middleNode, pathNodes, readNode, stopIds } from "./path.js";
import type { Say } from "./strings.js";
import { pathSymbol, rowNames, symbolName } from "./tensors.js";
import { vocabularyOf } from "../../config/labs/block.js";

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

export function blockLines({ numbers }: Config, room: Room, of: Of, say: Say): Line[] {
  const stops = stopIds(numbers);
  const names = rowNames(numbers);
  const dropping = numbers.dropout > 0;
  const { id, memory } = arrangedAs(room);
  const [head = 0] = memory;
  const inHead = (name: string): Block => {
    const tensor = of(`self_attn.${name}`);
    const symbol = { ...tensor.symbol, sub: String(head) };
    return { ...tensor, symbol, at: [head, null, null] };
  };
  const line = (ids: readonly string[], pieces: Piece[], more: Partial<Line> = {}): Line => ({
    rowNames: names,
    pieces,
    steps: ids.map((id) => stops.indexOf(id)),
    // A stop that is broken into two lines would not fit under the map.
    ...(room.layout === "wide" ? { least: 9 } : {}),
    ...more,
  });
  const arrow = (operator: string, stop: string, ...name: [string, string?]): Piece => ({
    operator,
    name,
    step: stops.indexOf(stop),
  });
  const plain = (node: string): Piece => ({ tensor: of(node) });
  const plus: Piece = { sign: "+" };
  const is: Piece = { sign: "=" };
  const curve = say(`activation.${numbers.activation}`);
  const p = say("p", { p: numbers.dropout });
  const [added1, added2] = [addedNode(numbers, 1), addedNode(numbers, 2)];
  const sum = (stop: string, onto: string, made: string, added: string, result: string): Line =>
    line(
      [stop],
      [
        plain(onto),
        plus,
        ...(dropping ? [plain(made), arrow(added, stop, p)] : []),
        plain(added),
        is,
        plain(result),
      ],
    );
  const normed = (which: 1 | 2): Line => {
    const stop = `norm${which}`;
    const from =
      numbers.norm === "pre" ? (which === 1 ? inputNode(numbers) : "residual1") : `residual${which}`;
    return line(
      [stop],
      [
        plain(from),
        arrow(stop, stop, say("operator.norm")),
        { tensor: of(stop), above: of(`norm${which}.weight`) },
      ],
    );
  };
  const places = pathNodes(numbers).map((place) => symbolName(pathSymbol(numbers, place)));
  const chosen = room.layout === "narrow" ? attentionParts : [id as (typeof attentionParts)[number]];
  const attention: Record<(typeof attentionParts)[number], Line> = {
    project: line(
      ["attend"],
      [
        { tensor: of(readNode(numbers, 1)), id: "read" },
        ...["Q", "K", "V"].map((name): Piece => ({
          tensor: of(`self_attn.${name}`),
          above: of(`self_attn.${name.toLowerCase()}_proj_weight`),
        })),
      ],
    ),
    attend: line(
      ["attend"],
      [
        { tensor: inHead("scores"), above: inHead("K_T"), columnNames: names },
        arrow("self_attn.scaled", "attend", `÷√${numbers.dim / numbers.heads}`),
        { tensor: inHead("weights") },
        ...(dropping
          ? [arrow("self_attn.dropped", "attend", p), { tensor: inHead("dropped") } satisfies Piece]
          : []),
        { tensor: inHead("heads"), above: inHead("V_heads") },
      ],
      { heading: say("heading.head", { n: head, heads: numbers.heads }) },
    ),
    join: line(
      ["attend"],
      [plain("self_attn.concat"), { tensor: of("self_attn.output"), above: of("self_attn.out_proj.weight") }],
    ),
  };
  return [
    line(
      ["embed"],
      [
        { tensor: of("embedded"), above: of("E"), aboveNames: vocabularyOf(numbers) },
        plus,
        plain("PE"),
        is,
        plain("x"),
        ...(dropping ? [arrow("dropped", "embed", p), plain("dropped")] : []),
      ],
    ),
    ...chosen.map((part) => attention[part]),
    sum("add1", inputNode(numbers), "self_attn.output", added1, "residual1"),
    normed(1),
    line(
      ["feed"],
      [
        { tensor: of("linear1"), above: of("linear1.weight") },
        arrow("activation", "feed", curve),
        plain("activation"),
        ...(dropping ? [arrow("dropout", "feed", p), plain("dropout")] : []),
        { tensor: of("linear2"), above: of("linear2.weight") },
      ],
    ),
    sum("add2", middleNode(numbers), "linear2", added2, "residual2"),
    normed(2),
    line(
      ["measure"],
      [
        { tensor: of("means"), columnNames: places },
        { tensor: of("deviations"), columnNames: places },
      ],
    ),
  ];
}

/** The rows that are compared, in the order of their names. */
const ruleNodes = ["biased", "unbiased", "claim"];

/** Each row of the block's numbers against the row it came from: a straight line of slope 1 / deviation. */
function normChart({ numbers }: Config, snapshots: Snapshots, say: Say): Chart {
  const x = snapshots.get("x");
  const rows = snapshots.get("rows");
  const width = rowWidth(numbers);
  return {
    id: "rules",
    title: say("chart.rules"),
    x: { label: say("chart.rules.x") },
    y: { label: "" },
    series: ruleNames(numbers, say).map((name, rule) => ({
      id: String(rule),
      role: (["output", "query", "key"] as const)[rule] ?? "activation",
      kind: rule === 0 ? "line" : "dashed",
      dots: true,
      label: name,
      points: Array.from({ length: width }, (_, at): [number, number] => [
        x?.data[at] ?? Number.NaN,
        rows?.data[rule * width + at] ?? Number.NaN,
      ]),
      cells: Array.from({ length: width }, (_, at) => ({ node: ruleNodes[rule]!, index: [0, at] })),
    })),
    step: 2,
  };
}

function normLines(config: Config, snapshots: Snapshots, of: Of, say: Say): Line[] {
  const rules = ruleNames(config.numbers, say);
  const divisors = [say("divisor.n"), say("divisor.less")];
  const arrow = (operator: string, step: number, ...name: [string, string?]): Piece => ({
    operator,
    name,
    step,
  });
  return [
    {
      pieces: [
        { tensor: of("x") },
        { sign: "−" },
        { tensor: of("mean") },
        { sign: "=" },
        { tensor: of("centred") },
      ],
      steps: [0],
    },
    {
      pieces: [
        { tensor: of("squares") },
        arrow("total", 1, say("operator.sum")),
        { tensor: of("total") },
        arrow("variance", 1, say("operator.divide")),
        { tensor: of("variance"), columnNames: divisors },
        arrow("deviation", 1, "√"),
        { tensor: of("deviation"), columnNames: divisors },
      ],
      steps: [1],
    },
    { pieces: rules.map((_, rule) => ({ tensor: of(ruleNodes[rule]!) })), steps: [2] },
    {
      ...(fromNeither(config.numbers, snapshots) ? { heading: say("remark.claim.title") } : {}),
      rowNames: rules,
      pieces: [
        { tensor: of("row_deviations"), columnNames: divisors },
        { chart: normChart(config, snapshots, say) },
      ],
      steps: [2],
      height: 170,
    },
  ];
}

export function blockFlow(config: Config, snapshots: Snapshots, room: Room, of: Of, say: Say): Flow {
  const legendOf = (family: string): string => say(`legend.${family}` as "legend.path");
  if (config.numbers.part === "norm") return { lines: normLines(config, snapshots, of, say), legendOf };
  // Stops whose matrices have a factor above them.
  const factored = ["embed", "attend", "feed"].includes(stopIds(config.numbers)[room.step] ?? "");
  return {
    lines: blockLines(config, room, of, say),
    legendOf,
    strip: [
      "embedded",
      "PE",
      inputNode(config.numbers),
      "self_attn.weights",
      "self_attn.output",
      "residual1",
      "norm1",
      "activation",
      "linear2",
      "residual2",
      "norm2",
    ],
    ...(room.layout === "narrow"
      ? {}
      : { overview: (scene, width) => drawMap(scene, width, config, snapshots, room, of, say, factored) }),
  };
}
