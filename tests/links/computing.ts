/** Computes the numbers of a Config in Node, with the sessions of the page's workers. */
import type { Config } from "../../web/config/config.js";
import { load } from "../../web/core/attention.js";
import { load as loadWhole, type Build } from "../../web/core/index.js";
import { loadLabs } from "../../web/core/labs-part.js";
import { builds } from "../../web/labs/builds.js";
import type { Computed } from "../../web/session/messages.js";
import { Session } from "../../web/session/worker/session.js";
import { transformerBuilds } from "../../web/labs/transformer-builds.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { TransformerSession } from "../../web/session/worker/transformer-session.js";

export type Compute = (config: Config) => Computed;

const once =
  (make: () => Pick<Session, "compute" | "delete">): Compute =>
  (config) => {
    const session = make();
    try {
      let computed = session.compute(config);
      while (computed.isUnfinished) computed = session.compute(config);
      return computed;
    } finally {
      session.delete();
    }
  };

/** Computes any Config from scratch with the whole core. */
export async function wholeCore(build: Build): Promise<Compute> {
  const core = await loadWhole({ build });
  return once(() => new TransformerSession(core, wholeBuilds));
}

/** Computes any Config with the part of the core in frames. */
export async function labsPart(): Promise<Compute> {
  const wasm = new URL("../../build/core/simd/labs.wasm", import.meta.url);
  const core = await loadLabs({ build: "simd", wasm });
  return once(() => new TransformerSession(core, transformerBuilds));
}

/** Computes Configs of the attention part with that part of the core. */
export async function attentionPart(build: Build): Promise<Compute> {
  const core = await load({ build });
  return once(() => new Session(core, builds));
}
