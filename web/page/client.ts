/** The calls that the page makes to the session in its worker. */
import type { PartsClient } from "../session/client/parts-client.js";

export type { Computed, Explained } from "../session/messages.js";

export type Client = Pick<PartsClient, keyof PartsClient>;

/**
 * Starts a session of its own. `onRestart` is called when its worker died and another took its place;
 * `onSilence` when it has not answered for long, and again when it does answer.
 */
export type StartClient = (
  onRestart: (reason: string) => void,
  onSilence?: (silent: boolean) => void,
) => Client;
