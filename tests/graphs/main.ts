/**
 * The stage of any graph, on a page that is not shipped: ?graph=vit&theme=dark&lang=zh-CN, and for a target &cell=scores,0,2. The core
 * computes in the page; the real stage, note and bar of Play show it.
 */
import { html, nothing, render, type TemplateResult } from "lit";
import "../words.js";
import { load, type Explanation } from "../../web/core/index.js";
import "../../web/elements/note/note.js";
import "../../web/elements/stage/stage.js";
import "../../web/elements/transport.js";
import type { StageEvents } from "../../web/elements/stage/events.js";
import { wordsIn } from "../../web/i18n/words.js";
import { sameCell, type Cell } from "../../web/marks/board.js";
import type { TargetRoom, Scene, Snapshots } from "../../web/marks/scene.js";
import type { ResultCell } from "../../web/elements/note/foot.js";
import { GraphStage } from "../../web/stage/graph/stage.js";
import { graphs, type GraphName } from "./graphs.js";

/** More stops than these have no room on the track: a slider leads to them. */
const MOST_STOPS = 8;
/** The milliseconds for which Play shows a stop. */
const STOP_TIME = 2000;
const own: Partial<Record<string, string>> = { en: "Graphs", "zh-CN": "计算图" };

const options = new URLSearchParams(location.search);
const name = (options.get("graph") ?? "product") as GraphName;
const language = options.get("lang") === "zh-CN" ? "zh-CN" : "en";
const theme = options.get("theme") === "dark" ? "dark" : "light";
document.documentElement.dataset["theme"] = theme;
document.documentElement.lang = language;
document.title = `${own[language]}: ${name}`;

const words = wordsIn(language);
const core = await load();
const graph = core.graph({ observe: true });
graphs[name](core, graph);
const described = new Map(graph.describe().map((node) => [node.name, node]));
const all = graph.snapshot().map((node) => ({ ...node, attributes: described.get(node.name)!.attributes }));
const snapshots: Snapshots = new Map(all.map((node) => [node.name, node]));
const stage = new GraphStage(all);

let arrangement: string | null = null;
let step = Number(options.get("stop") ?? 0);
let cell: Cell | null = null;
let pinned = false;
let full = false;
let isPlaying = false;
let isFolded = true;
let operand: Cell | null = null;
let lit: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
/** The duration of the last layout, for measurements. */
const measured = { layout: 0 };
Object.assign(window, { measured });

const valueAt = ({ node, index }: Cell): number => {
  const { shape, data } = snapshots.get(node)!;
  return data[index.reduce((flat, place, axis) => flat * shape[axis]! + place, 0)] ?? NaN;
};

/** One cell of each node that is computed from the target. */
const resultCellsOf = (target: Cell): ResultCell[] =>
  graph.uses(target.node, target.index).map((block) => {
    const index = block.from.map((from, axis) =>
      Math.max(from, Math.min(block.to[axis]!, target.index[axis] ?? from)),
    );
    return { ...block, index, value: valueAt({ node: block.node, index }) };
  });

function roomFor(): TargetRoom {
  const viewport = document.documentElement.clientWidth;
  const layout = viewport >= 1200 ? "wide" : viewport >= 768 ? "two" : "narrow";
  const width = Math.max(320, viewport) - (layout === "narrow" ? 32 : 48);
  // Less the heading, the settings and the bar of Play; on middle screens also the closed note above the bar.
  const height = Math.max(430, innerHeight - (layout === "two" ? 220 : 170));
  return { width, height, layout, step, cell, arrangement, words };
}

/** Points at a cell. With `goes`, it first goes to the stop that computes the cell if this stop does not show it. */
function target(next: Cell, goes: boolean): void {
  if (pinned && !goes) return;
  cell = next;
  if (goes) {
    const opened = stage.arrange({ ...roomFor(), step: -1 });
    const at = stage.stopOf(next.node, opened);
    if (at >= 0) step = at;
    arrangement = stage.arrange({ ...roomFor(), arrangement: opened });
  }
  full = false;
  draw();
}

function goTo(next: number): void {
  const steps = stage.steps(arrangement, words);
  step = Math.max(0, Math.min(steps.length - 1, next));
  pinned = false;
  target(steps[step]!.cell, false);
}

function play(on: boolean): void {
  isPlaying = on;
  clearTimeout(timer);
  if (on)
    timer = setTimeout(() => {
      const last = stage.steps(arrangement, words).length - 1;
      goTo(step === last ? 0 : step + 1);
      play(step !== last);
    }, STOP_TIME);
  draw();
}

/** Shows another layer or page, with the stop and its telling cell. */
function arrange(next: string): void {
  arrangement = next;
  goTo(step);
}

