/** The steps of a story as states: a step keeps the link of its state, and the link of a state may tell the whole story. */
import { decodeSent, encode, type Decoded } from "../../config/codec.js";
import type { Config, StoryStep } from "../../config/config.js";
import { withView } from "../open-lab.js";

/** The state of one step, in the language and theme of `now`, with the story told over it; and what is to say of its link; null where there is no such step. */
export function stepOf(now: Config, story: StoryStep[], place: number): Decoded | null {
  const step = story[place];
  if (!step) return null;
  const { config, notices } = decodeSent(step.link);
  const { lang, theme } = now.view;
  return { config: withView(config, { lang, theme, story, reached: place || undefined }), notices };
}

/** Told no more: the state alone. */
export const withoutStory = (config: Config): Config =>
  withView(config, { story: undefined, reached: undefined });

/** The link that a step keeps of a state. The link it stands in has a checksum for all of it. */
export const linkOf = (config: Config): string =>
  encode(withView(withoutStory(config), { lang: null, theme: null }))
    .replace(/^v=1&c&/, "")
    .replace(/&c=[0-9a-z]+$/, "");
