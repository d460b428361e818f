/** The scenes of a lab: what its stage and its strip show at a stop, laid out for the available room. */
import type { Config } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import { showsCell } from "../../marks/board.js";
import type { TargetRoom, Scene, Snapshots } from "../../marks/scene.js";
import type { framedScene } from "../frame.js";
import { hasCell } from "../cells.js";
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
  /** Draws scenes in a frame; null on the page, which does not load that code. */
  readonly drawFramed: typeof framedScene | null;
  /** The names of the tensors that a frame shows; empty for all. */
  readonly focusTensors: readonly string[];
  readonly room: LabRoom;
  readonly transport: LabTransport;
}

/** A scene and its strip, with the state they were made from. */
export interface StagedScene {
  lab: OpenLab;
  config: Config;
  snapshots: Snapshots;
  scene: Scene;
  strip: Scene | null;
}

/** The last scene with its inputs, and its stop of Play; `stop` is null where the scene is the same at every stop. */
interface CachedScene {
  from: readonly unknown[];
  stop: number | null;
  staged: StagedScene;
}

/** The arrangement of the last scene: it is kept until the reader goes to another lab or another stop. */
interface KeptArrangement {
  lab: OpenLab;
  stopRequests: number;
  arrangement: string;
}

export class LabScenes {
  readonly #host: ScenesHost;
  readonly #readScene = new Memo<Scene>();
  readonly #readStrip = new Memo<Scene>();
  readonly #tallest = new Memo<number>();
  #cached: CachedScene | null = null;
  #lastArrangement: KeptArrangement | null = null;
  /** The scene that the stage showed last. */
  #last: StagedScene | null = null;
  /** The room of the scene that the stage showed last, with its target. */
  #room: TargetRoom | null = null;
  /** Counts the reader's requests for a stop. */
  #stopRequests = 0;
  /** The value of `playground.openingCount` for the last opened state that was drawn. */
  #drawnOpening = 0;

  constructor(host: ScenesHost) {
    this.#host = host;
  }

  /** The arrangement of the stage, for links; undefined when the target alone would lead to it. */
  get picture(): string | undefined {
    if (!this.#last || !this.#room?.arrangement || !this.#lastArrangement) return undefined;
    const { lab, config } = this.#last;
    const { arrangement } = this.#lastArrangement;
    return lab.arrange(config, { ...this.#room, arrangement: null }) === arrangement
      ? undefined
      : arrangement;
  }

  /** The reader went to another stop: its scene chooses its own arrangement. */
  rearrange(): void {
    this.#stopRequests++;
  }

  /** The room for the next scene; null before there are numbers, or before the room is measured. */
  get target(): TargetRoom | null {
    const { playground, words, room, transport } = this.#host;
    const { drawnConfig, snapshots, openingCount } = playground;
    // A cell that a newer Config asks for is not among the drawn numbers yet.
    const cell = hasCell(snapshots, playground.cell) ? playground.cell : null;
    if (!drawnConfig || room.size.width === 0) return null;
    const keptArrangement =
      this.#lastArrangement?.lab === labOf(drawnConfig) &&
      this.#lastArrangement.stopRequests === this.#stopRequests
        ? this.#lastArrangement
        : null;
    const isOpened = openingCount !== this.#drawnOpening;
    const arrangement = isOpened
      ? (playground.config.view.picture ?? null)
      : (keptArrangement?.arrangement ?? null);
    return { ...room.size, step: transport.current, cell, arrangement, words };
  }

  /**
   * The present scene: the same object as long as its inputs are the same. Null before there are numbers, or
   * before the room is measured.
   */
  get now(): StagedScene | null {
    const { playground, words, framed, drawFramed, focusTensors, room } = this.#host;
    const { drawnConfig, snapshots, cell } = playground;
    const target = this.target;
    if (!drawnConfig || !target) return null;
    if (playground.computedConfig?.numbers === playground.config.numbers)
      this.#drawnOpening = playground.openingCount;
    const lab = labOf(drawnConfig);
    const arrangement = lab.arrange(drawnConfig, target);
    this.#room = target;
    this.#lastArrangement = { lab, stopRequests: this.#stopRequests, arrangement };
    const settings = [...settingsOf(drawnConfig), words];
    const from = [
      ...settings,
      snapshots,
      room.size,
      arrangement,
      framed,
      drawFramed && cell,
      focusTensors.join(),
    ];
    const cached = this.#cached;
    if (cached && areSame(from, cached.from) && (cached.stop === null || cached.stop === target.step))
      return cached.staged;
    const within = { ...target, arrangement };
    const scene = drawFramed
      ? this.#inFrame(drawFramed, drawnConfig, within, settings)
      : sceneFor(drawnConfig, snapshots, within);
    const strip = room.isNarrow && !framed ? stripFor(drawnConfig, snapshots, within, scene) : null;
    const isSameAtEveryStop = scene.stop === undefined && !strip && !drawFramed;
    const staged = { lab, config: drawnConfig, snapshots, scene, strip };
    this.#cached = { from, stop: isSameAtEveryStop ? null : target.step, staged };
    return staged;
  }

  /** The scene in the form for a frame. */
  #inFrame(
    draw: typeof framedScene,
    config: Config,
    within: TargetRoom,
    settings: readonly unknown[],
  ): Scene {
    const { focusTensors, room } = this.#host;
    const { snapshots } = this.#host.playground;
    return draw(config, snapshots, within, focusTensors, (height) =>
      this.#tallest.of([...settings, snapshots, room.size], height),
    );
  }

  /** A scene or a strip with the comparison or gradient that is shown in place of the numbers. */
  read(plain: Scene | null, strip: boolean): Scene | null {
    const { playground, words, reading } = this.#host;
    const reader = reading?.scenes(playground, words) ?? null;
    const memo = strip ? this.#readStrip : this.#readScene;
    return plain && reader ? memo.of([plain, reader], () => reader(plain)) : plain;
  }

  /**
   * Moves the target to the lab's opening cell when it was on the stage, and other settings have removed it
   * from there.
   */
  keepTarget(): void {
    const { playground } = this.#host;
    const { drawnConfig, cell } = playground;
    const last = this.#last;
    const { now } = this;
    this.#last = now;
    if (
      !drawnConfig ||
      !cell ||
      !last ||
      !now ||
      last.config.numbers === now.config.numbers ||
      last.lab !== now.lab
    )
      return;
    if (showsCell(last.scene, last.snapshots, cell) && !showsCell(now.scene, now.snapshots, cell))
      playground.retarget();
  }
}
