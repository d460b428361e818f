/** The tensors that an element shows alone: which of those asked for there are, what is to say of the others, and where one begins. */
import type { ConfigNotice } from "../../config/config.js";
import { expecting } from "../../config/expected.js";
import type { Words } from "../../i18n/words.js";
import { framedTensors } from "../frame.js";
import { Kept } from "../kept.js";
import type { Playground } from "../playground.js";
import type { Asked } from "./asked.js";

export class ElementFocus {
  readonly #asked: Asked;
  readonly #words: () => Words;
  readonly #drawn = new Kept<readonly string[]>();
  /** What was opened, and with which tensors alone, when the first cell was chosen among them. */
  #aimed = "";

  constructor(asked: Asked, words: () => Words) {
    this.#asked = asked;
    this.#words = words;
  }

  /** The tensors that may be shown alone. */
  #drawnBy({ drawn, snapshots }: Playground): readonly string[] {
    const words = this.#words();
    return this.#drawn.of([drawn?.numbers, snapshots, words.language], () =>
      drawn ? framedTensors(drawn, snapshots, words) : [],
    );
  }

  /** Of tensors shown alone, one has the cell that is explained first; the note may lead to others. */
  aim(playground: Playground): void {
    const { focus } = this.#asked;
    const asked = `${playground.openings} ${focus.join()}`;
    const { shown, config } = playground;
    if (asked === this.#aimed || shown?.numbers !== config.numbers) return;
    const { cell, snapshots } = playground;
    const first = snapshots.get(focus.find((name) => this.#drawnBy(playground).includes(name)) ?? "");
    if (!first || !cell) return;
    this.#aimed = asked;
    if (!focus.includes(cell.node)) playground.target({ node: first.name, index: first.shape.map(() => 0) });
  }

  /** What is to say of tensors that were to be shown alone and are not drawn. */
  lost(playground: Playground): ConfigNotice[] {
    const { focus } = this.#asked;
    if (!focus.length || !playground.drawn) return [];
    const drawn = this.#drawnBy(playground);
    const lost = focus.filter((name) => !drawn.includes(name));
    if (!lost.length) return [];
    const used = focus.filter((name) => drawn.includes(name)).join();
    return [
      {
        kind: "field",
        field: "focus",
        given: focus.join(),
        expected: expecting("choice", { options: drawn.join(", ") }),
        ...(used && { actual: lost.join(", "), used }),
      },
    ];
  }
}
