/** Moving along in a lab: by Play, step by step, or to a place on the track; through the story that is told, else through its stops or, where it learns, its steps. */
import { html, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import type { Config } from "../../config/config.js";
import "../../elements/transport.js";
import type { Words } from "../../i18n/words.js";
import { Clock } from "../clock.js";
import type { LabNote } from "./note.js";
import type { LabWording } from "./wording.js";
import type { LineText } from "../lesson-desk.js";
import { Player } from "../player.js";
import type { Playground } from "../playground.js";
import { StoryWalk, type Told } from "../story/walk.js";
import { failed } from "../trouble.js";
import type { Witness } from "../witness.js";
import { tell } from "./events.js";

export interface TransportHost extends LitElement {
  readonly playground: Playground;
  readonly words: Words;
  readonly framed: boolean;
  /** Its story is being made: it is not told meanwhile. */
  readonly making: boolean;
  /** Said in the bar of Play, instead of the stop's sentence. */
  readonly line: LineText | null;
  readonly wording: LabWording;
  readonly note: LabNote;
  readonly witness: Witness;
  /** Another stop is gone to. */
  stopAsked(): void;
}

export class LabTransport implements ReactiveController {
  /** The key pressed last was Tab, which changes no stop. */
  #tabs = false;
  readonly #host: TransportHost;
  readonly #player: Player;
  /** Play of a lab that learns. */
  readonly #clock: Clock;
  readonly #walk: StoryWalk;

  constructor(host: TransportHost) {
    this.#host = host;
    host.addController(this);
    const changed = (): void => host.requestUpdate();
    this.#player = new Player(
      () => host.playground,
      () => host.wording.steps,
      changed,
      () => host.stopAsked(),
    );
    this.#clock = new Clock({
      time: () => host.wording.time,
      opening: () => host.playground.openings,
      settled: () => {
        const { shown, config } = host.playground;
        return shown?.numbers === config.numbers;
      },
      set: (control, value) => host.playground.change(control, value, host.words),
      changed,
    });
    this.#walk = new StoryWalk({
      told: () => this.story,
      go: (place) => tell(host, "story-go", { place }),
      settled: () => {
        const { trouble, missed, busy } = host.playground;
        // Until the answer has come the trouble is that of the step before.
        if (busy) return false;
        return failed(trouble) || missed ? null : true;
      },
      changed,
    });
  }

  /** The story that is told. */
  get story(): Told | null {
    const { making, playground } = this.#host;
    const { opening, config } = playground;
    const { story: steps, reached: at = 0 } = (opening ?? config).view;
    return steps && !making ? { steps, at } : null;
  }

  hostConnected(): void {
    addEventListener("pointerdown", this.#interrupt, { capture: true });
    addEventListener("keydown", this.#key, { capture: true });
  }

  hostDisconnected(): void {
    this.stop();
    removeEventListener("pointerdown", this.#interrupt, { capture: true });
    removeEventListener("keydown", this.#key, { capture: true });
  }

  /** The stop the reader is at. */
  get current(): number {
    return this.#player.current;
  }

  get #playing(): boolean {
    return this.#player.playing || this.#clock.playing || this.#walk.playing;
  }

  readonly #key = ({ key }: KeyboardEvent): void => {
    this.#tabs = key === "Tab";
  };

  readonly #interrupt = (event: Event): void => {
    this.#tabs = false;
    if (!this.#playing) return;
    const bar = this.#host.renderRoot.querySelector("ap-transport");
    if (!bar || !event.composedPath().includes(bar)) this.pause();
  };

  pause(): void {
    this.yieldTarget();
    this.#clock.pause();
    this.#walk.pause();
  }

  /** The reader moves the target: a walk through stops, which moves it too, ends where it is. */
  yieldTarget(): void {
    if (this.#player.playing) this.#player.pause();
  }

  /** The reader goes to a cell of this node, wherever Play has come. */
  reach(node: string): void {
    if (this.#tabs) this.#player.keep(node);
    else this.#player.reach(node);
  }

  /** Ends Play: everything is drawn. */
  stop(): void {
    this.#player.stop();
    this.#clock.pause();
    this.#walk.pause();
  }

  toggle(): void {
    if (this.#playing) this.pause();
    else void this.#play();
  }

  /** Plays the steps of learning, or the stops from where the reader is. */
  async #play(): Promise<void> {
    if (await this.run()) this.#host.witness.did({ kind: "play-end" });
  }

  /** The same, not asked for by the reader. */
  run(): Promise<boolean> {
    if (this.story) return this.#walk.play();
    return this.#host.wording.time ? this.#clock.play() : this.#player.play();
  }

  async step(): Promise<void> {
    const { story } = this;
    const { time } = this.#host.wording;
    if (story) this.goInStory((story.at + 1) % story.steps.length);
    else if (time) this.#moveTo(Math.min(time.last, time.at + 1));
    else if (await this.#player.step()) this.#came();
  }

  back(): void {
    const { story } = this;
    const { time } = this.#host.wording;
    if (story) this.goInStory(Math.max(0, story.at - 1));
    else if (time) this.#moveTo(Math.max(0, time.at - 1));
    else {
      this.#player.back();
      this.#came();
    }
  }

  /** The reader moves to another step of what is learned. */
  #moveTo(at: number): void {
    this.pause();
    const { wording, witness, playground, note } = this.#host;
    const { time } = wording;
    if (!time) return;
    // The target stays the same, and another step made its number.
    note.moved = true;
    const was: Config = playground.config;
    this.#clock.go(at);
    witness.did({ kind: "change", control: time.control, value: String(at) }, was);
  }

  /** The reader goes to a step of the story. */
  goInStory(place: number): void {
    this.pause();
    tell(this.#host, "story-go", { place });
  }

  #go(step: number): void {
    if (this.story) return this.goInStory(step);
    this.#player.go(step);
    this.#came();
  }

  /** The reader came to a stop. */
  #came(): void {
    const { wording, witness } = this.#host;
    const { steps } = wording;
    const at = this.current;
    const step = steps[at];
    if (step) witness.did({ kind: "stop", id: step.id });
    if (at === steps.length - 1) witness.did({ kind: "play-end" });
  }

  template(): TemplateResult {
    const { words, wording, framed, line, playground } = this.#host;
    const { story } = this;
    // What a step says stands above the lab.
    const told = story?.steps.map((_step, place, { length: count }) => ({
      title: String(place + 1),
      sentence: "",
      name: words("story.step_of", { number: place + 1, count }),
    }));
    return html`<ap-transport
      ?inert=${playground.leaving}
      .words=${words}
      .steps=${told ?? wording.steps}
      .current=${story?.at ?? this.current}
      .playing=${this.#playing}
      .compact=${framed}
      .line=${line}
      .time=${story ? null : wording.time}
      @play=${() => void this.#play()}
      @pause=${() => this.pause()}
      @step=${() => void this.step()}
      @back=${() => this.back()}
      @go=${(event: CustomEvent<{ step: number }>) => this.#go(event.detail.step)}
      @time=${(event: CustomEvent<{ at: number }>) => this.#moveTo(event.detail.at)}
    ></ap-transport>`;
  }
}
