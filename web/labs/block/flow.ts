/** The stage of the block lab: a map of the shown layer, the current stop large under it, and the stops of Play. */
import type { ConfigOf } from "../../config/config.js";
import { inLayer, layerAndName, positionsOf, stackOf } from "../../config/labs/block.js";
import type { Words } from "../../i18n/words.js";
import type { Room, Scene, TargetRoom, Snapshots } from "../../marks/scene.js";
import { readArrangement, writeArrangement } from "../../stage/arrangement.js";
import type { Chart, Series } from "../../stage/chart.js";
import type { Flow, Line, Piece } from "../../stage/flow.js";
import { inHead, type Block } from "../../stage/place.js";
import { sheetFor } from "../../stage/sheet.js";
import { valuesOf } from "../../stage/series.js";
import type { Stops } from "../../telling/declaration.js";
import { cellAt, largestInRow, type Cell } from "../../telling/largest.js";
import { curveGrid } from "./grid.js";
import { gradientRow, layerNodes, stopIds } from "./path.js";
import { drawBand, drawSmall } from "./picture.js";
import { stringsIn, type Strings } from "./strings.js";
import { axesOf, followsNoRule, rulesOf } from "./tensors.js";
import { shownHeads } from "./track.js";

type Config = ConfigOf<"block">;
type Of = (node: string) => Block;

/** The parts of the attention stop: the projections, one head, the join. Wide screens show that of the target. */
const attentionParts = ["project", "attend", "join"] as const;

/** The line with a node, by its name in the first layer: a part of the attention stop, or the id of another stop. */
function lineOf(name: string): string {
  if (/^self_attn\.([QKV]$|[qkv]_proj)/.test(name)) return "project";
  if (/^(self_attn\.(concat|output|out_proj)|dropout1)/.test(name)) return "join";
  if (name.startsWith("self_attn")) return "attend";
  if (/^(linear|activation|dropout)/.test(name)) return "feed";
  if (name.startsWith("gradient")) return "gradients";
  return /^norm\d/.exec(name)?.[0] ?? (/^(path|means|variances|dev)/.test(name) ? "measure" : "embed");
}

/** Whether the band shows a cell: some heads, and the tensors beside the path, have no room there. */
function isOnBand(numbers: Config["numbers"], { node, index }: Cell): boolean {
  const { layer } = stackOf(numbers);
  const { input, added, sums, norms } = layerNodes(numbers);
  const weights = inLayer(layer, numbers.dropout > 0 ? "self_attn.dropped" : "self_attn.weights");
  if (node === weights) return index[0]! < shownHeads(numbers);
  return [input, ...added, ...sums, ...norms, inLayer(layer, "activation"), "deviations"].includes(node);
}

/**
 * What the stage shows: "band", or the line with the target under a small band, which stays while cells of either are pointed at. Then the
 * target's head and row; -1 for none.
 */
export function arrange({ numbers }: Config, room: TargetRoom): string {
  const { cell } = room;
  if (numbers.part !== "block") return "";
  const name = cell ? layerAndName(cell.node).own : "";
  const isOfHead = /^self_attn\.(K_T|scores|scaled|masked|weights|dropped|V_heads|heads)$/.test(name);
  const [head, row] = [...(isOfHead ? [] : [0]), ...(cell?.index ?? [])];
  const onBand = !cell || isOnBand(numbers, cell);
  const line = lineOf(name);
  const last = readArrangement(room).id;
  const isLine = [...stopIds(numbers), ...attentionParts].includes(last);
  const stays = isLine && (onBand || line === last);
  return writeArrangement(stays ? last : onBand ? "band" : line, [head ?? 0, row ?? -1]);
}

/** The picture of the band; null where the stage shows lines. */
export function picture(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  const isBand = readArrangement(room).id === "band" && config.numbers.part === "block";
  return isBand && room.layout !== "narrow"
    ? drawBand(sheetFor(stringsIn, config, snapshots, room, of))
    : null;
}

/** The strip of a phone: the layer in small tensors; null where it is made from lines. */
export function strip(config: Config, snapshots: Snapshots, room: Room, of: Of): Scene | null {
  if (config.numbers.part !== "block") return null;
  const sheet = sheetFor(stringsIn, config, snapshots, room, of);
  return Object.assign(sheet.scene, { height: drawSmall(sheet, room.width) });
}

