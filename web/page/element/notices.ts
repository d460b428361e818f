/** The notices above an element's lab: about the link, the attributes, the numbers, an image. */
import type { Words } from "../../i18n/words.js";
import { UnknownViewFields } from "../unknown-view-fields.js";
import { noticeWords } from "../notice-words.js";
import { imageNotices, troubleNotices, type Notice } from "../notices.js";
import type { Playground } from "../playground.js";
import type { LinkState } from "./requested-state.js";
import type { ShownTensors } from "./shown-tensors.js";

export class ElementNotices {
  readonly #shownTensors: ShownTensors;
  readonly #onChange: () => void;
  readonly #unknownFields = new UnknownViewFields();
  /** The state that was opened last. */
  #linkState: LinkState | null = null;
  /** Why an image could not be used. */
  #image = "";

  constructor(focus: ShownTensors, onChange: () => void) {
    this.#shownTensors = focus;
    this.#onChange = onChange;
  }

  set linkState(linkState: LinkState) {
    this.#linkState = linkState;
    this.#onChange();
  }

  set image(trouble: string) {
    this.#image = trouble;
    this.#onChange();
  }

  of(playground: Playground, words: Words): Notice[] {
    const { config = null, notices = [] } = this.#linkState ?? {};
    const looks = this.#unknownFields.notices(config, playground, words, this.#shownTensors.firstCell);
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
