/** The notices above an element's lab: about the link, the attributes, the numbers, an image. */
import type { Words } from "../../i18n/words.js";
import { UnknownViewFields } from "../unknown-view-fields.js";
import { noticeWords } from "../notice-words.js";
import { imageNotices, troubleNotices, type Notice } from "../notices.js";
import type { Playground } from "../playground.js";
import type { SentState } from "./requested-state.js";
import type { ShownTensors } from "./shown-tensors.js";

export class ElementNotices {
  readonly #shownTensors: ShownTensors;
  readonly #changed: () => void;
  readonly #lost = new UnknownViewFields();
  /** The state that was opened last. */
  #sent: SentState | null = null;
  /** Why an image could not be used. */
  #image = "";

  constructor(focus: ShownTensors, changed: () => void) {
    this.#shownTensors = focus;
    this.#changed = changed;
  }

  set sent(sent: SentState) {
    this.#sent = sent;
    this.#changed();
  }

  set image(trouble: string) {
    this.#image = trouble;
    this.#changed();
  }

  of(playground: Playground, words: Words): Notice[] {
    const { config = null, notices = [] } = this.#sent ?? {};
    const looks = this.#lost.notices(config, playground, words, this.#shownTensors.firstCell);
    const linked = [...notices, ...looks, ...this.#shownTensors.notices(playground)].map((notice) =>
      noticeWords(notice, words),
    );
    return [
      ...linked.map(({ title, body }) => ({ heading: title, body, actions: [] })),
      ...troubleNotices(playground, words),
      ...imageNotices(this.#image, () => (this.image = ""), words),
    ];
  }
}
