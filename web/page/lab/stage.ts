/**
 * The stage of a lab, and the strip above it on a phone: their properties, and the acts that their events
 * cause.
 */
import { html, type TemplateResult } from "lit";
import "../../elements/stage/stage.js";
import type { StageEvents } from "../../elements/stage/events.js";
import type { Words } from "../../i18n/words.js";
import type { Cell } from "../../marks/board.js";
import type { Scene } from "../../marks/scene.js";
import type { LabActs } from "./acts.js";
import type { LabNote } from "./note.js";
import type { LabRoom } from "./room.js";
import type { LabScenes } from "./scenes.js";
import type { LabWording } from "./wording.js";
import { explanationOnStage } from "../result-cells.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";

export interface StageView {
  readonly playground: Playground;
  readonly words: Words;
  readonly theme: "light" | "dark";
  readonly reading: StageReading | null;
  readonly framed: boolean;
  readonly hint: Cell | null;
  readonly covered: Cell | null;
  readonly wording: LabWording;
  readonly scenes: LabScenes;
  readonly acts: LabActs;
  readonly note: LabNote;
  readonly room: LabRoom;
  openControl(at: StageEvents["control-open"]): Promise<void>;
}

/** The event of this name, with its detail. */
type StageEvent<Name extends keyof StageEvents> = CustomEvent<StageEvents[Name]>;

const none: string[] = [];

export function labStage(lab: StageView, scene: Scene | null, strip: boolean): TemplateResult {
  const { playground, words, reading, wording, acts } = lab;
  return html`<ap-stage
    .scene=${lab.scenes.read(scene, strip)}
    .snapshots=${playground.snapshots}
    .cell=${strip ? null : playground.cell}
    .pinned=${playground.config.view.pinned}
    .explanation=${strip ? null : explanationOnStage(wording.targetExplanation, wording.resultCells)}
    .lit=${strip ? none : playground.pointedNodes}
    .operand=${strip ? null : playground.operand}
    .origin=${strip ? null : (reading?.of ?? null)}
    .covered=${lab.covered}
    .scales=${playground.config.view.scales}
    .words=${words}
    .nodeWords=${wording.nodeWords}
    .theme=${lab.theme}
    .zoom=${strip ? 1 : lab.room.zoomOf(scene)}
    .thumbnails=${strip}
    .hint=${strip ? null : lab.hint}
    .takes=${!strip && !lab.framed}
    .opens=${!strip && !lab.framed}
    .stale=${playground.isStale}
    .isBehind=${playground.isBehind}
    .isMoving=${playground.isUnfinished}
    .play=${playground.progress}
    @cell-focus=${({ detail: { node, index } }: StageEvent<"cell-focus">) => acts.pointAt({ node, index })}
    @cell-leave=${() => playground.pointOperand(null)}
    @cell-pin=${({ detail: { node, index } }: StageEvent<"cell-pin">) => acts.pin({ node, index })}
    @cell-edit=${({ detail }: StageEvent<"cell-edit">) => acts.edit(detail)}
    @mask-paint=${({ detail }: StageEvent<"mask-paint">) => acts.paint(detail)}
    @number-drag=${({ detail }: StageEvent<"number-drag">) => acts.drag(detail)}
    @rail-settle=${({ detail }: StageEvent<"rail-settle">) => acts.target(detail)}
    @node-point=${({ detail: { node } }: StageEvent<"node-point">) => playground.point(node === null ? [] : [node])}
    @control-open=${({ detail }: StageEvent<"control-open">) => void lab.openControl(detail)}
    @control-set=${({ detail }: StageEvent<"control-set">) => acts.change(detail)}
    @node-go=${({ detail }: StageEvent<"node-go">) => acts.goTo([detail.node])}
    @cell-follow=${({ detail }: StageEvent<"cell-follow">) => acts.follow(detail.direction)}
    @cell-copy=${() => lab.note.copy()}
    @cell-escape=${(event: Event) => acts.endOne() && event.preventDefault()}
  ></ap-stage>`;
}
