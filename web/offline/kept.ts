/** Whole versions of the site in the browser's caches: one cache for each, its name ends with the digest of all files of that build. */

/** A build of the site: the digest of all of it, and the files that its pages may ask for, each with its SHA-256 in base64. */
export interface Site {
  version: string;
  files: Readonly<Record<string, string>>;
}

/** Headers that tell of the bytes as they were sent, which are not those that are kept; a cache refuses some of Vary. */
const ofSending = ["content-encoding", "content-length", "transfer-encoding", "vary"];

async function digestOf(bytes: ArrayBuffer): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
}

/** The answer with its bytes as they are kept; null where they cannot be read or have another digest. */
async function whole(answer: Response, digest: string): Promise<Response | null> {
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (!bytes || (await digestOf(bytes)) !== digest) return null;
  const headers = new Headers(answer.headers);
  for (const name of ofSending) headers.delete(name);
  // Made anew, for an answer that came by a redirection opens no page.
  return new Response(bytes, { headers });
}

export class Kept {
  /** The address of the site's folder, ending in "/". */
  readonly #folder: string;
  readonly #site: Site;
  /** Other sites of the same origin have other folders, and caches of their own. */
  readonly #start: string;

  constructor(folder: string, site: Site) {
    this.#folder = folder;
    this.#site = site;
    this.#start = `attention-playground ${new URL(folder).pathname} `;
  }

  /** Keeps this version whole. Throws Error where one file cannot be had as this build made it, or there is no room: then nothing of it is left. */
  async keep(): Promise<void> {
    try {
      await this.#keepAll();
    } catch (error) {
      if (error instanceof DOMException && error.name === "QuotaExceededError")
        await this.drop(this.#site.version);
      throw error;
    }
  }

  async #keepAll(): Promise<void> {
    const { version, files } = this.#site;
    const cache = await caches.open(this.#start + version);
    // One after another: the page that was opened goes first.
    for (const [file, digest] of Object.entries(files)) {
      const address = this.#address(file);
      if (!(await cache.match(address))) await cache.put(address, await this.#had(file, digest));
    }
    // Not `cache`, which would still answer if it had been taken away meanwhile.
    const kept = await (await caches.open(this.#start + version)).keys();
    if (kept.length < Object.keys(files).length) throw new Error("offline: not every file was kept");
  }

  /**
   * A file as a version has it; undefined where that is not kept. A file of this version whose bytes are no longer those of the build, as
   * after damage to the disk, is had anew, and kept where there is room; undefined where it cannot be had.
   */
  async of(version: string, file: string): Promise<Response | undefined> {
    const answer = await this.#match(version, file);
    const digest = this.#site.files[file];
    if (!answer || version !== this.#site.version || digest === undefined) return answer;
    return (await whole(answer, digest)) ?? this.anew(file);
  }

  /**
   * A file of this version had anew, and kept where there is room: with `reload` from the host itself alone. Undefined where it cannot be had,
   * or this version has no such file.
   */
  async anew(file: string, reload = false): Promise<Response | undefined> {
    const digest = this.#site.files[file];
    if (digest === undefined) return undefined;
    const right = await this.#had(file, digest, reload).catch(() => undefined);
    if (right) await this.#put(file, right.clone()).catch(() => undefined);
    return right;
  }

  /** A file as any other version has it that is kept: right only where the name holds the digest of what is inside. */
  async ofOther(file: string): Promise<Response | undefined> {
    for (const version of await this.versions()) {
      const answer = version === this.#site.version ? undefined : await this.#match(version, file);
      if (answer) return answer;
    }
    return undefined;
  }

  async versions(): Promise<string[]> {
    const names = await caches.keys();
    return names.filter((name) => name.startsWith(this.#start)).map((name) => name.slice(this.#start.length));
  }

  async drop(version: string): Promise<void> {
    await caches.delete(this.#start + version);
  }

  #address(file: string): string {
    return this.#folder + file;
  }

  /** As it is kept, whatever its bytes. */
  #match(version: string, file: string): Promise<Response | undefined> {
    return caches.match(this.#address(file), { cacheName: this.#start + version });
  }

  async #put(file: string, answer: Response): Promise<void> {
    await (await caches.open(this.#start + this.#site.version)).put(this.#address(file), answer);
  }

  /** A file with this digest: from another version that is kept, as the page just got it, or from the host itself. With `reload` from that alone. Throws Error where none has it. */
  async #had(file: string, digest: string, reload = false): Promise<Response> {
    const address = this.#address(file);
    const sources = [
      () => this.ofOther(file),
      () => fetch(address, { cache: "default" }),
      () => fetch(address, { cache: "reload" }),
    ];
    for (const source of reload ? sources.slice(-1) : sources) {
      const answer = await source().catch(() => undefined);
      const right = answer?.status === 200 ? await whole(answer, digest) : null;
      if (right) return right;
    }
    throw new Error(`offline: ${file} cannot be had as this version has it`);
  }
}
