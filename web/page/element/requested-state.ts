/**
 * What the attributes of an element ask for: a state, a view of it, and which parts and tensors are shown.
 */
import { decode, decodeSent } from "../../config/codec.js";
import type { Config, ConfigNotice, View } from "../../config/config.js";
import {
  frameFields,
  partsOf,
  tensorsOf,
  type EmbedPart,
  type FrameFields,
} from "../../config/frame-fields.js";
import { exampleById } from "../../examples/index.js";
import { Memo } from "../memo.js";
import { withView } from "../open-lab.js";
import type { Theme } from "../theme.js";

/** The attributes as the element has them; null when an attribute is absent. */
export interface Attributes {
  readonly src: string | null;
  readonly ui: string | null;
  readonly theme: string | null;
  readonly lang: string | null;
  readonly only: string | null;
  /** The theme of the page around the element. */
  readonly pageTheme: Theme;
  readonly focusTensors: string | null;
}

/**
 * An attribute as text. A page may set the property to any value; one that is neither string nor number
 * becomes a text that is reported as an unknown link, language or name.
 */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" || typeof value === "number" ? String(value) : `(${typeof value})`;
}

/** The Config of a link, with the notices about it. */
export interface LinkState {
  readonly config: Config;
  readonly notices: readonly ConfigNotice[];
}

export interface Opening {
  /** The example that an empty link opens. */
  readonly first: string;
  /** The Config that is shown for the Config of a link. */
  stateOf(config: Config): Config;
}

export class RequestedState {
  readonly #attributes: Attributes;
  readonly #opening: () => Opening;
  /**
   * Decoded once for each link: a link may be long, and the fields are read with every move of the pointer.
   */
  readonly #read = new Memo<FrameFields>();
  readonly #linked = new Memo<LinkState>();
  readonly #state = new Memo<LinkState>();
  readonly #tensors = new Memo<readonly string[]>();

  constructor(attributes: Attributes, opening: () => Opening) {
    this.#attributes = attributes;
    this.#opening = opening;
  }

  /** The part of `src` after its #. `src` may be the address of a frame. */
  get #srcHash(): string {
    const src = asText(this.#attributes.src) ?? "";
    return src.slice(src.indexOf("#") + 1);
  }

  get #fields(): FrameFields {
    const hash = this.#srcHash;
    return this.#read.of([hash], () => frameFields(hash));
  }

  /** The state with the notices about its link: the same objects as long as the attributes are the same. */
  get state(): LinkState {
    const { link } = this.#fields;
    const hash = this.#srcHash;
    const linked = this.#linked.of([link, hash], () => {
      const { first, stateOf } = this.#opening();
      const { config, notices } =
        link === ""
          ? { config: exampleById(first)?.config ?? decode("").config, notices: [] }
          : decodeSent(link, hash);
      return { config: stateOf(config), notices };
    });
    const { config } = linked;
    const { theme, lang } = this.view(config.view);
    return this.#state.of([linked, theme, lang], () => ({
      ...linked,
      config: withView(config, { theme, lang }),
    }));
  }

  /** The theme that the attribute asks for; null for that of the link or, with auto, the reader's. */
  get theme(): Theme | null {
    const theme = asText(this.#attributes.theme);
    if (theme === "page") return this.#attributes.pageTheme;
    return theme === "light" || theme === "dark" ? theme : null;
  }

  /** Theme and language: those of the attributes, else those of the link. */
  view(linked: View): Pick<View, "theme" | "lang"> {
    const [theme, lang] = [asText(this.#attributes.theme), asText(this.#attributes.lang)];
    const language = /^zh\b/i.test(lang ?? "") ? "zh-CN" : /^en\b/i.test(lang ?? "") ? "en" : null;
    return { theme: theme === "auto" ? null : (this.theme ?? linked.theme), lang: language ?? linked.lang };
  }

  get parts(): ReadonlySet<EmbedPart> {
    return partsOf(asText(this.#attributes.ui) ?? this.#fields.ui);
  }

  /** The tensors that are shown alone; empty when all are shown. */
  get focus(): readonly string[] {
    const focus =
      asText(this.#attributes.only) ?? asText(this.#attributes.focusTensors) ?? this.#fields.focus;
    return this.#tensors.of([focus], () => tensorsOf(focus));
  }
}
