/**
 * The session of an element. It begins when the element comes near the window or its numbers are requested,
 * continues when the element is moved, and ends when it is removed from the page.
 */
import type { LitElement, ReactiveController } from "lit";
import type { Client, StartClient } from "../client.js";
import { withView } from "../open-lab.js";
import { Playground, type Change } from "../playground.js";
import { Readings } from "../readings.js";
import { stateOfStep } from "../story/steps.js";
import { Comparison, Gradient } from "../stage-readings.js";
import type { RequestedState } from "./requested-state.js";
import type { ShownTensors } from "./shown-tensors.js";
import type { ElementNotices } from "./notices.js";

export interface SessionHost extends LitElement {
  readonly src: string;
  readonly theme: string | null;
  readonly loading: string | null;
}

export interface SessionParts {
  readonly requested: RequestedState;
  readonly shownTensors: ShownTensors;
  readonly notices: ElementNotices;
  readonly startClient: StartClient;
  /** Called after every change of the playground. */
  readonly onChange: (playground: Playground, kind: Change) => void;
}

/** How far below the window an element starts to compute. */
const nearWindow = "600px";

export class ElementSession implements ReactiveController {
  /** Null until the element first came near the window. */
  playground: Playground | null = null;
  /** The comparison or gradient that the numbers are shown as. */
  readings: Readings | null = null;
  /** Counts the playground's changes, so that each is drawn. */
  revision = 0;
  readonly #host: SessionHost;
  readonly #parts: SessionParts;
  /** Null while the element is not in a page: a state requested then is opened when it comes back. */
  #client: Client | null = null;
  #start: () => void = () => undefined;
  readonly #started = new Promise<void>((resolve) => (this.#start = resolve));
  /** Resolves when the state requested last is opened, or cannot be. */
  #opening: Promise<unknown> = Promise.resolve();
  /** The attribute values that were applied last. */
  #applied: readonly unknown[] = [];
  readonly #nearness = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.#begin(),
    { rootMargin: nearWindow },
  );

  constructor(host: SessionHost, parts: SessionParts) {
    this.#host = host;
    this.#parts = parts;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#isEager || this.playground) this.#begin();
    else this.#nearness.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#nearness.disconnect();
    // An element that is moved within the page is disconnected and connected again at once, and keeps its
    // session.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#client?.close();
      this.#client = null;
    });
  }

  hostUpdate(): void {
    const { src, lang, isConnected } = this.#host;
    const { requested, shownTensors } = this.#parts;
    const theme = this.#theme;
    if (!this.playground && this.#isEager && isConnected) this.#begin();
    if (!this.playground || !this.#client) return;
    const [lastSrc, lastTheme, lastLang] = this.#applied;
    if (src !== lastSrc) this.reopen();
    else if (theme !== lastTheme || lang !== lastLang)
      this.playground.setView(requested.view(requested.state.config.view));
    this.#recordApplied();
    shownTensors.moveTarget(this.playground);
  }

  #recordApplied(): void {
    const { src, lang } = this.#host;
    this.#applied = [src, this.#theme, lang];
  }

  /** The attribute's theme, with "page" replaced by the theme of the page around, which may change. */
  get #theme(): string | null {
    const { theme } = this.#host;
    return theme === "page" ? this.#parts.requested.theme : theme;
  }

  /** Whether to begin before the element is near the window. */
  get #isEager(): boolean {
    return this.#host.loading === "eager";
  }

  /** Starts to compute, also when the element returns to a page. */
  #begin(): void {
    if (this.#client) return;
    this.#nearness.disconnect();
    const { requested, notices, startClient } = this.#parts;
    this.#client = startClient(
      (reason) => playground.onRestart(reason),
      (silent) => playground.onSilence(silent),
    );
    const linkState = requested.state;
    // The reader's changes are kept, unless the attributes ask for another state by now.
    const before = this.#applied[0] === this.#host.src ? this.playground?.state : undefined;
    const config = before ? withView(before, requested.view(linkState.config.view)) : linkState.config;
    notices.linkState = linkState;
    this.#recordApplied();
    const playground = new Playground(this.#client, config, (kind) => this.#onChange(kind));
    this.playground = playground;
    this.readings = new Readings(this.#client, playground, () => this.#redraw(), { Comparison, Gradient });
    this.#opening = playground.open(config);
    this.#start();
  }

  /** Opens again the state that the attributes ask for. */
  reopen(): void {
    const { requested, notices } = this.#parts;
    const linkState = requested.state;
    notices.image = "";
    notices.linkState = linkState;
    if (this.playground) this.#opening = this.playground.open(linkState.config);
  }

  /** Opens a step of the story that is shown. */
  openStep(place: number): void {
    const { playground } = this;
    const { story } = playground?.config.view ?? {};
    if (!playground || !story) return;
    const { notices } = this.#parts;
    const linkState = stateOfStep(playground.config, story, place);
    if (!linkState) return;
    notices.image = "";
    notices.linkState = linkState;
    this.#opening = playground.open(linkState.config);
  }

  #redraw(): void {
    this.revision++;
    this.#host.requestUpdate();
  }

  #onChange(kind: Change): void {
    this.#redraw();
    const { playground } = this;
    if (!playground) return;
    this.readings?.follow();
    this.#parts.shownTensors.moveTarget(playground);
    this.#parts.onChange(playground, kind);
  }

  /** Resolves when everything requested has been computed; begins the session where it has not begun. */
  async whenComputed(): Promise<Playground> {
    if (!this.playground && this.#host.isConnected) this.#begin();
    await this.#started;
    for (;;) {
      await this.#host.updateComplete;
      const opening = this.#opening;
      await opening;
      const playground = this.playground!;
      const { computing } = playground;
      await computing;
      if (playground === this.playground && opening === this.#opening && computing === playground.computing)
        return playground;
    }
  }
}
