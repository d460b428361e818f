// Packages from the Debian mirror that this machine already uses, without changing the system: apt-get runs with its
// state, cache and sources in a folder of the cache, and packages are unpacked, never installed.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./cache.mjs";
import { SetupError, say } from "./progress.mjs";
import { ask, onPath, run } from "./run.mjs";

/** The suites to search. Emscripten 6 is in `forky`, and came there from `sid`. */
export const suites = ["forky", "sid"];

/** Entries of a `.list` file. */
export function oneLineEntries(text) {
  return text
    .split("\n")
    .map((line) => line.trim().match(/^deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+(.*)$/))
    .filter(Boolean)
    .map(([, options, uri, suite, components]) => ({
      uri,
      suite,
      components: components.split(/\s+/),
      signedBy: options?.match(/signed-by=(\S+)/i)?.[1],
    }));
}

/** Entries of a `.sources` file. */
export function stanzaEntries(text) {
  return text
    .split(/\n\s*\n/)
    .map((stanza) => {
      const field = (name) =>
        stanza
          .split("\n")
          .filter((line) => !line.startsWith("#"))
          .join("\n")
          .match(new RegExp(`^${name}:[ \\t]*(.*(?:\\n[ \\t]+.*)*)`, "im"))?.[1]
          .trim();
      return { field, types: field("Types")?.split(/\s+/) ?? [] };
    })
    .filter(({ field, types }) => types.includes("deb") && !/^no$/i.test(field("Enabled") ?? ""))
    .flatMap(({ field }) =>
      (field("URIs") ?? "").split(/\s+/).flatMap((uri) =>
        (field("Suites") ?? "").split(/\s+/).map((suite) => ({
          uri,
          suite,
          components: (field("Components") ?? "").split(/\s+/),
          // A key inside the stanza itself starts with "-----": such a stanza names no key file.
          signedBy: /^\/\S+$/.test(field("Signed-By") ?? "") ? field("Signed-By") : undefined,
        })),
      ),
    );
}

/** Every `deb` entry of the machine's own sources, in both notations. */
export function machineSources() {
  const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");
  const folder = "/etc/apt/sources.list.d";
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return [
    ...oneLineEntries(read("/etc/apt/sources.list")),
    ...files.filter((f) => f.endsWith(".sources")).flatMap((f) => stanzaEntries(read(f))),
    ...files.filter((f) => f.endsWith(".list")).flatMap((f) => oneLineEntries(read(f))),
  ];
}

/** Whether an archive has whole suites: not the security archive, not a vendor's, not a disc. */
function mirror() {
  const usable = machineSources().filter(
    ({ uri, suite, components }) =>
      components.includes("main") && !/security/.test(uri + suite) && !/^(cdrom|file):/.test(uri),
  );
  return usable.find(({ uri }) => /debian/i.test(uri)) ?? usable[0] ?? null;
}

export function hasApt() {
  return ["apt-get", "dpkg-deb"].every((name) => onPath(name) !== null);
}

/** apt-get and its relatives over one set of sources. `status` decides what counts as installed: by default nothing. */
class Apt {
  constructor(name, sources, { status } = {}) {
    this.folder = join(cacheFolder(), `apt-${name}`);
    for (const part of ["lists/partial", "cache/archives/partial"]) {
      mkdirSync(join(this.folder, part), { recursive: true });
    }
    writeFileSync(join(this.folder, "sources.list"), sources);
    if (!status) writeFileSync(join(this.folder, "status"), "");
    this.options = [
      `Dir::State=${this.folder}`,
      `Dir::State::lists=${join(this.folder, "lists")}`,
      `Dir::State::status=${status ?? join(this.folder, "status")}`,
      `Dir::Cache=${join(this.folder, "cache")}`,
      `Dir::Etc::sourcelist=${join(this.folder, "sources.list")}`,
      "Dir::Etc::sourceparts=/dev/null",
      "Dir::Etc::preferences=/dev/null",
      "Dir::Etc::preferencesparts=/dev/null",
      "APT::Sandbox::User=root",
      "APT::Get::AllowUnauthenticated=false",
      "Acquire::Languages=none",
      "Acquire::Retries=3",
      "Debug::NoLocking=true",
    ].flatMap((option) => ["-o", option]);
  }

