/**
 * Keeps the stage visible while its lesson is read: reduced, beside the lesson on wide screens, else above
 * it. DESIGN.md, section 3.
 */
import type { LitElement, ReactiveController } from "lit";
import type { ApLesson } from "../../elements/lesson.js";
import type { Stage } from "../../elements/stage/stage.js";
import { dispatch } from "./events.js";
import type { LabRoom } from "./room.js";

export interface LessonStageHost extends LitElement {
  /** The stage with the numbers. */
  readonly stage: Stage | null;
  readonly room: LabRoom;
}

/** Margin around a stage beside its lesson. */
const AIR = 16;
/** The part of the window's height that a stage above its lesson may take. */
const ABOVE = 0.46;
/** The paragraph that is read begins above this part of the room that the stage leaves. */
const READ = 0.4;
/** The smallest scale of the stage; of a taller stage only the part with the target is shown. */
const LEAST = 0.4;

/** The room for the stage while the lesson is read. */
interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class LessonStage implements ReactiveController {
  /**
   * Whether the lesson has been scrolled to where the stage was, so that the reduced stage is fixed in the
   * window.
   */
  isReduced = false;
  readonly #host: LessonStageHost;
  #isScheduled = false;
  /** Whether the page was scrolled since the paragraph in view was last found. */
  #isScrolled = false;
  #isResized = false;
  /** The last value of --in-sight: the height that the stage covers above the lesson. */
  #coveredHeight = 0;
  /** The anchor of the paragraph that was in view last. */
  #paragraph: string | null = null;

  constructor(host: LessonStageHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("scroll", this.#scroll, { passive: true });
    addEventListener("resize", this.#resize);
  }

  hostDisconnected(): void {
    removeEventListener("scroll", this.#scroll);
    removeEventListener("resize", this.#resize);
  }

  hostUpdated(): void {
    // Another target or stop may be elsewhere on a stage that is shown in part.
    if (this.isReduced) this.#schedule();
  }

  readonly #scroll = (): void => {
    this.#isScrolled = true;
    this.#schedule();
  };

  /** Measures once per frame, however often something changed. */
  readonly #schedule = (): void => {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.place();
    });
  };

  readonly #resize = (): void => {
    this.#isResized = true;
    this.#schedule();
  };

  /**
   * Scrolls back to the stage in its own place, after the reader pointed into it: a note that is a sheet has
   * room only there.
   */
  scrollBack(): void {
    const place = this.#host.renderRoot.querySelector(".place");
    if (!this.isReduced || !this.#host.room.hasSheet || !place) return;
    scrollTo(0, Math.max(0, scrollY + place.getBoundingClientRect().top - AIR));
    this.place();
  }

  #box(): Box {
    const { room, renderRoot } = this.#host;
    const foot = renderRoot.querySelector("ap-transport")?.getBoundingClientRect().top ?? innerHeight;
    const wide = document.documentElement.clientWidth;
    if (!room.isBesideLesson) return { left: AIR, top: 0, width: wide - 2 * AIR, height: ABOVE * foot };
    const lesson = renderRoot.querySelector(".lesson")?.getBoundingClientRect().left ?? wide;
    return { left: AIR, top: AIR, width: lesson - 2 * AIR, height: foot - 2 * AIR };
  }

  /** Puts the stage where the reader can see it: in its own place, or in the room that the lesson leaves. */
  place(): void {
    const { renderRoot } = this.#host;
    const place = renderRoot.querySelector<HTMLElement>(".place");
    const stage = renderRoot.querySelector<HTMLElement>(".stage");
    if (!place || !stage) return;
    const box = this.#box();
    const width = place.clientWidth;
    const height = stage.offsetHeight;
    const fits = Math.min(1, box.width / width, box.height / height);
    const scale = Math.max(Math.min(LEAST, box.width / width), fits);
    const visibleHeight = Math.min(box.height, scale * height);
    const { isBesideLesson } = this.#host.room;
    // The lesson begins at one height, whatever the height of a stop. Until then that much of the stage is
    // visible in its own place.
    const end = box.top + (isBesideLesson ? visibleHeight : box.height);
    const { top, bottom } = place.getBoundingClientRect();
    const reading = top < 0 && bottom < end;
    this.#setCoveredHeight(isBesideLesson ? 0 : Math.ceil(end));
    if (reading !== this.isReduced) this.#setReduced(reading, place);
    if (reading && this.#isResized) place.style.height = `${height}px`;
    this.#isResized = false;
    // A stage that changes its height moves the text, but then nobody has read on.
    if (this.#isScrolled || !reading) this.#followParagraph(reading);
    this.#isScrolled = false;
    if (!reading) return;
    const left = isBesideLesson ? box.left : box.left + (box.width - scale * width) / 2;
    const hidden = this.#hiddenHeight(stage, scale, height, visibleHeight);
    Object.assign(stage.style, {
      left: `${left}px`,
      top: `${box.top - scale * hidden}px`,
      width: `${width}px`,
      transform: `scale(${scale})`,
      clipPath:
        visibleHeight < scale * height
          ? `inset(${hidden}px 0 ${height - hidden - visibleHeight / scale}px)`
          : "",
    });
  }

  /** Reports the paragraph in view when it is another one, and when the lesson is left. */
  #followParagraph(reading: boolean): void {
    const lesson = this.#host.querySelector<ApLesson>("ap-lesson");
    const top = this.#coveredHeight;
    const inView = reading ? lesson?.paragraphAt(top + READ * (innerHeight - top)) : null;
    const anchor = inView ?? null;
    if (anchor === this.#paragraph || (reading && anchor === null)) return;
    this.#paragraph = anchor;
    dispatch(this.#host, "lesson-read", { anchor });
  }

  /**
   * Sets the height that a stage above the lesson covers, so that scrolling to a place in the lesson stops
   * below it.
   */
  #setCoveredHeight(above: number): void {
    if (above === this.#coveredHeight) return;
    this.#coveredHeight = above;
    for (const part of this.#host.renderRoot.querySelectorAll<HTMLElement>(".place, .lesson"))
      part.style.setProperty("--in-sight", `${above}px`);
  }

  /**
   * The height of the stage above the part that is shown, in its own pixels: the target is in the middle of
   * the shown part.
   */
  #hiddenHeight(stage: HTMLElement, scale: number, height: number, seen: number): number {
    const all = height - seen / scale;
    const target = this.#host.stage?.litBox()?.target;
    if (all <= 0 || !target) return 0;
    const box = stage.getBoundingClientRect();
    const drawn = box.width / stage.offsetWidth;
    const middle = (target.top + target.height / 2 - box.top) / drawn;
    return Math.max(0, Math.min(all, middle - seen / scale / 2));
  }

  /** Puts the stage back into its own place, before the page is printed. */
  restore(): void {
    const place = this.#host.renderRoot.querySelector<HTMLElement>(".place");
    if (place && this.isReduced) this.#setReduced(false, place);
  }

  #setReduced(reading: boolean, place: HTMLElement): void {
    this.isReduced = reading;
    // The page keeps the stage's height, so that the text that is read does not move.
    place.style.height = reading ? `${place.offsetHeight}px` : "";
    this.#host.toggleAttribute("reading", reading);
    const stage = this.#host.renderRoot.querySelector<HTMLElement>(".stage");
    if (reading || !stage) return;
    Object.assign(stage.style, { left: "", top: "", width: "", transform: "", clipPath: "" });
  }
}
