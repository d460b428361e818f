/** The icons: line drawings on a 20 by 20 grid, stroke 1.5, in the colour of the text beside them. DESIGN.md, section 10. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";

const drawings = {
  play: svg`<path d="M6.5 4.5v11L15.5 10z" />`,
  pause: svg`<path d="M7 4.5v11m6-11v11" />`,
  step: svg`<path d="M4.5 4.5v11L12 10zM15.5 4.5v11" />`,
  back: svg`<path d="M15.5 4.5v11L8 10zM4.5 4.5v11" />`,
  restart: svg`<path d="M15.5 4.5v11L8 10zM4.5 4.5v11" />`,
  share: svg`<path d="M10 12.6V3.4M6.7 6.6 10 3.3l3.3 3.3M5.4 9.4H4v7.1h12V9.4h-1.4" />`,
  sun: svg`<circle cx="10" cy="10" r="3.3" /><path d="M10 2.7v1.5m0 11.6v1.5M2.7 10h1.5m11.6 0h1.5M4.9 4.9l1 1m8.2 8.2 1 1M4.9 15.1l1-1m8.2-8.2 1-1" />`,
  moon: svg`<path d="M15.9 11.7A6.5 6.5 0 0 1 8.3 4.1a6.5 6.5 0 1 0 7.6 7.6z" />`,
  close: svg`<path d="m5 5 10 10m0-10L5 15" />`,
  down: svg`<path d="m5.5 8 4.5 4.5L14.5 8" />`,
  up: svg`<path d="M10 16V4.5M5.5 9 10 4.5 14.5 9" />`,
  left: svg`<path d="M12 5.5 7.5 10l4.5 4.5" />`,
  right: svg`<path d="M8 5.5l4.5 4.5L8 14.5" />`,
  check: svg`<path d="m4.5 10.5 3.6 3.6L15.5 6" />`,
  copy: svg`<rect x="7" y="7" width="9" height="9.5" rx="1.5" /><path d="M13 7V4.5A1.5 1.5 0 0 0 11.5 3h-6A1.5 1.5 0 0 0 4 4.5v7A1.5 1.5 0 0 0 5.5 13H7" />`,
  pin: svg`<path d="M7 3.5h6M8 3.5v4.6L5.7 11.5h8.6L12 8.1V3.5M10 11.5v5" />`,
  link: svg`<path d="m8.300 11.700 3.400-3.400M9 6.300l2-2a3.300 3.300 0 0 1 4.700 4.700l-2 2M11 13.700l-2 2A3.300 3.300 0 0 1 4.300 11l2-2" />`,
  open: svg`<path d="M8 4.5H4.5v11h11V12M11.5 4H16v4.5M15.8 4.2 9 11" />`,
  image: svg`<rect x="3" y="4" width="14" height="12" rx="1.5" /><path d="m3.5 14.2 4-4.2 3 3 2.5-2.5 3.5 3.6" /><circle cx="12.7" cy="7.6" r="1.1" />`,
  save: svg`<path d="M10 3.400v8.800M6.700 9.100l3.300 3.200 3.300-3.200M4 13.500v3h12v-3" />`,
  less: svg`<path d="M5 10h10" />`,
  more: svg`<path d="M5 10h10M10 5v10" />`,
  edit: svg`<path d="M4 16l.8-3.4L13.3 4l2.700 2.700-8.600 8.500zM11.400 6l2.700 2.700" />`,
  take: svg`<path d="M10 3.4v9.2M6.7 9.4 10 12.7l3.3-3.3M4 13v3.5h12V13" />`,
  undo: svg`<path d="M4.5 8h7.2a3.8 3.8 0 0 1 0 7.6H8.5M7.5 5 4.5 8l3 3" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof drawings;

/** An icon beside a word, or inside a control that has an accessible name. */
export function icon(name: IconName, size = 20): TemplateResult {
  return html`<svg
    class="icon"
    width=${size}
    height=${size}
    viewBox="0 0 20 20"
    aria-hidden="true"
    focusable="false"
  >
    ${drawings[name]}
  </svg>`;
}
