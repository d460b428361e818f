/** The scenes of a lab: what its stage and its strip show at a stop, in the room there is. */
import type { Config } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { holds } from "../../marks/board.js";
import type { RoomAt, Scene, Snapshots } from "../../marks/scene.js";
import type { framedScene } from "../frame.js";
import { areSame, Memo } from "../memo.js";
import type { LabRoom } from "./room.js";
import type { LabTransport } from "./transport.js";
import { settingsOf } from "./wording.js";
import { labOf, type OpenLab, sceneFor, stripFor } from "../open-lab.js";
import type { Playground } from "../playground.js";
import type { StageReading } from "../stage-reading.js";

export interface ScenesHost {
  readonly playground: Playground;
  readonly words: Words;
  readonly reading: StageReading | null;
  readonly framed: boolean;
  /** Draws scenes in a frame; null on the page, which does not carry it. */
  readonly drawFramed: typeof framedScene | null;
  /** In a frame: the names of the tensors that are shown; none: all. */
  readonly focusTensors: readonly string[];
  readonly room: LabRoom;
  readonly transport: LabTransport;
}

/** A scene and its strip, and what they were made from. */
export interface Staged {
  lab: OpenLab;
  config: Config;
  snapshots: Snapshots;
  scene: Scene;
  strip: Scene | null;
}

/** What was staged, from what, and at which stop of Play; null where it is the same at every stop. */
interface Made {
  from: readonly unknown[];
  stop: number | null;
  staged: Staged;
}

/** The arrangement of the last scene: it is kept until the reader goes to another lab or asks for another stop. */
interface Held {
  lab: OpenLab;
  asked: number;
  arrangement: string;
}

export class LabScenes {
  readonly #host: ScenesHost;
  readonly #readScene = new Memo<Scene>();
  readonly #readStrip = new Memo<Scene>();
  readonly #tallest = new Memo<number>();
  #made: Made | null = null;
  #held: Held | null = null;
  /** What the stage showed last. */
  #last: Staged | null = null;
  /** The room of the scene that the stage showed last, with its target. */
  #room: RoomAt | null = null;
  /** Counts the stops asked for. */
  #asked = 0;
  /** What was opened last, as the playground counts, and drawn. */
  #opening = 0;

  constructor(host: ScenesHost) {
    this.#host = host;
  }

  /** The arrangement of the stage, where its cell alone would bring another: links say it. */
  get picture(): string | undefined {
    if (!this.#last || !this.#room?.arrangement || !this.#held) return undefined;
    const { lab, config } = this.#last;
    const { arrangement } = this.#held;
    return lab.arrange(config, { ...this.#room, arrangement: null }) === arrangement
      ? undefined
      : arrangement;
  }

  /** Another stop was asked for: its scene arranges itself anew. */
  rearrange(): void {
    this.#asked++;
  }

  /** The room that the next scene is arranged in: null before there are numbers, and room. */
  get target(): RoomAt | null {
    const { playground, words, room, transport } = this.#host;
    const { drawn, cell, openings } = playground;
    if (!drawn || room.size.width === 0) return null;
    const held = this.#held?.lab === labOf(drawn) && this.#held.asked === this.#asked ? this.#held : null;
    const isOpened = openings !== this.#opening;
    const arrangement = isOpened ? (playground.config.view.picture ?? null) : (held?.arrangement ?? null);
    return { ...room.size, step: transport.current, cell, arrangement, words };
  }

  /** Null before there are numbers, and room. The same object while what it is made from is the same. */
  get now(): Staged | null {
    const { playground, words, framed, drawFramed, focusTensors, room } = this.#host;
    const { drawn, snapshots, cell } = playground;
    const target = this.target;
    if (!drawn || !target) return null;
    if (playground.shown?.numbers === playground.config.numbers) this.#opening = playground.openings;
    const lab = labOf(drawn);
    const arrangement = lab.arrange(drawn, target);
    this.#room = target;
    this.#held = { lab, asked: this.#asked, arrangement };
    const settings = [...settingsOf(drawn), words];
    const from = [
      ...settings,
      snapshots,
      room.size,
      arrangement,
      framed,
      drawFramed && cell,
      focusTensors.join(),
    ];
    const made = this.#made;
    if (made && areSame(from, made.from) && (made.stop === null || made.stop === target.step))
      return made.staged;
    const within = { ...target, arrangement };
    const scene = drawFramed
      ? this.#inFrame(drawFramed, drawn, within, settings)
      : sceneFor(drawn, snapshots, within);
    const strip = room.narrow && !framed ? stripFor(drawn, snapshots, within, scene) : null;
    const isSameAtEveryStop = scene.stop === undefined && !strip && !drawFramed;
    const staged = { lab, config: drawn, snapshots, scene, strip };
    this.#made = { from, stop: isSameAtEveryStop ? null : target.step, staged };
    return staged;
  }

  /** The scene as a frame shows it. */
  #inFrame(draw: typeof framedScene, config: Config, within: RoomAt, settings: readonly unknown[]): Scene {
    const { focusTensors, room } = this.#host;
    const { snapshots } = this.#host.playground;
    return draw(config, snapshots, within, focusTensors, (height) =>
      this.#tallest.of([...settings, snapshots, room.size], height),
    );
  }

  /** A scene, or a strip, as the numbers are read now. */
  read(given: Scene | null, strip: boolean): Scene | null {
    const { playground, words, reading } = this.#host;
    const reader = reading?.scenes(playground, words) ?? null;
    const kept = strip ? this.#readStrip : this.#readScene;
    return given && reader ? kept.of([given, reader], () => reader(given)) : given;
  }

  /** Other settings may show other tensors: a target that stood on the stage and no longer does gives way to the telling cell. */
  keepTarget(): void {
    const { playground } = this.#host;
    const { drawn, cell } = playground;
    const last = this.#last;
    const { now } = this;
    this.#last = now;
    if (
      !drawn ||
      !cell ||
      !last ||
      !now ||
      last.config.numbers === now.config.numbers ||
      last.lab !== now.lab
    )
      return;
    if (holds(last.scene, last.snapshots, cell) && !holds(now.scene, now.snapshots, cell))
      playground.retarget();
  }
}
