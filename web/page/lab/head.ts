/**
 * The head of a lab: its title and lede, its settings as a sentence, the line of a comparison or gradient,
 * its formula.
 */
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { EmbedPart } from "../../config/frame-fields.js";
import "../../elements/formula.js";
import { icon } from "../../elements/icons.js";
import "../../elements/sentence/sentence.js";
import type { Words } from "../../i18n/words.js";
import { formulaText } from "../../marks/formula-text.js";
import type { LabActs } from "./acts.js";
import { dispatch } from "./events.js";
import type { LabRoom } from "./room.js";
import type { LabWording } from "./wording.js";
import { labOf } from "../open-lab.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";

export interface HeadView extends EventTarget {
  readonly playground: Playground;
  readonly words: Words;
  readonly reading: StageReading | null;
  readonly parts: ReadonlySet<EmbedPart>;
  readonly framed: boolean;
  /** How much of the lesson is done; null when there is no lesson. */
  readonly lessonDone: { done: number; count: number } | null;
  readonly wording: LabWording;
  readonly room: LabRoom;
  readonly acts: LabActs;
}

function sentence({ playground, words, framed, room, wording, acts }: HeadView): TemplateResult {
  const { text, controls } = wording.sentence;
  return html`<ap-sentence
    ?inert=${playground.isLeaving}
    .words=${words}
    .text=${text}
    .controls=${controls}
    .refusal=${playground.refusal}
    .edits=${playground.edits}
    .undoable=${playground.canUndoReset}
    .learn=${framed ? null : playground.learn}
    .form=${framed ? "essential" : room.isNarrow ? "line" : "sentence"}
    @control-change=${(event: CustomEvent<{ control: string; value: string }>) => acts.change(event.detail)}
    @edit-undo=${() => playground.undoEdit()}
    @edit-reset=${() => playground.resetEdits()}
  ></ap-sentence>`;
}

function readingLine({ reading, playground, words }: HeadView): TemplateResult | typeof nothing {
  if (!reading) return nothing;
  const { name, text, options, value, stop, other } = reading.line(playground, words);
  return html`<ap-reading
    .words=${words}
    .name=${name}
    .text=${text}
    .options=${options}
    .value=${value}
    .stop=${stop}
    .other=${other?.label ?? ""}
    @reading-other=${other?.act}
    @reading-show=${(event: CustomEvent<{ value: string }>) => reading.show(event.detail.value, playground)}
  ></ap-reading>`;
}

/** How a mask is painted, with a link to the mask. */
function painting({ playground, words, wording, acts }: HeadView): TemplateResult | typeof nothing {
  const { numbers } = playground.displayedConfig;
  const node = "masked";
  if (!("mask" in numbers) || numbers.mask !== "painted" || !playground.snapshots.has(node)) return nothing;
  const [before, after] = words("sentence.paint").split("{tensor}");
  const { symbol, name } = wording.nodeWords(node);
  return html`<p class="painting">
    ${before}<button class="link" aria-label=${name} @click=${() => acts.goTo([node])}>
      <i>${symbol.text}</i></button
    >${after}
  </p>`;
}

function formula({ playground, words, parts, wording, acts }: HeadView): TemplateResult | typeof nothing {
  if (!parts.has("formula")) return nothing;
  const { id, parts: symbols } = wording.formula;
  const { formulas } = labOf(playground.displayedConfig);
  const tree = formulas[id];
  return html`<ap-formula
    role="group"
    aria-label=${tree ? guard([tree, words], () => formulaText(tree, words)) : nothing}
    .formulas=${formulas}
    .formula=${id}
    .parts=${symbols}
    .lit=${wording.litSymbols}
    .words=${words}
    @symbol-point=${(event: CustomEvent<{ nodes: readonly string[] }>) => acts.pointSymbol(event.detail.nodes)}
    @symbol-go=${(event: CustomEvent<{ nodes: readonly string[] }>) => acts.goTo(event.detail.nodes)}
  ></ap-formula>`;
}

function lessonLink(lab: HeadView): TemplateResult | typeof nothing {
  const { lessonDone: done, words } = lab;
  if (!done) return nothing;
  return html`<button class="link lesson-link" @click=${() => dispatch(lab, "lesson-open", null)}>
    ${done.done ? words("lesson.link_count", done) : words("lesson.link")}${icon("down", 16)}
  </button>`;
}

/** A remark that the word vectors are untrained, with a link to a trained translator. */
function untrained(lab: HeadView): TemplateResult | typeof nothing {
  const { playground, words } = lab;
  if (!labOf(playground.displayedConfig).untrained?.(playground.displayedConfig)) return nothing;
  const go = () => dispatch(lab, "open-lab", { lab: "encoder-decoder" });
  return html`${words("page.untrained")}
    <button class="link lesson-link" @click=${go}>${words("page.trained")}</button>`;
}

export function labHead(lab: HeadView): TemplateResult {
  const { playground, words, acts } = lab;
  const { isNarrow } = lab.room;
  const config = playground.displayedConfig;
  const title = labOf(config).title(config, words);
  if (lab.framed) {
    const restart = words("embed.restart");
    return html`<div class="head">
      <h1 class="unseen">${title}</h1>
      ${lab.parts.has("settings") ? sentence(lab) : html`<span></span>`}
      <button class="quiet" aria-label=${restart} title=${restart} @click=${() => acts.restart()}>
        ${icon("restart")}
      </button>
      ${readingLine(lab)} ${formula(lab)}
    </div>`;
  }
  return html`<div class="head">
    <div class="titles">
      <div class="title">
        <h1 tabindex="-1">${title}</h1>
        ${isNarrow ? nothing : lessonLink(lab)}
      </div>
      <p class="lede">
        ${isNarrow ? lessonLink(lab) : nothing} ${labOf(config).lede(config, words, isNarrow)}
        ${untrained(lab)}
      </p>
    </div>
    ${sentence(lab)} ${readingLine(lab)} ${painting(lab)} ${formula(lab)}
  </div>`;
}
