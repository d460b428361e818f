/** The tensors that an element shows alone: which of those asked for there are, what is to say of the others, and where one begins. */
import type { ConfigNotice } from "../../config/config.js";
import { expecting } from "../../config/expected.js";
import type { Words } from "../../i18n/words.js";
import type { Cell } from "../../marks/board.js";
import { firstCell } from "../cells.js";
import { framedTensors } from "../frame.js";
import { Kept } from "../kept.js";
import type { Playground } from "../playground.js";
import type { Asked } from "./asked.js";

export class ElementFocus {
  readonly #asked: Asked;
  readonly #words: () => Words;
  readonly #drawn = new Kept<readonly string[]>();
  readonly #all = new Kept<readonly string[]>();
  /** What was opened, and with which tensors alone, when the first cell was chosen among them. */
  #aimed = "";
  /** The cell that was so chosen; null where the one explained first needed no choice. */
  begun: Cell | null = null;

  constructor(asked: Asked, words: () => Words) {
    this.#asked = asked;
    this.#words = words;
  }

  /** Those of the tensors asked for that are drawn. */
  #drawnBy({ drawn, snapshots }: Playground): readonly string[] {
    const { focus } = this.#asked;
    return this.#drawn.of([drawn?.numbers, snapshots, focus], () => {
      const found = drawn ? framedTensors(drawn, snapshots, this.#words(), focus) : [];
      return focus.filter((name) => found.includes(name));
    });
  }

  /** Of tensors shown alone, one has the cell that is explained first; the note may lead to others. */
  aim(playground: Playground): void {
    const { focus } = this.#asked;
    const asked = `${playground.openings} ${focus.join()}`;
    const { shown, config } = playground;
    if (asked === this.#aimed || shown?.numbers !== config.numbers) return;
    this.begun = null;
    const { cell, snapshots } = playground;
    const first = snapshots.get(this.#drawnBy(playground)[0] ?? "");
    if (!first || !cell) return;
    this.#aimed = asked;
    if (focus.includes(cell.node)) return;
    this.begun = firstCell(first);
    playground.target(this.begun);
  }

  /** What is to say of tensors that were to be shown alone and are not drawn. */
  lost(playground: Playground): ConfigNotice[] {
    const { focus } = this.#asked;
    const { drawn, snapshots } = playground;
    if (!focus.length || !drawn) return [];
    const shown = this.#drawnBy(playground);
    const lost = focus.filter((name) => !shown.includes(name));
    if (!lost.length) return [];
    const used = shown.join();
    const all = this.#all.of([drawn.numbers, snapshots], () =>
      framedTensors(drawn, snapshots, this.#words()),
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