function settings(): TemplateResult {
  const { layers, pages } = stage.selectionIn(arrangement);
  const pick = (label: string, at: number, labels: readonly string[], choose: (at: number) => void) =>
    html`<label
      >${label}
      <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).selectedIndex)}>
        ${labels.map((text, place) => html`<option ?selected=${place === at}>${text}</option>`)}
      </select>
    </label>`;
  return html`<div class="settings">
    ${stage.repetitions.map((one, at) =>
      pick(
        one.name,
        one.numbers.indexOf(layers[at]!),
        one.numbers.map((_, place) => `${place + 1} / ${one.numbers.length}`),
        (place) => arrange(stage.withLayer(arrangement, one, one.numbers[place]!)),
      ),
    )}
    ${stage.pages.map((size, axis) =>
      size === 1
        ? nothing
        : pick(
            `[${Array.from({ length: axis + 1 }, (_, place) => (place === axis ? "·" : ":")).join(", ")}]`,
            pages[axis]!,
            Array.from({ length: size }, (_, page) => String(page)),
            (page) => arrange(stage.withPage(arrangement, axis, page)),
          ),
    )}
  </div>`;
}

/** An event of the stage, with its detail. */
type StageEvent<Name extends keyof StageEvents> = CustomEvent<StageEvents[Name]>;

function stageOf(
  scene: Scene,
  explanation: Explanation | null,
  note: TemplateResult | typeof nothing,
  isStrip: boolean,
) {
  return html`<ap-stage
    .scene=${scene}
    .snapshots=${snapshots}
    .cell=${isStrip ? null : cell}
    .pinned=${pinned}
    .explanation=${explanation}
    .lit=${lit}
    .operand=${operand}
    .words=${words}
    .nodeWords=${nodeWords}
    .theme=${theme}
    .thumbnails=${isStrip}
    @cell-focus=${({ detail: { node, index } }: StageEvent<"cell-focus">) => target({ node, index }, false)}
    @cell-pin=${({ detail: { node, index } }: StageEvent<"cell-pin">) => {
      const same = pinned && sameCell(cell, { node, index });
      pinned = false;
      target({ node, index }, false);
      pinned = !same;
      draw();
    }}
    @node-point=${({ detail }: StageEvent<"node-point">) => {
      lit = detail.node === null ? [] : [detail.node];
      draw();
    }}
    @node-go=${({ detail: { node } }: StageEvent<"node-go">) => goTo(stage.stopOf(node, arrangement))}
    @cell-follow=${({ detail: { direction } }: StageEvent<"cell-follow">) => {
      const [source] = explanation?.sources ?? [];
      const [becomes] = cell ? resultCellsOf(cell) : [];
      const next = direction === "result" ? becomes : source && { node: source.node, index: source.from };
      if (next) target({ node: next.node, index: next.index }, true);
    }}
    >${note}</ap-stage
  >`;
}

const nodeWords = (node: string) => stage.nodeWords(node);

function draw(): void {
  const began = performance.now();
  const room = roomFor();
  arrangement = stage.arrange(room);
  const within = { ...room, arrangement };
  const steps = stage.steps(arrangement, words);
  const scene = stage.scene(within);
  const strip = room.layout === "narrow" ? stage.strip(within) : null;
  measured.layout = performance.now() - began;
  const explanation = cell && graph.explain(cell.node, cell.index, { full });
  const variant = scene.note ? "card" : "sheet";
  const note = html`<ap-note
    slot=${scene.note ? "note" : nothing}
    class="as-${variant}"
    .explanation=${explanation}
    .nodeWords=${nodeWords}
    .resultCells=${cell ? resultCellsOf(cell) : []}
    .pinned=${pinned}
    .gradient=${""}
    .operand=${operand}
    .full=${full}
    .folded=${isFolded}
    .shape=${cell ? snapshots.get(cell.node)!.shape : null}
    .stop=${steps[step]?.sentence ?? ""}
    .words=${words}
    .variant=${variant}
    @operand-point=${(event: CustomEvent<Cell | { node: null }>) => {
      operand = event.detail.node === null ? null : (event.detail as Cell);
      draw();
    }}
    @cell-go=${({ detail: { node, index } }: CustomEvent<Cell>) => target({ node, index }, true)}
    @note-fold=${(event: CustomEvent<{ open: boolean }>) => {
      isFolded = !event.detail.open;
      draw();
    }}
    @note-full=${(event: CustomEvent<{ open: boolean }>) => {
      full = event.detail.open;
      draw();
    }}
  ></ap-note>`;
  const many = steps.length > MOST_STOPS;
  render(
    html`<header>
        <h1>${document.title}</h1>
        ${settings()}
      </header>
      <main>
        ${strip ? stageOf(strip, null, nothing, true) : nothing}
        ${stageOf(scene, explanation, scene.note ? note : nothing, false)}
        <div class="foot">
          ${scene.note ? nothing : note}
          <ap-transport
            .words=${words}
            .steps=${steps}
            .current=${step}
            .playing=${isPlaying}
            .time=${many ? { at: step, last: steps.length - 1, label: steps[step]!.title } : null}
            @play=${() => play(true)}
            @pause=${() => play(false)}
            @step=${() => goTo(step + 1)}
            @back=${() => goTo(step - 1)}
            @go=${(event: CustomEvent<{ step: number }>) => goTo(event.detail.step)}
            @time=${(event: CustomEvent<{ at: number }>) => goTo(event.detail.at)}
          ></ap-transport>
        </div>
      </main>`,
    document.body,
  );
}

addEventListener("resize", draw);
const [asked, ...index] = (options.get("cell") ?? "").split(",");
if (asked) target({ node: asked, index: index.map(Number) }, true);
else goTo(step);
