/** ap-figure: a scene that is looked at: the layers of a stage, without its grids, note and Play. */
import { LitElement, css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { StageCanvases } from "../../elements/stage/canvases.js";
import {
  bracketsAndNames,
  canvases,
  framesOver,
  nameColumn,
  score,
  type StageView,
} from "../../elements/stage/layers.js";
import { stageLook } from "../../elements/stage/look.js";
import { styleMap } from "../../elements/style-map.js";
import type { Words } from "../../i18n/words.js";
import { boardsOf } from "../../marks/board.js";
import { formatsOf, type CellFormats } from "../../marks/board-drawing.js";
import { readPalette, type Palette } from "../../marks/colour.js";
import type { Lighting } from "../../marks/lighting.js";
import type { Scene, Snapshots } from "../../marks/scene.js";

const noFormats: CellFormats = new Map();

export class ApFigure extends LitElement {
  static override properties = {
    scene: { attribute: false },
    snapshots: { attribute: false },
    domains: { attribute: false },
    lighting: { attribute: false },
    words: { attribute: false },
    theme: { attribute: false },
    numbers: { type: Boolean },
  };
  declare scene: Scene;
  declare snapshots: Snapshots;
  /** The largest magnitude of each family of tensors. */
  declare domains: ReadonlyMap<string, number>;
  declare lighting: Lighting;
  declare words: Words;
  declare theme: "light" | "dark";
  /** Whether the cells show their numbers where they fit. */
  declare numbers: boolean;

  static override styles = [
    stageLook,
    css`
      .names {
        position: absolute;
        top: 0;
      }
    `,
  ];

  readonly #canvases = new StageCanvases();
  #palette: Palette | null = null;

  #view(palette: Palette): StageView {
    const { scene, snapshots, lighting, words, domains } = this;
    return {
      scene,
      snapshots,
      boards: boardsOf(scene, snapshots),
      lighting,
      palette,
      words,
      nodeWords: null,
      domains,
      lit: [],
      cell: null,
      operand: null,
      origin: null,
      covered: null,
      pinned: false,
      isMoving: false,
      thumbnails: false,
      shown: () => Infinity,
      place: () => [0, 0],
      point: () => undefined,
      take: null,
    };
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("theme") && this.#palette) return;
    const style = getComputedStyle(this);
    this.#palette = readPalette((name) => style.getPropertyValue(name));
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.scene || !this.words || !this.#palette) return nothing;
    const view = this.#view(this.#palette);
    const { width, height } = this.scene;
    // The rows of a figure have no guides: their words stand at one place only.
    return html`<div class="paper" style=${styleMap({ width: `${width}px`, height: `${height}px` })}>
      ${score({ ...view, boards: [] })} ${nameColumn(view)} ${canvases(view)} ${bracketsAndNames(view)}
      ${framesOver(view)}
    </div>`;
  }

  protected override updated(): void {
    const palette = this.#palette;
    if (!this.scene || !palette) return;
    const boards = boardsOf(this.scene, this.snapshots);
    const picture = {
      domains: this.domains,
      formats: this.numbers ? formatsOf(boards) : noFormats,
      scales: "shared",
      palette,
      ratio: Math.max(1, window.devicePixelRatio),
      shown: () => Infinity,
    } as const;
    for (const canvas of this.renderRoot.querySelectorAll<HTMLCanvasElement>("canvas[data-tensor]")) {
      const board = boards.find(({ id }) => id === canvas.dataset.tensor);
      if (board) this.#canvases.matrix(canvas, board, picture);
    }
  }
}
customElements.define("ap-figure", ApFigure);
