/** The numbers of the seeds of a claim, in words: each is an option that computes its runs again. */
import type { TrainingNumbers } from "../../config/labs/training.js";
import type { Words } from "../../i18n/words.js";
import { formatNote } from "../../marks/numbers.js";
import { runName } from "./charts.js";
import { claimOf, runsOfClaim, settingsOf, type Claim, type Measured } from "./claims.js";
import { stringsIn, type Say } from "./strings.js";

/** "seed 11: right 1 / 0, loss 0.061 / 1.709": a number for each run, in their order, after the last step. */
export function seedText(claim: Claim, { seed, values }: Measured, say: Say): string {
  const last = (measure: "accuracy" | "loss"): string =>
    runsOfClaim(claim)
      .map((run) => values[run]?.[measure]?.at(-1) ?? null)
      .map((value) => (value === null ? "–" : formatNote(value)))
      .join(" / ");
  return say("seeds.one", { n: seed, accuracy: last("accuracy"), loss: last("loss") });
}

/** Which runs the numbers are of, and with which settings they were measured if those differ from these. */
export function seedsHelp(numbers: TrainingNumbers, words: Words): string {
  const say = stringsIn(words);
  const found = claimOf(numbers);
  if (!found) return "";
  const { claim, differing } = found;
  const runs = runsOfClaim(claim).map((run) => runName(run === "base" ? "first" : run, say));
  const measuredWith = settingsOf(claim, numbers.seed);
  const settings = differing.map((key) => {
    const name = say(`field.${key}` as never);
    const value = String(measuredWith[key] ?? "");
    const text = say.has(`${key}.${value}`) ? say(`${key}.${value}` as never) : value;
    return say("seeds.setting", { name, value: text }).trim();
  });
  const sentence = say("help.seeds", { n: measuredWith.steps, runs: runs.join(" / ") });
  return settings.length === 0
    ? sentence
    : `${sentence} ${say("seeds.other", { settings: settings.join(say("seeds.comma")) })}`;
}
