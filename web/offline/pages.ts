/**
 * The version that each open page was opened with. It is stored in a cache, because the browser may stop a
 * service worker between two requests and start another.
 */

export class OpenedPages {
  /** The address of the site's folder, ending in "/". */
  readonly #folder: string;
  readonly #name: string;
  readonly #known = new Map<string, string | null>();

  constructor(folder: string) {
    this.#folder = `${folder}pages/`;
    this.#name = `attention-playground-pages ${new URL(folder).pathname}`;
  }

  async add(id: string, version: string): Promise<void> {
    this.#known.set(id, version);
    await (await this.#cache()).put(this.#folder + id, new Response(version));
  }

  /** Null when the page was opened without the service worker. */
  async versionOf(id: string): Promise<string | null> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const response = await (await this.#cache()).match(this.#folder + id);
    const version = response ? await response.text() : null;
    this.#known.set(id, version);
    return version;
  }

  async ids(): Promise<string[]> {
    const addresses = await (await this.#cache()).keys();
    return addresses.map(({ url }) => url.slice(this.#folder.length));
  }

  async drop(id: string): Promise<void> {
    this.#known.delete(id);
    await (await this.#cache()).delete(this.#folder + id);
  }

  #cache(): Promise<Cache> {
    return caches.open(this.#name);
  }
}
