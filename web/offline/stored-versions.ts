/**
 * Whole versions of the site in the browser's caches: one cache per version, whose name ends with the digest
 * of all files of that build.
 */

/**
 * A build of the site: the digest of all of it, and the files that its pages may request, each with its
 * SHA-256 in base64.
 */
export interface Site {
  version: string;
  files: Readonly<Record<string, string>>;
}

/**
 * Headers about the bytes as they were transferred, which do not fit the stored bytes; a cache also refuses
 * some values of Vary.
 */
const transferHeaders = ["content-encoding", "content-length", "transfer-encoding", "vary"];

async function digestOf(bytes: ArrayBuffer): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))));
}

/** The response with its body read and checked; null when the body cannot be read or has another digest. */
async function checkedResponse(answer: Response, digest: string): Promise<Response | null> {
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (!bytes || (await digestOf(bytes)) !== digest) return null;
  const headers = new Headers(answer.headers);
  for (const name of transferHeaders) headers.delete(name);
  // A new response, because the browser refuses redirected responses for navigations.
  return new Response(bytes, { headers });
}

export class StoredVersions {
  /** The address of the site's folder, ending in "/". */
  readonly #folder: string;
  readonly #site: Site;
  /**
   * The beginning of the cache names; other sites of the same origin have other folders, and caches of their
   * own.
   */
  readonly #prefix: string;

  constructor(folder: string, site: Site) {
    this.#folder = folder;
    this.#site = site;
    this.#prefix = `attention-playground ${new URL(folder).pathname} `;
  }

  /**
   * Stores this version completely. Throws Error when a file cannot be fetched as this build has it, or when
   * there is no room; in the latter case no part of it remains.
   */
  async store(): Promise<void> {
    try {
      await this.#storeAll();
    } catch (error) {
      if (error instanceof DOMException && error.name === "QuotaExceededError")
        await this.drop(this.#site.version);
      throw error;
    }
  }

  async #storeAll(): Promise<void> {
    const { version, files } = this.#site;
    const cache = await caches.open(this.#prefix + version);
    // One after another: the page that was opened comes first.
    for (const [file, digest] of Object.entries(files)) {
      const address = this.#address(file);
      if (!(await cache.match(address))) await cache.put(address, await this.#obtain(file, digest));
    }
    // Opened again, because `cache` would still answer if it had been deleted meanwhile.
    const stored = await (await caches.open(this.#prefix + version)).keys();
    if (stored.length < Object.keys(files).length) throw new Error("offline: not every file was stored");
  }

  /**
   * A file of a version; undefined when it is not stored. A file of this version whose stored bytes no longer
   * match the build, as after damage to the disk, is fetched again, and stored if there is room; undefined
   * when it cannot be fetched.
   */
  async match(version: string, file: string): Promise<Response | undefined> {
    const answer = await this.#matchStored(version, file);
    const digest = this.#site.files[file];
    if (!answer || version !== this.#site.version || digest === undefined) return answer;
    return (await checkedResponse(answer, digest)) ?? this.refetch(file);
  }

  /**
   * A file of this version, fetched again and stored if there is room; with `reload`, from the host only.
   * Undefined when it cannot be fetched, or when this version has no such file.
   */
  async refetch(file: string, reload = false): Promise<Response | undefined> {
    const digest = this.#site.files[file];
    if (digest === undefined) return undefined;
    const right = await this.#obtain(file, digest, reload).catch(() => undefined);
    if (right) await this.#put(file, right.clone()).catch(() => undefined);
    return right;
  }

  /**
   * A file from any other stored version. That is right only for files whose name contains the digest of
   * their content.
   */
  async matchOther(file: string): Promise<Response | undefined> {
    for (const version of await this.versions()) {
      const answer = version === this.#site.version ? undefined : await this.#matchStored(version, file);
      if (answer) return answer;
    }
    return undefined;
  }

  async versions(): Promise<string[]> {
    const names = await caches.keys();
    return names
      .filter((name) => name.startsWith(this.#prefix))
      .map((name) => name.slice(this.#prefix.length));
  }

  async drop(version: string): Promise<void> {
    await caches.delete(this.#prefix + version);
  }

  #address(file: string): string {
    return this.#folder + file;
  }

  /** The stored file, whatever its bytes. */
  #matchStored(version: string, file: string): Promise<Response | undefined> {
    return caches.match(this.#address(file), { cacheName: this.#prefix + version });
  }

  async #put(file: string, answer: Response): Promise<void> {
    await (await caches.open(this.#prefix + this.#site.version)).put(this.#address(file), answer);
  }

  /**
   * A file with this digest: from another stored version, from the browser's cache, or from the host; with
   * `reload`, from the host only. Throws Error when none of them has it.
   */
  async #obtain(file: string, digest: string, reload = false): Promise<Response> {
    const address = this.#address(file);
    const sources = [
      () => this.matchOther(file),
      () => fetch(address, { cache: "default" }),
      () => fetch(address, { cache: "reload" }),
    ];
    for (const source of reload ? sources.slice(-1) : sources) {
      const answer = await source().catch(() => undefined);
      const right = answer?.status === 200 ? await checkedResponse(answer, digest) : null;
      if (right) return right;
    }
    throw new Error(`offline: no source has ${file} with the digest of this version`);
  }
}
