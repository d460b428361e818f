/** The scenes of a lab: what its stage and its strip show at a stop, in the room there is; equal parts stay the objects they were. */
import type { Config } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { holds } from "../../marks/board.js";
import type { Room, Scene, Snapshots } from "../../marks/scene.js";
import { shared } from "../../marks/sharing.js";
import type { framedScene } from "../frame.js";
import { Memo as Kept } from "../memo.js";
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

/** A scene, and what it was made from. */
export interface Staged {
  lab: OpenLab;
  config: Config;
  within: Room;
  snapshots: Snapshots;
  settings: readonly unknown[];
  asked: number;
  scene: Scene;
  strip: Scene | null;
}

export class LabScenes {
  readonly #host: ScenesHost;
  readonly #staged = new Kept<Staged>();
  readonly #readScene = new Kept<Scene>();
  readonly #readStrip = new Kept<Scene>();
  readonly #tallest = new Kept<number>();
  /** What the stage showed last. */
  #last: Staged | null = null;
  /** Counts the stops asked for: a scene keeps its arrangement until the next. */
  #asked = 0;
  /** What was opened last, as the playground counts, and drawn. */
  #opening = 0;
  readonly #picture = new Kept<string | undefined>();

  constructor(host: ScenesHost) {
    this.#host = host;
  }

  /** The arrangement of the stage, where its cell alone would bring another: links say it. */
  get picture(): string | undefined {
    return this.#picture.of([this.#last], () => {
      if (!this.#last?.within.arrangement) return undefined;
      const { config, snapshots, within, scene } = this.#last;
      const { arrangement } = sceneFor(config, snapshots, { ...within, arrangement: null });
      return arrangement === scene.arrangement ? undefined : scene.arrangement;
    });
  }

  /** Another stop was asked for: its scene arranges itself anew. */
  rearrange(): void {
    this.#asked++;
  }

  /** Null before there are numbers, and room. */
  get now(): Staged | null {
    const { playground, words, framed, drawFramed, focusTensors, room, transport } = this.#host;
    const { drawn, snapshots, cell } = playground;
    const { size } = room;
    if (!drawn || size.width === 0) return null;
    const lab = labOf(drawn);
    const step = transport.current;
    const settings = [...settingsOf(drawn), words];
    const asked = this.#asked;
    const { openings } = playground;
    const from = [...settings, snapshots, size, step, cell, framed, focusTensors.join(), asked, openings];
    return this.#staged.of(from, (last) => {
      const held = last && last.lab === lab && last.asked === asked ? last.scene.arrangement : null;
      const opened = openings !== this.#opening;
      const arrangement = opened ? (playground.config.view.picture ?? null) : held;
      if (playground.shown?.numbers === playground.config.numbers) this.#opening = openings;
      const within: Room = { ...size, step, cell, arrangement, words };
      const scene = drawFramed
        ? this.#inFrame(drawFramed, drawn, within, settings)
        : sceneFor(drawn, snapshots, within);
      const strip = room.narrow && !framed ? stripFor(drawn, snapshots, within, scene) : null;
      // Equal parts of the last scene stay the objects they were, while what they say is the same.
      const same = last !== null && settings.every((thing, at) => Object.is(thing, last.settings[at]));
      return {
        lab,
        config: drawn,
        within,
        snapshots,
        settings,
        asked,
        scene: same ? shared(last.scene, scene) : scene,
        strip: same ? shared(last.strip, strip) : strip,
      };
    });
  }

  /** The scene as a frame shows it. */
  #inFrame(draw: typeof framedScene, config: Config, within: Room, settings: readonly unknown[]): Scene {
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
