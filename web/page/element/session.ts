/** What an element computes: begun when it comes near the window or is asked, going on when it is moved, ended when it is taken out of the page. */
import type { LitElement, ReactiveController } from "lit";
import type { Client, StartClient } from "../client.js";
import { withView } from "../open-lab.js";
import { Playground, type Change } from "../playground.js";
import { Readings } from "../readings.js";
import { stepOf } from "../story/steps.js";
import { Comparison, Gradient } from "../stage-readings.js";
import type { Asked } from "./asked.js";
import type { ElementFocus } from "./focus.js";
import type { ElementNotices } from "./notices.js";

export interface SessionHost extends LitElement {
  readonly src: string;
  readonly theme: string | null;
  readonly loading: string | null;
}

export interface SessionParts {
  readonly asked: Asked;
  readonly focus: ElementFocus;
  readonly notices: ElementNotices;
  readonly startClient: StartClient;
  /** The playground changed. */
  readonly changed: (playground: Playground, kind: Change) => void;
}

/** How far below the window an element starts to compute. */
const near = "600px";

export class ElementSession implements ReactiveController {
  /** Null before the element was near. */
  playground: Playground | null = null;
  /** What its numbers are read as. */
  readings: Readings | null = null;
  /** Counts the playground's changes, so that each is drawn. */
  revision = 0;
  readonly #host: SessionHost;
  readonly #parts: SessionParts;
  /** Null out of the page: what is asked for there is opened when the element comes back. */
  #client: Client | null = null;
  #start: () => void = () => undefined;
  readonly #started = new Promise<void>((resolve) => (this.#start = resolve));
  /** What was asked for last is opened, or not to be had. */
  #opening: Promise<unknown> = Promise.resolve();
  /** The attributes that were obeyed last. */
  #obeyed: readonly unknown[] = [];
  readonly #nearness = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.#begin(),
    { rootMargin: near },
  );

  constructor(host: SessionHost, parts: SessionParts) {
    this.#host = host;
    this.#parts = parts;
    host.addController(this);
  }

  hostConnected(): void {
    if (this.#atOnce || this.playground) this.#begin();
    else this.#nearness.observe(this.#host);
  }

  hostDisconnected(): void {
    this.#nearness.disconnect();
    // One that is only moved goes on.
    queueMicrotask(() => {
      if (this.#host.isConnected) return;
      this.#client?.close();
      this.#client = null;
    });
  }

  hostUpdate(): void {
    const { src, lang, isConnected } = this.#host;
    const { asked, focus } = this.#parts;
    const theme = this.#theme;
    if (!this.playground && this.#atOnce && isConnected) this.#begin();
    if (!this.playground || !this.#client) return;
    const [lastSrc, lastTheme, lastLang] = this.#obeyed;
    if (src !== lastSrc) this.reopen();
    else if (theme !== lastTheme || lang !== lastLang)
      this.playground.setView(asked.view(asked.state.config.view));
    this.#obey();
    focus.aim(this.playground);
  }

  #obey(): void {
    const { src, lang } = this.#host;
    this.#obeyed = [src, this.#theme, lang];
  }

  /** What the attribute asks for now: that of the page around may change. */
  get #theme(): string | null {
    const { theme } = this.#host;
    return theme === "page" ? this.#parts.asked.theme : theme;
  }

  /** Not only when it is near. */
  get #atOnce(): boolean {
    return this.#host.loading === "eager";
  }

  /** Starts to compute, or again after the element was taken out of the page. */
  #begin(): void {
    if (this.#client) return;
    this.#nearness.disconnect();
    const { asked, notices, startClient } = this.#parts;
    this.#client = startClient(
      (reason) => playground.restarted(reason),
      (silent) => playground.silent(silent),
    );
    const sent = asked.state;
    // What the reader made of it stays, unless something else is asked for meanwhile.
    const before = this.#obeyed[0] === this.#host.src ? this.playground?.state : undefined;
    const config = before ? withView(before, asked.view(sent.config.view)) : sent.config;
    notices.sent = sent;
    this.#obey();
    const playground = new Playground(this.#client, config, (kind) => this.#changed(kind));
    this.playground = playground;
    this.readings = new Readings(this.#client, playground, () => this.#redraw(), { Comparison, Gradient });
    this.#opening = playground.open(config);
    this.#start();
  }

  /** Back to what the attributes ask for. */
  reopen(): void {
    const { asked, notices } = this.#parts;
    const sent = asked.state;
    notices.image = "";
    notices.sent = sent;
    if (this.playground) this.#opening = this.playground.open(sent.config);
  }

  /** Opens a step of the story that is told. */
  openStep(place: number): void {
    const { playground } = this;
    const { story } = playground?.config.view ?? {};
    if (!playground || !story) return;
    const { notices } = this.#parts;
    const sent = stepOf(playground.config, story, place);
    if (!sent) return;
    notices.image = "";
    notices.sent = sent;
    this.#opening = playground.open(sent.config);
  }

  #redraw(): void {
    this.revision++;
    this.#host.requestUpdate();
  }

  #changed(kind: Change): void {
    this.#redraw();
    const { playground } = this;
    if (!playground) return;
    this.readings?.follow();
    this.#parts.focus.aim(playground);
    this.#parts.changed(playground, kind);
  }

  /** Resolves when nothing that was asked for is computed any more; asking begins it. */
  async settled(): Promise<Playground> {
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