function blockLines({ numbers }: Config, snapshots: Snapshots, room: Room, of: Of, strings: Strings): Line[] {
  const stops = stopIds(numbers);
  const { residual, layer, layers, causal } = stackOf(numbers);
  const { input, read, added, sums, norms, middle } = layerNodes(numbers);
  /** A tensor of the shown layer, by its name in the first layer. */
  const inShownLayer = (node: string): Block => of(inLayer(layer, node));
  const hasDropout = numbers.dropout > 0;
  const hasPositions = positionsOf(numbers) !== "none";
  const { id, memory } = readArrangement(room);
  const [head = 0] = memory;
  const ofHead = (name: string): Block => inHead(inShownLayer(`self_attn.${name}`), head);
  const words = of("x").names?.rows ?? [];
  const divisor = `÷√${numbers.dim / numbers.heads}`;
  const line = (stop: string, ...pieces: Piece[]): Line => ({
    rowNames: words,
    named: false,
    pieces,
    steps: [stops.indexOf(stop)],
    // A stop that is broken into two lines would not fit under the map.
    ...(room.layout === "wide" ? { least: 9 } : {}),
  });
  const product = (node: string, factor: string): Piece => ({
    tensor: inShownLayer(node),
    above: inShownLayer(factor),
  });
  /** An arrow of dropout and the tensor after it; nothing without dropout. */
  const dropoutPieces = (output: Block | false): Piece[] =>
    output ? [[strings("p", { p: numbers.dropout })], output] : [];
  /** The output of a sub-layer over the sum: the band has what it is added to. */
  const sumLine = (which: 0 | 1): Line =>
    line(`add${which + 1}`, { tensor: of(sums[which]), above: of(added[which]), sign: "⊕" });
  const normLine = (which: 0 | 1): Line => {
    const node = `norm${which + 1}`;
    const from = numbers.norm === "post" ? sums[which] : which === 0 ? input : middle;
    return line(node, of(from), [strings("operator.norm")], product(node, `${node}.weight`));
  };
  /** The dropout after a sub-layer without a residual connection. With one, dropout is part of the sum. */
  const outputDropout = (which: 0 | 1): Piece[] =>
    residual ? [] : dropoutPieces(hasDropout && of(added[which]));
  const attention: Record<(typeof attentionParts)[number], Line> = {
    project: line(
      "attend",
      { tensor: of(read[0]), id: "read" },
      ...["Q", "K", "V"].map((name) =>
        product(`self_attn.${name}`, `self_attn.${name.toLowerCase()}_proj_weight`),
      ),
    ),
    attend: {
      ...line(
        "attend",
        { tensor: ofHead("scores"), above: ofHead("K_T"), columnNames: words },
        {
          operator: inLayer(layer, causal ? "self_attn.masked" : "self_attn.scaled"),
          name: causal ? [divisor, strings("operator.mask")] : [divisor],
        },
        ofHead("weights"),
        ...dropoutPieces(hasDropout && ofHead("dropped")),
        { tensor: ofHead("heads"), above: ofHead("V_heads") },
      ),
      heading: strings("heading.head", { n: head, heads: numbers.heads }),
    },
    join: line(
      "attend",
      inShownLayer("self_attn.concat"),
      product("self_attn.output", "self_attn.out_proj.weight"),
      ...outputDropout(0),
    ),
  };
  const shownParts = attentionParts.filter((part) => room.layout === "narrow" || part === id);
  return [
    line(
      "embed",
      { tensor: of(hasPositions ? "embedded" : "x"), above: of("E"), aboveNames: of("E").names?.rows ?? [] },
      ...(hasPositions ? ["+", of("PE"), "=", of("x")] : []),
      ...dropoutPieces(hasDropout && of("dropped")),
    ),
    ...shownParts.map((part) => attention[part]),
    ...(residual ? [sumLine(0)] : []),
    ...(norms[0] ? [normLine(0)] : []),
    line(
      "feed",
      product("linear1", "linear1.weight"),
      [strings(`activation.${numbers.activation}`)],
      inShownLayer("activation"),
      ...dropoutPieces(hasDropout && inShownLayer("dropout")),
      product("linear2", "linear2.weight"),
      ...outputDropout(1),
    ),
    ...(residual ? [sumLine(1)] : []),
    ...(norms[1] ? [normLine(1)] : []),
    // The names of many places would overlap. The picture above shows which is which.
    { ...line("measure", of("means"), of("deviations")), named: layers === 1 },
    ...(layers > 1 ? [gradientLine()] : []),
  ];

  /** The gradient at the shown layer, and the norm of the gradient at each layer. */
  function gradientLine(): Line {
    const values = Array.from(valuesOf(snapshots, "gradient_norms"));
    // The axis has at least three powers of ten, so that gradients of similar size are a level line.
    const finite = values.filter((value) => value > 0 && Number.isFinite(value));
    const chart: Chart = {
      id: "gradients",
      title: strings("chart.gradients"),
      x: {
        label: strings("chart.gradients.x"),
        domain: [0, layers - 1],
        ticks: values.map((_, at) => at),
        air: true,
      },
      y: { label: "", log: true, domain: [Math.min(0.01, ...finite), Math.max(10, ...finite)] },
      series: [
        {
          id: "norms",
          role: "output",
          kind: "line",
          dots: true,
          points: values.map((value, at) => [at, value]),
          cells: values.map((_, at) => ({ node: "gradient_norms", index: [at] })),
        },
      ],
      step: stops.indexOf("gradients"),
    };
    const norms = of("gradient_norms");
    const columnNames = values.map((_, at) => String(at));
    return {
      ...line("gradients", of("gradients"), { tensor: norms, columnNames }, { chart }),
      named: true,
      height: 190,
    };
  }
}

