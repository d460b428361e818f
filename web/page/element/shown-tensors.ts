/**
 * The tensors that an element shows alone: which of the requested ones are drawn, the notice about the
 * others, and the cell to begin with.
 */
import type { ConfigNotice } from "../../config/config.js";
import { expecting } from "../../config/expected.js";
import type { Words } from "../../i18n/words.js";
import type { Cell } from "../../marks/board.js";
import { firstCell } from "../cells.js";
import { framedTensors } from "../frame.js";
import { Memo } from "../memo.js";
import type { Playground } from "../playground.js";
import type { RequestedState } from "./requested-state.js";

export class ShownTensors {
  readonly #requested: RequestedState;
  readonly #words: () => Words;
  readonly #drawn = new Memo<readonly string[]>();
  readonly #all = new Memo<readonly string[]>();
  /** The opened state and the requested tensors for which the first cell was last chosen. */
  #movedFor = "";
  /** The cell that was chosen; null when the state's own cell needed no replacement. */
  firstCell: Cell | null = null;

  constructor(requested: RequestedState, words: () => Words) {
    this.#requested = requested;
    this.#words = words;
  }

  /** The requested tensors that are drawn. */
  #drawnBy({ drawnConfig, snapshots }: Playground): readonly string[] {
    const { focus } = this.#requested;
    return this.#drawn.of([drawnConfig?.numbers, snapshots, focus], () => {
      const found = drawnConfig ? framedTensors(drawnConfig, snapshots, this.#words(), focus) : [];
      return focus.filter((name) => found.includes(name));
    });
  }

  /**
   * Moves the target into the tensors that are shown alone, once for each state; links of the note may lead
   * to other tensors afterwards.
   */
  moveTarget(playground: Playground): void {
    const { focus } = this.#requested;
    const state = `${playground.openingCount} ${focus.join()}`;
    const { computedConfig, config } = playground;
    if (state === this.#movedFor || computedConfig?.numbers !== config.numbers) return;
    this.firstCell = null;
    const { cell, snapshots } = playground;
    const first = snapshots.get(this.#drawnBy(playground)[0] ?? "");
    if (!first || !cell) return;
    this.#movedFor = state;
    if (focus.includes(cell.node)) return;
    this.firstCell = firstCell(first);
    playground.target(this.firstCell);
  }

  /** The notice about requested tensors that are not drawn. */
  notices(playground: Playground): ConfigNotice[] {
    const { focus } = this.#requested;
    const { drawnConfig, snapshots } = playground;
    if (!focus.length || !drawnConfig) return [];
    const shown = this.#drawnBy(playground);
    const lost = focus.filter((name) => !shown.includes(name));
    if (!lost.length) return [];
    const used = shown.join();
    const all = this.#all.of([drawnConfig.numbers, snapshots], () =>
      framedTensors(drawnConfig, snapshots, this.#words()),
    );
    return [
      {
        kind: "field",
        field: "focus",
        given: focus.join(),
        expected: expecting("choice", { options: all.join(", ") }),
        ...(used && { actual: lost.join(", "), used }),
      },
    ];
  }
}
