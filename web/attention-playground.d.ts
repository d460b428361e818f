/** The custom element's declarations, as they are published: a test holds web/page/attention-playground.ts to them. */

/** Row-major numbers, and their sizes. */
export interface ElementTensor {
  shape: number[];
  data: Float64Array;
}

export interface AttentionPlaygroundEventMap {
  /** Other numbers were computed; `src` is a link to them, from its # on. */
  change: CustomEvent<{ readonly src: string }>;
  /** Another cell is explained. */
  "cell-focus": CustomEvent<{ tensor: string; index: number[]; value: number }>;
}

type EventMap = Omit<HTMLElementEventMap, keyof AttentionPlaygroundEventMap> & AttentionPlaygroundEventMap;

/** `<attention-playground>`. On a server, where there are no elements, the module can be imported and this is undefined. */
export declare class AttentionPlayground extends HTMLElement {
  /** A link, or what stands after its #. A comparison, a gradient and Play's stop are shown as the link has them. */
  src: string;
  /** none, minimal, full, or a list of settings, play, sum, formula. */
  ui: string | null;
  /** auto: the reader's; page: that of the page around; light; dark; absent: that of the link. */
  theme: string | null;
  /** Names of the tensors that are shown, joined by commas; absent: all. */
  only: string | null;
  /** The attribute `focus`: an older name of `only`. */
  focusTensors: string | null;
  /** Where the full page is; "" shows no link to it. */
  page: string | null;
  /** lazy, the default: it computes when it comes near the window; or eager. */
  loading: string | null;
  /** The text of a link to what is shown, as it is looked at, after the #. */
  get state(): string;
  /** Back to what `src` asks for: what the reader changed goes. */
  restore(): void;
  /** Copies of all tensors of what is shown, by name, once it is computed. Rejects with Error when it cannot be computed. */
  tensors(): Promise<Record<string, ElementTensor>>;

  addEventListener<K extends keyof EventMap>(
    type: K,
    listener: (this: AttentionPlayground, event: EventMap[K]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<K extends keyof EventMap>(
    type: K,
    listener: (this: AttentionPlayground, event: EventMap[K]) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions,
  ): void;
}

/** The attributes of the tag, for tools that check types in templates: attention-playground/react and attention-playground/vue use them. */
export interface AttentionPlaygroundAttributes {
  src?: string | undefined;
  ui?: string | undefined;
  theme?: string | undefined;
  lang?: string | undefined;
  only?: string | undefined;
  page?: string | undefined;
  loading?: "lazy" | "eager" | undefined;
  id?: string | undefined;
  slot?: string | undefined;
  /** Of React; of others `class`. */
  className?: string | undefined;
  class?: string | undefined;
  style?: object | string | undefined;
  key?: string | number | bigint | null | undefined;
  ref?: unknown;
  children?: unknown;
}

declare global {
  interface HTMLElementTagNameMap {
    "attention-playground": AttentionPlayground;
  }
}
