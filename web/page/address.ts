/**
 * The address bar: reads the hash, keeps it current without adding history entries, and adds one entry for
 * each lab or example that is opened.
 */

/**
 * Milliseconds between two writes: browsers refuse more than about 100 changes of the address in 30 seconds.
 */
const interval = 320;

export class Address {
  #lastHash = "";
  #next: (() => string) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether `replace` is suspended: a link with a notice stays in the bar until the reader acts. */
  isHeld = false;
  readonly #onOpen: (hash: string) => void;

  /** `onOpen` is called when the reader goes back or forward, or types another hash. */
  constructor(onOpen: (hash: string) => void) {
    this.#onOpen = onOpen;
    this.#lastHash = this.hash;
  }

  readonly #onMove = (): void => {
    const { hash } = this;
    if (hash === this.#lastHash) return;
    this.#cancel();
    this.#lastHash = hash;
    this.#onOpen(hash);
  };

  /**
   * A hidden tab may be discarded by the browser and reopened later from the address in its bar, so that must
   * be current.
   */
  readonly #onVisibility = (): void => {
    if (document.visibilityState === "hidden") this.flush();
  };

  listen(): void {
    document.addEventListener("visibilitychange", this.#onVisibility);
    addEventListener("popstate", this.#onMove);
    addEventListener("hashchange", this.#onMove);
  }

  close(): void {
    this.#cancel();
    document.removeEventListener("visibilitychange", this.#onVisibility);
    removeEventListener("popstate", this.#onMove);
    removeEventListener("hashchange", this.#onMove);
  }

  /**
   * The hash as it stands in the bar, without "#". It is read from `href` because Firefox decodes
   * `location.hash`.
   */
  get hash(): string {
    const { href } = location;
    const at = href.indexOf("#");
    return at < 0 ? "" : href.slice(at + 1);
  }

  /** The page's folder, ending in "/". */
  get base(): string {
    return new URL(".", location.href.split("#")[0]).href;
  }

  /**
   * Writes the result of `hash` soon, at most three times a second. `hash` is called only when the address is
   * written.
   */
  replace(hash: () => string): void {
    if (this.isHeld) return;
    this.#next = hash;
    this.#timer ??= setTimeout(() => this.flush(), interval);
  }

  flush(): void {
    const next = this.#next?.() ?? null;
    this.#cancel();
    if (next === null || next === this.#lastHash) return;
    try {
      history.replaceState(null, "", `#${next}`);
      this.#lastHash = next;
    } catch {
      // The browser's limit on changes is reached; the next change writes the whole state again.
    }
  }

  push(hash: string): void {
    this.flush();
    this.isHeld = false;
    if (hash === this.#lastHash) return;
    history.pushState(null, "", `#${hash}`);
    this.#lastHash = hash;
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = null;
  }
}
