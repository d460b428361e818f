/**
 * Moves through a lab by Play, step by step, or to a place on the track: through the story that is shown,
 * else through the steps of learning or the stops.
 */
import { html, type LitElement, type ReactiveController, type TemplateResult } from "lit";
import type { Config } from "../../config/config.js";
import "../../elements/transport.js";
import type { Words } from "../../i18n/words.js";
import { Clock } from "../clock.js";
import { sameCell } from "../../marks/board.js";
import type { Remark } from "../../marks/wording.js";
import type { LabNote } from "./note.js";
import type { LabWording } from "./wording.js";
import type { LineText } from "../lesson-desk.js";
import { Player } from "../player.js";
import type { Playground } from "../playground.js";
import { StoryWalk, type StoryPosition } from "../story/walk.js";
import { hasFailed } from "../trouble.js";
import type { ActReporter } from "../act-reporter.js";
import { dispatch } from "./events.js";
import { Pace } from "./pace.js";
import type { LabFlights } from "./flights.js";

export interface TransportHost extends LitElement {
  readonly playground: Playground;
  readonly words: Words;
  readonly framed: boolean;
  /** Whether the reader is editing the story, which is not shown meanwhile. */
  readonly making: boolean;
  /** A line that the transport bar shows instead of the stop's sentence. */
  readonly line: LineText | null;
  readonly wording: LabWording;
  readonly note: LabNote;
  readonly flights: LabFlights;
  readonly actReporter: ActReporter;
  /** What Play came to, with what can be done then; null while it has come to nothing, and where it is shown elsewhere. */
  readonly result: Remark | null;
  take(action: Remark["actions"][number]): void;
  /** Another stop was chosen. */
  onStopChange(): void;
}

/** What the stage shows: how far Play has come, and the target. */
type Shown = Pick<Playground, "progress" | "cell">;

/** The stop that the lesson led to, the value of `playground.openingCount`, and what the stage showed from then on and before. */
interface Followed {
  stop: string;
  openingCount: number;
  now: Shown;
  before: Shown;
}

export class LabTransport implements ReactiveController {
  /** Whether the last key was Tab, which changes no stop. */
  #lastKeyIsTab = false;
  readonly #host: TransportHost;
  readonly #player: Player;
  /** Play of a lab that learns. */
  readonly #clock: Clock;
  readonly #walk: StoryWalk;
  readonly #pace = new Pace();
  /** Called when the run that Play has begun stands still, with whether it has come to its end. */
  #endTraining: ((hasEnded: boolean) => void) | null = null;
  /** Whether a run was paused because its tab was hidden, and the reader has not moved on since. */
  #wasHidden = false;
  /** The most steps of a run per second; null: as many as can be made. */
  #rate: number | null = null;
  /** Null while the lesson leads to no stop. */
  #followed: Followed | null = null;

