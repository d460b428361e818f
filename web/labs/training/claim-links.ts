/** The claims about training as sentences, each with the link of its first seed. */
import { encode } from "../../config/codec.js";
import type { Words } from "../../i18n/words.js";
import { claims, resultsOf, settingsOf } from "./claims.js";
import { configOf } from "./config-of.js";
import { stringsIn } from "./strings.js";

export const claimLinks = (words: Words): { sentence: string; link: string }[] =>
  claims.map((claim) => ({
    sentence: stringsIn(words)(`claim.${claim.id}` as never),
    link: encode(configOf("training", settingsOf(claim, resultsOf(claim)[0]!.seed))),
  }));
