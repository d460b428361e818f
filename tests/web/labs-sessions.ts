/** Configs and sessions for the tests of labs: the real core, the real examples. */
import { readFileSync } from "node:fs";
import type { Config, ConfigOf, LabId, NumbersOf } from "../../web/config/config.js";
import { parameterCount as bertParameterCount, type BertNumbers } from "../../web/config/labs/bert.js";
import { parameterCount as translatorParameterCount } from "../../web/config/labs/encoder-decoder.js";
import { load } from "../../web/core/attention-part.js";
import { load as loadWhole } from "../../web/core/transformer/part.js";
import { exampleById } from "../../web/examples/index.js";
import "../../web/labs/fetched.js";
import { loadLab, type Lab } from "../../web/labs/index.js";
import { builds } from "../../web/labs/builds.js";
import { list, partOf } from "../../web/labs/list.js";
import type { Computed } from "../../web/session/messages.js";
import { Session } from "../../web/session/worker/session.js";
import { wholeBuilds } from "../../web/labs/whole-builds.js";
import { TransformerSession } from "../../web/session/worker/transformer-session.js";
import type { Snapshots } from "../../web/marks/scene.js";

export const core = await load({ build: "simd" });
export const wholeCore = await loadWhole({ build: "simd" });

/** An example's Config with some numbers changed; an unchanged one keeps its example's id. */
export function configOf<L extends LabId>(id: string, numbers: Partial<NumbersOf[L]> = {}): ConfigOf<L> {
  const { config } = exampleById(id)!;
  const example = Object.keys(numbers).length === 0 ? id : null;
  return { ...config, example, numbers: { ...config.numbers, ...numbers } } as unknown as ConfigOf<L>;
}

/** A session with the part of the core that a Config is computed with. */
export function sessionOf(config: ConfigOf<LabId>): Session | TransformerSession {
  return partOf(config) === "attention"
    ? new Session(core, builds)
    : new TransformerSession(wholeCore, wholeBuilds);
}

/** The last answer of a session to a Config. Throws Error if it is an error. */
export function finished(session: ReturnType<typeof sessionOf>, config: ConfigOf<LabId>): Computed {
  let answer = session.compute(config as Config);
  while (answer.isUnfinished) answer = session.compute(config as Config);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

/** Computes a Config in a new session, with the part of the core of its lab. Throws if it is refused. */
export function computed(config: ConfigOf<LabId>): { answer: Computed; snapshots: Snapshots } {
  const session = sessionOf(config);
  try {
    const answer = finished(session, config);
    return { answer, snapshots: new Map(answer.snapshots.map((snapshot) => [snapshot.name, snapshot])) };
  } finally {
    session.delete();
  }
}

/** Every lab, loaded. */
export const labs = Object.fromEntries(
  await Promise.all((Object.keys(list) as LabId[]).map(async (id) => [id, await loadLab(id)])),
) as { [L in LabId]: Lab<L> };

export function labOf<L extends LabId>(config: ConfigOf<L>): Lab<L> {
  return labs[config.view.lab];
}

interface Case {
  name: string;
  expected: Record<string, { shape: number[]; data: number[] }>;
}

/** The expected values of a case of the reference files. */
export function golden(family: string, name: string): Case["expected"] {
  const file = JSON.parse(readFileSync(new URL(`../golden/${family}.json`, import.meta.url), "utf8")) as {
    cases: Case[];
  };
  return file.cases.find((one) => one.name === name)!.expected;
}

/** Numbers of the encoder-decoder lab with a model of these sizes, whose words are `vocabulary`. */
export function givenTranslator(
  sizes: Partial<NumbersOf["encoder-decoder"]> & { vocabulary: string[] },
): NumbersOf["encoder-decoder"] {
  const size = translatorParameterCount(sizes);
  const parameters = [Array.from({ length: size }, (_, at) => Math.sin(at))];
  return { ...configOf<"encoder-decoder">("old-black-cat").numbers, ...sizes, parameters };
}

/** Settings of the BERT lab with given parameters for so many words after [MASK], of which the sentence has the first eleven. */
export function givenBert(count: number, more: Partial<BertNumbers> = {}): Partial<BertNumbers> {
  const vocabulary = Array.from({ length: count }, (_, at) => `word${at}`);
  const numbers: BertNumbers = {
    ...configOf<"bert">("masked-mat").numbers,
    ...{ tokens: vocabulary.slice(0, 11), second: [], hidden: [2, 8], dim: 32, heads: 4, layers: 2 },
    ...{ width: 128, positions: 13, vocabulary },
    ...more,
  };
  const size = bertParameterCount(numbers);
  return { ...numbers, parameters: [Array.from({ length: size }, (_, at) => Math.sin(at) / 2)] };
}
