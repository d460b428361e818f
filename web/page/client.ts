/** What the page asks of the session that runs in the worker. */
import type { PartsClient } from "../session/client/parts-client.js";

export type { Computed, Explained } from "../session/messages.js";

export type Client = Pick<PartsClient, keyof PartsClient>;

/**
 * Starts a session of its own. `onRestart` is told when its worker died and another took its place, `onSilence` when it has not answered
 * for long, and when it does after all.
 */
export type StartClient = (
  onRestart: (reason: string) => void,
  onSilence?: (silent: boolean) => void,
) => Client;