/** Each normalised row against the row before: a straight line of slope 1 / deviation. */
function normChart({ numbers }: Config, snapshots: Snapshots, strings: Strings): Chart {
  const x = Array.from(valuesOf(snapshots, "x"));
  const rows = valuesOf(snapshots, "rows");
  return {
    id: "rules",
    title: strings("chart.rules"),
    x: { label: strings("chart.rules.x") },
    y: { label: "" },
    series: rulesOf(numbers, strings).map(({ node, name }, rule) => ({
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

function normLines(config: Config, snapshots: Snapshots, of: Of, strings: Strings): Line[] {
  const measured = {
    pieces: [of("row_deviations"), { chart: normChart(config, snapshots, strings) }],
  };
  const root = ["√"] as const;
  return [
    { pieces: [of("x"), "−", of("mean"), "=", of("centred")], steps: [0] },
    {
      pieces: [
        of("squares"),
        [strings("operator.sum")],
        of("total"),
        [strings("operator.divide")],
        of("variance"),
        root,
        of("deviation"),
      ],
      steps: [1],
    },
    { pieces: rulesOf(config.numbers, strings).map(({ node }) => of(node)), steps: [2] },
    {
      ...(followsNoRule(config.numbers, snapshots) ? { heading: strings("remark.claim.title") } : {}),
      ...measured,
      steps: [2],
      height: 170,
    },
  ];
}

/** A line of a chart of curves: the cells of a row over the grid. */
function curve(
  snapshots: Snapshots,
  node: string,
  row: number,
  series: Omit<Series, "id" | "points">,
): Series {
  const values = valuesOf(snapshots, node);
  return {
    id: `${node}-${row}`,
    dots: true,
    ...series,
    points: curveGrid.map((x, at) => [x, values[row * curveGrid.length + at] ?? NaN]),
    cells: curveGrid.map((_, at) => ({ node, index: [row, at] })),
  };
}

function curveLines(snapshots: Snapshots, of: Of, strings: Strings): Line[] {
  const x = { label: strings("chart.curves.x"), domain: [-4, 4] } as const;
  const bend: Chart = {
    id: "bend",
    title: strings("chart.bend"),
    x,
    y: { label: "" },
    series: [
      curve(snapshots, "relu", 0, { role: "output", kind: "line", label: "ReLU" }),
      curve(snapshots, "gelu", 0, { role: "key", kind: "line", label: "GELU" }),
    ],
    step: 0,
  };
  const share: Chart = {
    id: "share",
    title: strings("chart.share"),
    x: { ...x, label: strings("chart.share.x") },
    y: { label: "", domain: [0, 1] },
    series: (["output", "query", "key"] as const).map((role, row) =>
      curve(snapshots, "shares", row, { role, kind: row === 0 ? "line" : "dashed", label: `p${"₀₁₂"[row]}` }),
    ),
    step: 1,
  };
  return [
    { pieces: [of("grid")], steps: [0] },
    { pieces: [of("relu")], steps: [0], named: false },
    { pieces: [of("gelu")], steps: [0], named: false },
    { pieces: [{ chart: bend }], steps: [0], height: 150, most: 300 },
    { pieces: [of("start"), of("scores")], steps: [1] },
    { pieces: [of("shares")], steps: [1] },
    { pieces: [{ chart: share }], steps: [1], height: 150, most: 300 },
  ];
}

export function flow(config: Config, snapshots: Snapshots, room: Room, of: Of): Flow {
  const { numbers } = config;
  const strings = stringsIn(room.words);
  if (numbers.part === "norm") return { lines: normLines(config, snapshots, of, strings) };
  if (numbers.part === "curves") return { lines: curveLines(snapshots, of, strings), partial: true };
  const lines = blockLines(config, snapshots, room, of, strings);
  if (room.layout === "narrow") return { lines, tallest: 24 };
  const { id } = readArrangement(room);
  const stop = stopIds(numbers).indexOf((attentionParts as readonly string[]).includes(id) ? "attend" : id);
  const sheet = sheetFor(stringsIn, config, snapshots, room, of);
  const overview = (scene: Scene, width: number): number => drawSmall({ ...sheet, scene }, width);
  return { lines, stop, overview };
}

/** The nodes with the telling cells of the stops. */
const describedNodes: Readonly<Record<string, string>> = {
  embed: "x",
  attend: "self_attn.weights",
  add1: "residual1",
  norm1: "norm1",
  feed: "activation",
  add2: "residual2",
  norm2: "norm2",
  measure: "deviations",
  centre: "centred",
  spread: "variance",
  divide: "biased",
  bend: "gelu",
  share: "shares",
};

/** The rows of the telling cells that are not the first. In the example, row 4 of the second sum has the largest deviation. */
const tellingRows: Readonly<Record<string, number>> = { add1: 3, add2: 4, norm2: 4, measure: 4 };

/** The stops whose tensors belong to a layer. */
const inLayers = new Set(["attend", "add1", "norm1", "feed", "add2", "norm2"]);

function cellOf(numbers: Config["numbers"], stop: string): Cell {
  if (stop === "gradients") return cellAt("gradient_norms", 0);
  // The point at -1, where GELU is below 0.
  if (numbers.part === "curves") return cellAt(describedNodes[stop]!, 0, 6);
  // The first word that looks back sees only itself.
  const telling = stop === "attend" && stackOf(numbers).causal ? gradientRow(numbers) : tellingRows[stop];
  const row = Math.min(telling ?? 0, numbers.part === "norm" ? 0 : numbers.tokens.length - 1);
  const node = describedNodes[stop]!;
  const named = inLayers.has(stop) ? inLayer(stackOf(numbers).layer, node) : node;
  return cellAt(named, ...(stop === "attend" ? [0] : []), row, 0);
}

export function opening({ numbers }: Config): Cell {
  if (numbers.part === "norm") return cellOf(numbers, "divide");
  if (numbers.part === "curves") return cellOf(numbers, "bend");
  const { layers, layerNorm, residual } = stackOf(numbers);
  if (layers > 1) return cellOf(numbers, "gradients");
  const { node, index } = cellOf(numbers, residual ? "add2" : layerNorm ? "norm1" : "attend");
  return residual ? cellAt(node, index[0]!, Math.min(1, numbers.dim - 1)) : { node, index };
}

export function stops({ numbers }: Config, words: Words, snapshots: Snapshots): Stops {
  const strings = stringsIn(words);
  const { norm, dim } = numbers;
  const { residual, scaleEmbedding, causal } = stackOf(numbers);
  const slots = {
    dim,
    activation: strings(`activation.${numbers.activation}`),
    word: axesOf(numbers, strings)["word"]?.[1]?.[gradientRow(numbers)] ?? "",
  };
  /** The key of a stop's sentence. */
  const tellOf = (id: string): string => {
    if (/^norm\d/.test(id)) return `${id}.${norm}`;
    const positions = positionsOf(numbers);
    const variants = {
      embed: [positions !== "sines" && positions, !scaleEmbedding && "plain"],
      attend: [causal && "causal", !residual && "replaces"],
      feed: [!residual && "replaces"],
    }[id];
    return [id, ...(variants ?? [])].filter(Boolean).join(".");
  };
  return Object.fromEntries(
    stopIds(numbers).map((id) => {
      const cell = cellOf(numbers, id);
      // The sentence about a curve is about this point, not about the largest number.
      const telling = numbers.part === "curves" ? cell : largestInRow(snapshots, cell);
      return [id, { ...telling, tell: tellOf(id), slots }];
    }),
  );
}
