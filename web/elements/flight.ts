/** ap-flight: draws numbers on their way, over everything else in the window. */
import {
  LitElement,
  css,
  html,
  nothing,
  svg,
  type PropertyValues,
  type SVGTemplateResult,
  type TemplateResult,
} from "lit";
import type { Rectangle } from "../marks/board.js";
import { COPY, copyWidth, type PlacedCopy, type Point, type TravelScene } from "../marks/flight.js";
import { linePath } from "../marks/line-path.js";
import { roleColours } from "./look.js";

export class ApFlight extends LitElement {
  static override properties = { scene: { attribute: false } };
  declare scene: TravelScene | null;

  static override styles = [
    roleColours,
    css`
      :host {
        position: fixed;
        z-index: 4;
        inset: 0;
        contain: strict;
        pointer-events: none;
      }
      svg {
        display: block;
        width: 100%;
        height: 100%;
        fill: none;
        stroke: currentColor;
      }
      .behind {
        stroke-width: 2;
        opacity: 0.45;
      }
      .ahead {
        stroke-width: 1.5;
        stroke-dasharray: 1.5 4;
        opacity: 0.7;
      }
      .slot {
        stroke: var(--control);
        stroke-dasharray: 3 3;
      }
      .frame {
        stroke: var(--ink);
        stroke-width: 2;
      }
      .bar {
        fill: currentColor;
        fill-opacity: 0.35;
      }
      .copy rect {
        stroke-width: 2.25;
      }
      .lifted {
        filter: drop-shadow(0 2px 3px rgb(0 0 0 / 0.3));
      }
      text {
        stroke: none;
        font: 600 13px / 1 var(--sans);
        font-variant-numeric: tabular-nums lining-nums;
        text-anchor: middle;
      }
      @media print {
        :host {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.scene = null;
  }

  /** The corner of the layer in the window: not that of the window where an element around it is moved. */
  #corner: Point = [0, 0];

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!this.scene || changed.get("scene")) return;
    const { x, y } = this.getBoundingClientRect();
    this.#corner = [x, y];
  }

  #path({ copy, behind, ahead }: PlacedCopy): SVGTemplateResult | typeof nothing {
    if (behind.length === 0) return nothing;
    return svg`<g data-role=${copy.role}><path class="ahead" d=${linePath(ahead)} /><path class="behind" d=${linePath(behind)} /></g>`;
  }

  #copy({ copy, at: [x, y], isLifted }: PlacedCopy): SVGTemplateResult {
    const width = copyWidth(copy.text);
    return svg`<g class="copy ${isLifted ? "lifted" : ""}" data-role=${copy.role} transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">
      <rect x=${-width / 2} y=${-COPY.height / 2} width=${width} height=${COPY.height} rx="3" fill=${copy.fill} />
      <text y="4.5" fill=${copy.ink}>${copy.text}</text>
    </g>`;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { scene } = this;
    if (!scene) return nothing;
    const { copies, slots, bars, frames } = scene;
    const [left, top] = this.#corner;
    const rectangle = ({ x, y, width, height }: Rectangle, kind: string, role?: string): SVGTemplateResult =>
      svg`<rect class=${kind} data-role=${role ?? nothing} x=${x} y=${y} width=${width} height=${height} rx="3" />`;
    return html`<svg aria-hidden="true">
      <g transform="translate(${-left} ${-top})">
        ${slots.map((slot) => rectangle(slot, "slot"))} ${bars.map((bar) => rectangle(bar, "bar", bar.role))}
        ${frames.map((frame) => rectangle(frame, "frame"))} ${copies.map((copy) => this.#path(copy))}
        ${copies.map((copy) => this.#copy(copy))}
      </g>
    </svg>`;
  }
}
customElements.define("ap-flight", ApFlight);