  async update() {
    await run("apt-get", [...this.options, "update", "-qq", "--error-on=any"]);
    return this;
  }

  /** The version that apt-get would choose, or null. */
  version(name) {
    return (
      ask("apt-cache", [...this.options, "policy", name])?.match(/Candidate: (?!\(none\))(\S+)/)?.[1] ?? null
    );
  }

  /** The names of all packages that installing `names` would install. */
  closure(names) {
    const args = [...this.options, "install", "-y", "--no-install-recommends", "--print-uris", ...names];
    const listed = ask("apt-get", args);
    if (listed === null) throw new SetupError(`apt-get finds no way to get ${names.join(", ")}`);
    return [...listed.matchAll(/^'[^']*' ([^_\s]+)_/gm)].map((match) => match[1]);
  }

  /** Downloads the packages and unpacks them into `root`. */
  async unpack(names, root, update = () => {}) {
    const debs = join(root, ".debs");
    mkdirSync(debs, { recursive: true });
    let got = 0;
    await run("apt-get", [...this.options, "download", ...names], {
      cwd: debs,
      onLine: (line) => line.startsWith("Get:") && update(`${++got} of ${names.length} packages fetched`),
    });
    const files = readdirSync(debs).filter((name) => name.endsWith(".deb"));
    for (const [index, file] of files.entries()) {
      update(`${index + 1} of ${files.length} packages unpacked`);
      await run("dpkg-deb", ["-x", join(debs, file), root]);
      await run("rm", ["-f", join(debs, file)]);
    }
    await run("rm", ["-rf", debs]);
  }

  /** Downloads the source of a package into `folder`. */
  async source(name, folder) {
    await run("apt-get", [...this.options, "source", "--download-only", name], { cwd: folder });
    return readdirSync(folder);
  }
}

const opened = new Map();

/** A newer suite of the mirror that this machine uses, or null where there is none. */
export async function suite(name) {
  if (!opened.has(name)) {
    const from = hasApt() ? mirror() : null;
    const options = from?.signedBy ? ` [signed-by=${from.signedBy}]` : "";
    const sources =
      from && ["deb", "deb-src"].map((type) => `${type}${options} ${from.uri} ${name} main\n`).join("");
    const failed = (error) => {
      const why = error.message.match(/^E: .*$/m)?.[0] ?? error.message.split("\n")[0];
      say(`  the mirror's suite ${name} cannot be used: ${why}`);
      return null;
    };
    opened.set(name, sources ? await new Apt(name, sources).update().catch(failed) : null);
  }
  return opened.get(name);
}

/** The machine's own suite: installed packages count, so that only missing ones are fetched. */
export async function ownSuite() {
  if (!opened.has("")) {
    const sources = machineSources().map(({ uri, suite: name, components, signedBy }) => {
      return `deb${signedBy ? ` [signed-by=${signedBy}]` : ""} ${uri} ${name} ${components.join(" ")}\n`;
    });
    const usable = hasApt() && sources.length > 0;
    opened.set(
      "",
      usable ? await new Apt("own", sources.join(""), { status: "/var/lib/dpkg/status" }).update() : null,
    );
  }
  return opened.get("");
}

/** The first suite in which the version of `name` satisfies `accepts`, with that version. */
export async function suiteWith(name, accepts) {
  for (const candidate of suites) {
    const apt = await suite(candidate);
    const version = apt?.version(name);
    if (version && accepts(version)) return { apt, version };
  }
  return null;
}

/** Installs packages with apt-get, as root, only if no installed package would be replaced or removed. */
export async function installAsRoot(names) {
  const simulate = () => ask("apt-get", ["install", "-s", "-y", "--no-install-recommends", ...names]);
  let plan = simulate();
  if (plan === null) {
    await run("apt-get", ["update", "-qq"]).catch(() => null);
    plan = simulate();
  }
  if (plan === null || /^Remv |^Inst \S+ \[/m.test(plan)) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const args = ["install", "-y", "-qq", "--no-install-recommends", ...names];
  try {
    await run("apt-get", args, { env });
  } catch {
    // The lists may be older than the mirror: tries again after an update.
    await run("apt-get", ["update", "-qq"], { env });
    await run("apt-get", args, { env });
  }
  return true;
}
