/**
 * The steps of a story as states: a step holds the link of its state, and the link of a state may hold a
 * whole story.
 */
import { decodeSent, encode, type Decoded } from "../../config/codec.js";
import type { Config, StoryStep } from "../../config/config.js";
import { withView } from "../open-lab.js";

/**
 * The state of one step with the notices about its link, in the language and theme of `now` and with the
 * story itself; null when there is no such step.
 */
export function stateOfStep(now: Config, story: StoryStep[], place: number): Decoded | null {
  const step = story[place];
  if (!step) return null;
  const { config, notices } = decodeSent(step.link);
  const { lang, theme } = now.view;
  return { config: withView(config, { lang, theme, story, reached: place || undefined }), notices };
}

/** The state without the story. */
export const withoutStory = (config: Config): Config =>
  withView(config, { story: undefined, reached: undefined });

/**
 * The link of a state as a step stores it, without a checksum: the link that holds the story has one for all
 * of it.
 */
export const linkOf = (config: Config): string =>
  encode(withView(withoutStory(config), { lang: null, theme: null }))
    .replace(/^v=1&c&/, "")
    .replace(/&c=[0-9a-z]+$/, "");
