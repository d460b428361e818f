/**
 * The address bar: reads the hash, keeps it current without adding history entries, and adds one entry for
 * each lab or example that is opened.
 */

/**
 * Milliseconds between two writes: browsers refuse more than about 100 changes of the address in 30 seconds.
 */
const shortest = 320;

export class Address {
  #last = "";
  #next: (() => string) | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether `replace` is suspended: a link with a notice stays in the bar until the reader acts. */
  held = false;
  readonly #opened: (hash: string) => void;

  /** `opened` is called when the reader goes back or forward, or types another hash. */
  constructor(opened: (hash: string) => void) {
    this.#opened = opened;
    this.#last = this.hash;
  }

  readonly #moved = (): void => {
    const { hash } = this;
    if (hash === this.#last) return;
    this.#forget();
    this.#last = hash;
    this.#opened(hash);
  };

  /**
   * A hidden tab may be discarded by the browser and reopened later from the address in its bar, so that must
   * be current.
   */
  readonly #asleep = (): void => {
    if (document.visibilityState === "hidden") this.flush();
  };

  listen(): void {
    document.addEventListener("visibilitychange", this.#asleep);
    addEventListener("popstate", this.#moved);
    addEventListener("hashchange", this.#moved);
  }

  close(): void {
    this.#forget();
    document.removeEventListener("visibilitychange", this.#asleep);
    removeEventListener("popstate", this.#moved);
    removeEventListener("hashchange", this.#moved);
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
    if (this.held) return;
    this.#next = hash;
    this.#timer ??= setTimeout(() => this.flush(), shortest);
  }

  flush(): void {
    const next = this.#next?.() ?? null;
    this.#forget();
    if (next === null || next === this.#last) return;
    try {
      history.replaceState(null, "", `#${next}`);
      this.#last = next;
    } catch {
      // The browser's limit on changes is reached; the next change writes the whole state again.
    }
  }

  push(hash: string): void {
    this.flush();
    this.held = false;
    if (hash === this.#last) return;
    history.pushState(null, "", `#${hash}`);
    this.#last = hash;
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next = null;
  }
}