  constructor(host: TransportHost) {
    this.#host = host;
    host.addController(this);
    const changed = (): void => host.requestUpdate();
    this.#player = new Player(
      () => host.playground,
      () => host.wording.steps,
      changed,
      () => host.onStopChange(),
      host.flights,
    );
    this.#clock = new Clock({
      time: () => host.wording.time,
      opening: () => host.playground.openingCount,
      isDrawn: () => {
        const { computedConfig, config } = host.playground;
        return computedConfig?.numbers === config.numbers;
      },
      set: (control, value) => host.playground.change(control, value, host.words),
      changed,
    });
    this.#walk = new StoryWalk({
      story: () => this.story,
      go: (place) => dispatch(host, "story-go", { place }),
      isDrawn: () => {
        const { trouble, unavailableConfig, isBusy } = host.playground;
        // Until the answer has come, the trouble is that of the step before.
        if (isBusy) return false;
        return hasFailed(trouble) || unavailableConfig ? null : true;
      },
      changed,
    });
  }

  /** The story that is shown, or null. */
  get story(): StoryPosition | null {
    const { making, playground } = this.#host;
    const { pendingConfig, config } = playground;
    const { story: steps, reached: at = 0 } = (pendingConfig ?? config).view;
    return steps && !making ? { steps, at } : null;
  }

  hostConnected(): void {
    document.addEventListener("visibilitychange", this.#pauseHidden);
    addEventListener("pointerdown", this.#pressed, { capture: true });
    addEventListener("keydown", this.#key, { capture: true });
  }

  hostDisconnected(): void {
    this.stop();
    document.removeEventListener("visibilitychange", this.#pauseHidden);
    removeEventListener("pointerdown", this.#pressed, { capture: true });
    removeEventListener("keydown", this.#key, { capture: true });
  }

  /** The index of the stop that the reader is at. */
  get current(): number {
    return this.#player.current;
  }

  /** Whether a run trains as fast as it can. */
  get #isTraining(): boolean {
    return this.#isLive && this.#host.playground.isUnfinished;
  }

  get #isLive(): boolean {
    return this.#host.wording.time?.isLive === true;
  }

  /** Whether a run trains, as fast as it can or at the rate that the reader chose. */
  get #isRunning(): boolean {
    return this.#isTraining || (this.#isLive && this.#clock.isPlaying);
  }

  get #isPlaying(): boolean {
    return this.#player.isPlaying || this.#clock.isPlaying || this.#walk.isPlaying || this.#isTraining;
  }

  /** A run does not go on in a tab that nobody sees. */
  readonly #pauseHidden = (): void => {
    if (document.visibilityState !== "hidden" || !this.#isRunning) return;
    this.pause();
    this.#wasHidden = true;
  };

  hostUpdate(): void {
    const { wording, playground } = this.#host;
    const { time } = wording;
    if (this.#isTraining) {
      if (time) this.#pace.mark(time.at);
      return;
    }
    this.#pace.stop();
    if (playground.isBusy) return;
    this.#endTraining?.(time !== null && time.at >= time.last);
    this.#endTraining = null;
  }

  /** The steps of learning, with how fast a run goes, or why it was paused. */
  get #shownTime() {
    const { wording, words } = this.#host;
    const { time } = wording;
    if (!time) return null;
    const pace = this.#isTraining ? this.#pace.measured(time.last) : null;
    return {
      ...time,
      ...(pace && { pace: words("transport.pace", pace) }),
      ...(time.isLive && { rate: this.#rate }),
      ...(this.#wasHidden && { sentence: words("transport.hidden") }),
    };
  }

  /** The run stops at the step that is drawn. */
  #pauseTraining(): void {
    const { time } = this.#host.wording;
    if (time) this.#clock.goTo(time);
  }

  readonly #key = ({ key }: KeyboardEvent): void => {
    this.#lastKeyIsTab = key === "Tab";
    this.#host.flights.stop();
  };

  readonly #pressed = (event: Event): void => {
    this.#lastKeyIsTab = false;
    this.#host.flights.stop();
    const bar = this.#host.renderRoot.querySelector("ap-transport");
    if (!bar || !event.composedPath().includes(bar)) this.interrupt();
  };

  /** The reader does something else: Play pauses. A run goes on while the reader looks at its numbers. */
  interrupt(): void {
    if (this.#isPlaying && !this.#isRunning) this.pause();
  }

  pause(): void {
    if (this.#isTraining) this.#pauseTraining();
    this.pauseStops();
    this.#clock.pause();
    this.#walk.pause();
  }

  /** Pauses a walk through stops, because the reader moves the target, which that walk moves too. */
  pauseStops(): void {
    if (this.#player.isPlaying || this.#player.isStepping) this.#player.pause();
  }

  /** The reader goes to a cell of this node, however far Play has come. */
  reach(node: string): void {
    if (this.#lastKeyIsTab) this.#player.keepStop(node);
    else this.#player.reach(node);
  }

  /** Ends Play: everything is drawn. */
  stop(): void {
    this.#player.stop();
    this.#clock.pause();
    this.#walk.pause();
  }

  /**
   * Goes to a stop that a paragraph of the lesson speaks of, if there is one of this id and nothing else is under way: Play, a story, or a
   * guess.
   */
  follow(stop: string): void {
    const { wording, playground } = this.#host;
    const step = wording.steps.findIndex(({ id }) => id === stop);
    if (step < 0 || wording.time || this.story || this.#isPlaying || playground.covered) return;
    const { openingCount, progress, cell } = playground;
    const last = this.#followed?.openingCount === openingCount ? this.#followed : null;
    if (last?.stop === stop) return;
    const before = last?.before ?? { progress, cell };
    if (progress?.id !== stop) this.#player.go(step);
    this.#followed = {
      stop,
      openingCount,
      now: { progress: playground.progress, cell: playground.cell },
      before,
    };
  }

  /** The lesson is left: the stage shows what it showed before, unless the reader has gone elsewhere since. */
  unfollow(): void {
    const { playground } = this.#host;
    const followed = this.#followed;
    this.#followed = null;
    if (followed?.openingCount !== playground.openingCount) return;
    const { now, before } = followed;
    if (playground.progress?.id !== now.progress?.id || !sameCell(playground.cell, now.cell)) return;
    this.#host.onStopChange();
    playground.setProgress(before.progress);
    if (before.cell) playground.target(before.cell);
    // The page stays where the reader has scrolled to.
    this.#host.note.hasMoved = false;
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else void this.#play();
  }

  /** Plays the story, the steps of learning, or the stops from the present one. */
  async #play(): Promise<void> {
    if (await this.run()) this.#host.actReporter.report({ kind: "play-end" });
  }

  /** Plays as `#play` does, without reporting it as an act of the reader. */
  run(): Promise<boolean> {
    if (this.story) return this.#walk.play();
    if (this.#host.wording.time?.isLive) return this.#train();
    return this.#host.wording.time ? this.#clock.play() : this.#player.play();
  }

  /** Trains to the last step; at the last step, from the beginning. Resolves to whether the run has come there. */
  async #train(): Promise<boolean> {
    const { wording, playground } = this.#host;
    const start = wording.time;
    if (!start) return false;
    this.#wasHidden = false;
    if (start.at >= start.last) {
      this.#moveTo(0);
      await playground.computing;
    }
    if (this.#rate) return this.#clock.play(this.#rate);
    this.#clock.goTo({ ...start, at: start.last });
    return new Promise((resolve) => (this.#endTraining = resolve));
  }

  /** Chooses how many steps a run makes per second at most; one that trains goes on at this rate. */
  #setRate(rate: number | null): void {
    const isUnderWay = this.#isPlaying;
    if (isUnderWay) this.pause();
    this.#rate = rate;
    if (isUnderWay) void this.#play();
    this.#host.requestUpdate();
  }

  async step(): Promise<void> {
    const { story } = this;
    const { time } = this.#host.wording;
    if (story) this.goInStory((story.at + 1) % story.steps.length);
    else if (time) this.#moveTo(Math.min(time.last, time.at + 1));
    else if (await this.#player.step()) this.#reportStop();
  }

  back(): void {
    const { story } = this;
    const { time } = this.#host.wording;
    if (story) this.goInStory(Math.max(0, story.at - 1));
    else if (time) this.#moveTo(time.isLive ? 0 : Math.max(0, time.at - 1));
    else {
      this.#player.back();
      this.#reportStop();
    }
  }

  /** The reader moves to another step of learning. */
  #moveTo(at: number): void {
    this.pause();
    this.#wasHidden = false;
    const { wording, actReporter, playground, note } = this.#host;
    const { time } = wording;
    if (!time) return;
    // The target stays the same, but another step computed its number.
    note.hasMoved = true;
    const was: Config = playground.config;
    this.#clock.go(at);
    actReporter.report({ kind: "change", control: time.control, value: String(at) }, was);
  }

  /** The reader goes to a step of the story. */
  goInStory(place: number): void {
    this.pause();
    dispatch(this.#host, "story-go", { place });
  }

  #go(step: number): void {
    if (this.story) return this.goInStory(step);
    this.#player.go(step);
    this.#reportStop();
  }

  /** Reports that the reader came to a stop. */
  #reportStop(): void {
    const { wording, actReporter } = this.#host;
    const { steps } = wording;
    const at = this.current;
    const step = steps[at];
    if (step) actReporter.report({ kind: "stop", id: step.id });
    if (at === steps.length - 1) actReporter.report({ kind: "play-end" });
  }

  template(): TemplateResult {
    const { words, wording, framed, line, playground, result } = this.#host;
    const { story } = this;
    // The text of a step is shown above the lab.
    const storySteps = story?.steps.map((_step, place, { length: count }) => ({
      title: String(place + 1),
      sentence: "",
      name: words("story.step_of", { number: place + 1, count }),
    }));
    return html`<ap-transport
      ?inert=${playground.isLeaving}
      .words=${words}
      .steps=${storySteps ?? wording.steps}
      .current=${story?.at ?? this.current}
      .playing=${this.#isPlaying}
      .compact=${framed}
      .line=${line}
      .result=${result && { title: result.title, actions: result.actions.map(({ label }) => label) }}
      .time=${story ? null : this.#shownTime}
      @play=${() => void this.#play()}
      @pause=${() => this.pause()}
      @step=${() => void this.step()}
      @back=${() => this.back()}
      @go=${(event: CustomEvent<{ step: number }>) => this.#go(event.detail.step)}
      @result=${({ detail }: CustomEvent<{ action: number }>) => {
        const action = result?.actions[detail.action];
        if (action) this.#host.take(action);
      }}
      @rate=${(event: CustomEvent<{ rate: number | null }>) => this.#setRate(event.detail.rate)}
      @time=${(event: CustomEvent<{ at: number }>) => this.#moveTo(event.detail.at)}
    ></ap-transport>`;
  }
}
