/** The parts of a stage that open or set a control: links, and areas of the picture. */
import { html, nothing, type TemplateResult } from "lit";
import type { Opener } from "../../marks/scene.js";
import { styleMap } from "../style-map.js";
import { dispatchStageEvent } from "./events.js";

export function openers(stage: EventTarget, all: readonly Opener[]): TemplateResult[] {
  return all.map(({ id, control, value, text, isArea = false, x, y, width, height }) => {
    const box = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
    const act = ({ currentTarget }: Event): void => {
      if (value !== undefined) dispatchStageEvent(stage, "control-set", { control, value });
      else dispatchStageEvent(stage, "control-open", { control, beside: currentTarget as HTMLElement });
    };
    return html`<button
      class="opener ${isArea ? "area" : "link"} ${value === undefined ? "" : "underlined"}"
      data-opener=${id}
      tabindex=${isArea ? -1 : nothing}
      aria-label=${isArea ? text : nothing}
      title=${value === undefined ? nothing : text}
      aria-haspopup=${value === undefined ? "dialog" : nothing}
      style=${styleMap(box)}
      @pointerdown=${(event: Event) => event.stopPropagation()}
      @click=${act}
    >
      ${isArea ? nothing : text}
    </button>`;
  });
}
