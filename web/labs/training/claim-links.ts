/** The claims about training as sentences, each with its verdict and the link of its first seed. */
import { encode } from "../../config/codec.js";
import type { Words } from "../../i18n/words.js";
import { claims, resultsOf, settingsOf, verdictOf } from "./claims.js";
import { configOf } from "./config-of.js";
import { stringsIn } from "./strings.js";

export interface ClaimLink {
  sentence: string;
  verdict: string;
  /** Whether it holds for every seed. */
  holds: boolean;
  link: string;
}

export const claimLinks = (words: Words): ClaimLink[] =>
  claims.map((claim) => {
    const say = stringsIn(words);
    const seeds = resultsOf(claim);
    const verdict = verdictOf(claim, seeds);
    return {
      sentence: say(`claim.${claim.id}` as never),
      verdict: say(`verdict.${verdict}`, { n: seeds.length }),
      holds: verdict === "holds",
      link: encode(configOf("training", settingsOf(claim, seeds[0]!.seed))),
    };
  });
