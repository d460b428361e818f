/** The style of the stage: lines, text and frames over the canvases. DESIGN.md, sections 2 to 4. */
import { css, unsafeCSS } from "lit";

const roles = ["query", "key", "value", "attention", "output", "weight", "activation"] as const;

/** A class for each role that sets `color`, used by strokes and text through currentColor. */
const roleClasses = unsafeCSS(roles.map((role) => `.${role} { color: var(--${role}); }`).join("\n"));

export const stageLook = [
  roleClasses,
  css`
    :host {
      display: block;
      contain: layout style;
      font: var(--t-ui) / var(--lh-ui) var(--sans);
      color: var(--ink);
      font-variant-numeric: tabular-nums lining-nums;
    }
    .box {
      position: relative;
      overflow-x: auto;
      overflow-y: hidden;
    }
    .box.fits {
      overflow: visible;
    }
    .paper {
      position: relative;
      transform-origin: 0 0;
      -webkit-user-select: none;
      user-select: none;
      -webkit-touch-callout: none;
      -webkit-tap-highlight-color: transparent;
    }
    canvas,
    .layer,
    [role="grid"],
    .thumbnail,
    .note {
      position: absolute;
    }
    canvas {
      forced-color-adjust: none;
    }
    .layer {
      left: 0;
      top: 0;
      overflow: visible;
      pointer-events: none;
    }
    /* A change in one layer causes no layout and no restyling of another. */
    canvas,
    .layer {
      contain: layout style;
    }
    [role="grid"] {
      contain: layout style size;
    }
    svg {
      fill: none;
    }
    text {
      fill: var(--ink-3);
      font-size: var(--t-axis);
    }
    .front .caption {
      pointer-events: auto;
    }
    /* A leader that passes under a caption does not strike it through. */
    .front .caption text {
      stroke: var(--paper);
      stroke-width: 3;
      paint-order: stroke;
    }
    .front .caption.takes {
      cursor: pointer;
    }
    .front .caption.takes:hover .name,
    .front .caption.takes:hover .shape {
      text-decoration: underline;
      text-underline-offset: 3px;
    }
    .pen {
      stroke: var(--ink-3);
      stroke-width: 2;
      stroke-linejoin: round;
    }

    .guide {
      stroke: var(--rule);
    }
    .wire {
      stroke: var(--rule-2);
    }
    .wire.lit {
      stroke: currentColor;
      stroke-width: 2;
    }
    .leader {
      stroke: currentColor;
      stroke-width: 1.5;
      stroke-dasharray: 2 3;
    }
    .bracket {
      stroke: currentColor;
      stroke-width: 1.5;
    }
    .notice-bar {
      stroke: var(--notice);
      stroke-width: 3;
    }

    .symbol {
      font: italic 600 var(--t-symbol) / 1 var(--serif);
      fill: currentColor;
    }
    .thumbnail-symbol {
      font: italic 400 13px / 1 var(--serif);
      fill: var(--ink-3);
    }
    .thumbnail-symbol.lit {
      font-weight: 700;
      fill: currentColor;
    }
    .small {
      font-size: 13px;
    }
    .underline {
      stroke: currentColor;
      stroke-width: 2;
    }
    .shape {
      font-size: var(--t-note);
      text-anchor: end;
    }
    .name {
      font-size: var(--t-note);
      fill: var(--ink-2);
    }
    .by-hand {
      font-style: italic;
    }
    :lang(zh) .by-hand {
      font-style: normal;
    }
    .row-name {
      text-anchor: end;
    }
    .level {
      text-anchor: middle;
    }
    .on {
      font-weight: 700;
      fill: var(--ink);
    }

    .frame {
      stroke: currentColor;
      stroke-width: 2.5;
    }
    .halo {
      stroke: var(--paper);
      stroke-width: 5.5;
    }
    .frame.ink {
      stroke: var(--ink);
    }
    .frame.thin {
      stroke-width: 1.25;
    }
    .halo.thin {
      stroke-width: 4.25;
    }
    .wedge {
      fill: var(--ink);
    }

    .operator {
      pointer-events: all;
      cursor: default;
      outline: none;
    }
    .operator path {
      stroke: var(--ink-3);
    }
    .operator text {
      text-anchor: middle;
      font-size: var(--t-note);
      fill: var(--ink-2);
      stroke: var(--paper);
      stroke-width: 4;
      paint-order: stroke;
    }
    .operator .reach {
      stroke: none;
    }
    .operator.lit text,
    .operator:focus-visible text {
      text-decoration: underline;
      text-decoration-thickness: 2px;
      text-underline-offset: 3px;
    }
    .operator:focus-visible .reach {
      stroke: var(--ink);
      stroke-width: 2;
    }

    /* Names and lines around numbers that will be replaced fade. Fills never do, because their legend
       gives their meaning. */
    :host([stale]) :is(text, .wire, .bracket, .operator path) {
      opacity: 0.5;
    }

    .legend path {
      stroke: var(--rule-2);
    }
    .legend .ramp {
      forced-color-adjust: none;
    }
    .end {
      text-anchor: end;
    }
    .middle {
      text-anchor: middle;
    }
    .label.caption-text {
      font-size: var(--t-note);
      fill: var(--ink-2);
    }
    .label.shape-text {
      font-size: var(--t-note);
    }
    .label.heading {
      font-size: var(--t-note);
      font-weight: 600;
      fill: var(--ink);
    }
    .label.large {
      font-size: 17px;
    }
    .label.word {
      font-family: var(--serif);
      fill: var(--ink);
    }
    .label.word.strong {
      font-weight: 600;
    }
    .label.code {
      font: 12px var(--mono);
      fill: var(--ink);
    }
    .label.match {
      font-size: var(--t-note);
      fill: var(--match);
    }
    .tick {
      stroke: var(--match);
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .label.symbol,
    .label.tinted {
      fill: currentColor;
    }
    :host([thumbnails]) .label.symbol {
      font-size: 13px;
      font-weight: 400;
    }

    .curve {
      stroke: currentColor;
      stroke-width: 1.75;
      stroke-linejoin: round;
    }
    .curve.dashed {
      stroke-width: 1.25;
      stroke-dasharray: 4 3;
    }
    .curve.dotted {
      stroke-width: 1.5;
      stroke-dasharray: 1.5 3;
    }
    .curve.dash-dotted {
      stroke-width: 1.25;
      stroke-dasharray: 7 3 1.5 3;
    }
    .curve.faint {
      stroke: var(--rule);
      stroke-width: 1;
    }
    .curve.bracket {
      stroke: var(--rule-2);
      stroke-width: 1;
    }
    .curve.thin {
      stroke-width: 1;
    }
    .curve.strong {
      stroke-width: 3;
    }
    .curve.area {
      stroke: none;
      fill: currentColor;
      fill-opacity: 0.09;
    }
    .dot {
      fill: currentColor;
    }
    .curve.area.strong {
      fill-opacity: 0.25;
    }
    .curve.body {
      stroke: var(--rule-2);
      stroke-width: 1;
      fill: currentColor;
      fill-opacity: 0.06;
    }
    .curve.box {
      stroke: var(--ink-3);
      stroke-width: 1;
      fill: var(--paper);
    }
    .curve.mesh {
      stroke-width: 0.9;
      stroke-opacity: 0.45;
    }
    .dot.open {
      fill: var(--paper);
      stroke: currentColor;
      stroke-width: 2;
    }
    .cover rect {
      fill: var(--surface);
      stroke: var(--ink-2);
      stroke-width: 1;
      stroke-dasharray: 3 2;
    }
    .cover text {
      fill: var(--ink);
      font-weight: 600;
    }
    .cover .beside {
      paint-order: stroke;
      stroke: var(--paper);
      stroke-width: 4;
      stroke-linejoin: round;
    }
    .round {
      fill: none;
      stroke: var(--paper);
      stroke-width: 4;
      stroke-linejoin: round;
    }
    .over .dot:not(.open) {
      stroke: var(--paper);
      stroke-width: 1;
    }
    .label.over {
      paint-order: stroke;
      stroke: var(--paper);
      stroke-width: 3;
      stroke-linejoin: round;
    }

    .names {
      position: sticky;
      left: 0;
      height: 100%;
      pointer-events: none;
    }
    .names svg {
      overflow: visible;
    }
    /* Above the cells that scroll under the names and cannot be pointed at there. */
    .box:not(.fits) .names {
      z-index: 1;
      pointer-events: auto;
      background: var(--paper);
      box-shadow: 1px 0 var(--rule);
    }

    [role="grid"] {
      outline: none;
    }
    [role="row"] {
      position: absolute;
      left: 0;
      display: grid;
      grid-auto-flow: column;
      grid-auto-columns: minmax(0, 1fr);
      width: 100%;
    }
    [role="gridcell"] {
      outline: none;
    }
    :host([pinned]) [role="gridcell"]:focus-visible {
      outline: 2px solid var(--ink);
      outline-offset: 0;
    }
    .paintable {
      touch-action: none;
      cursor:
        url('data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" fill="white" stroke="black" stroke-linejoin="round"><path d="M2.500 17.500 3.500 13.500 14 3l3 3L6.500 16.500zM12 5l3 3"/></svg>')
          2 18,
        crosshair;
    }
    .pullable,
    .paper.holds {
      cursor: ew-resize;
    }
    .thumbnail {
      padding: 0;
      border: 0;
      background: none;
      cursor: pointer;
    }
    .thumbnail:focus-visible {
      outline: 2px solid var(--ink);
      outline-offset: 2px;
    }

    .rail {
      position: absolute;
      touch-action: none;
      cursor: ew-resize;
      outline: none;
    }
    .rail.down {
      cursor: ns-resize;
    }
    .handle {
      position: absolute;
      display: flex;
      align-items: center;
      justify-content: space-evenly;
      box-sizing: border-box;
      height: 26px;
      border: 1px solid var(--ink);
      border-radius: 13px;
      background: var(--ink);
      color: var(--paper);
      font-weight: 600;
      line-height: 1;
      white-space: nowrap;
      print-color-adjust: exact;
      -webkit-print-color-adjust: exact;
    }
    .handle.pull {
      z-index: 3;
      pointer-events: none;
    }
    .pull-hint {
      position: absolute;
      z-index: 3;
      display: flex;
      align-items: center;
      justify-content: flex-end;
      gap: 6px;
      color: var(--ink-2);
      font-style: italic;
      pointer-events: none;
      white-space: nowrap;
    }
    .pull-hint:lang(zh) {
      font-style: normal;
    }
    .pull-hint svg {
      width: 20px;
      height: 16px;
    }
    .handle svg {
      width: 9px;
      height: 16px;
    }
    .handle svg,
    .pull-hint svg {
      stroke: currentColor;
      stroke-width: 1.5;
      stroke-linecap: round;
      stroke-linejoin: round;
    }
    .rail:not(.down) svg,
    .handle.pull svg {
      transform: rotate(90deg);
    }
    .rail:focus-visible .handle {
      outline: 2px solid var(--ink);
      outline-offset: 2px;
    }

    .opener {
      position: absolute;
      padding: 0;
      border: 0;
      background: none;
      cursor: pointer;
    }
    .opener.link {
      color: var(--ink-2);
      font: 12.5px/16px var(--sans);
      text-align: left;
      text-decoration: underline;
      white-space: nowrap;
    }
    .opener.underlined {
      border-bottom: 1px dotted var(--control);
    }
    .opener:hover,
    .opener:focus-visible {
      color: var(--ink);
    }
    .opener.area:hover {
      outline: 1px solid var(--control);
      outline-offset: 2px;
    }
    .opener:focus-visible {
      outline: 2px solid var(--ink);
      outline-offset: 2px;
    }

    .loupe {
      z-index: 3;
      pointer-events: none;
      border: 1px solid var(--control);
      border-radius: var(--radius-m);
      background: var(--paper);
    }
    .loupe-frame {
      position: absolute;
      z-index: 3;
      pointer-events: none;
      overflow: visible;
    }
    .editor {
      position: absolute;
      z-index: 4;
    }
    .editor input {
      box-sizing: border-box;
      width: 100%;
      margin: 0;
      padding: 0 6px;
      border: 2px solid var(--ink);
      border-radius: var(--radius-s);
      background: var(--surface);
      color: var(--ink);
      font: 14px / 1.4 var(--sans);
      font-variant-numeric: tabular-nums;
      text-align: right;
      outline: none;
      user-select: text;
      -webkit-user-select: text;
    }
    .editor [role="alert"] {
      position: absolute;
      top: 100%;
      left: 0;
      margin: 2px 0 0;
      padding: 4px 8px;
      border-left: 3px solid var(--notice);
      background: var(--notice-wash);
      font-size: var(--t-note);
      white-space: nowrap;
    }
    .editor [role="alert"]:empty {
      display: none;
    }

    .refused {
      position: absolute;
      z-index: 4;
      width: max-content;
      max-width: min(360px, 100%);
      margin: 0;
      font-size: var(--t-note);
      pointer-events: none;
    }
    .refused:not(:empty) {
      padding: 4px 8px;
      border: 1px solid var(--control);
      border-radius: var(--radius-s);
      background: var(--surface);
    }

    @media (forced-colors: active) {
      text,
      .symbol,
      .name,
      .on,
      .label,
      .label.symbol,
      .label.tinted,
      .operator text,
      .wedge,
      .dot {
        fill: CanvasText;
      }
      .bracket,
      .wire,
      .wire.lit,
      .leader,
      .operator path,
      .curve,
      .notice-bar,
      .underline {
        stroke: CanvasText;
      }
      .frame,
      .frame.ink {
        stroke: Highlight;
      }
      .halo,
      .operator text {
        stroke: Canvas;
      }
    }
    @media print {
      .box {
        overflow: visible;
      }
      .loupe,
      .loupe-frame,
      .handle.pull,
      .pull-hint,
      .editor {
        display: none;
      }
      canvas {
        print-color-adjust: exact;
        -webkit-print-color-adjust: exact;
      }
    }
  `,
];
