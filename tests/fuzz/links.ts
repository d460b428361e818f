/** Sends mutated links through the decoder: it must return a valid Config for any input, with no more work than its bounds allow. */
import { linkBounds, mostWork, type Work } from "../../web/config/bounds.js";
import { type Decoded, decode, encode } from "../../web/config/codec.js";
import { frameFields } from "../../web/config/frame-fields.js";
import { noWork } from "../../web/config/packing.js";
import { stateText } from "../../web/config/state.js";
import { validateConfig } from "../../web/config/validate.js";
import { type Corpus, linkCorpus } from "./corpus.js";
import { Draws } from "./draws.js";
import { mutated } from "./mutations.js";

export { linkCorpus, mostWork };

/** One link in this many is large: otherwise most of the time would go to a few of them. */
const largeOnceIn = 100;
/** One Config in this many is written as a link and read again. */
const againOnceIn = 50;

export interface Seen {
  number: number;
  link: string;
}

export interface Report {
  links: number;
  /** The number of links with a notice of each kind, and of those with none. */
  notices: Record<string, number>;
  /** The number of Configs of each lab. */
  labs: Record<string, number>;
  /** The link that took most work, counted, and the one that took longest, by the clock of this machine. */
  most: Seen & { work: Work };
  slowest: Seen & { milliseconds: number };
  failures: (Seen & { why: string })[];
}

/** The work: bytes, cells and fields, which cost about the same each. */
const total = ({ fields, inflated, cells }: Work): number => fields + inflated + cells;

function broken({ config, notices }: Decoded, work: Work, again: boolean): string | null {
  try {
    validateConfig(config);
  } catch (error) {
    return `a Config that is not valid: ${String(error)}`;
  }
  for (const [name, count] of Object.entries(work) as [keyof Work, number][])
    if (count > mostWork[name]) return `${count} ${name}, and ${mostWork[name]} are the most`;
  if (notices.length > linkBounds.notices + 1) return `${notices.length} notices`;
  for (const { field = "", given = "", used = "" } of notices) {
    const text = field + given + used;
    if (text.length > 260) return `a notice of ${text.length} characters`;
    if (/\p{Cs}/u.test(text)) return `a notice with half a character: ${JSON.stringify(text)}`;
  }
  if (!again) return null;
  const link = encode(config);
  if (link.length > linkBounds.characters) return null;
  const { config: read, notices: said } = decode(link);
  if (said.length > 0) return `written as a link it is read with ${JSON.stringify(said)}`;
  return stateText(read) === stateText(config) ? null : "written as a link it is read as another";
}

/** Draws the links `from` to `from + count` of the seed; each depends only on its own number. Stops at five failures. */
export function fuzzLinks(
  corpus: Corpus,
  { seed, count, from = 0 }: { seed: number; count: number; from?: number },
  told: (links: number) => void = () => {},
): Report {
  const report: Report = {
    links: 0,
    notices: {},
    labs: {},
    most: { number: 0, link: "", work: noWork() },
    slowest: { number: 0, link: "", milliseconds: 0 },
    failures: [],
  };
  const add = (counts: Record<string, number>, name: string) => (counts[name] = (counts[name] ?? 0) + 1);
  for (let number = from; number < from + count && report.failures.length < 5; number++) {
    const draws = new Draws(seed, number);
    const link = mutated(draws, corpus, largeOnceIn);
    const work = noWork();
    const since = performance.now();
    let why: string | null;
    try {
      const decoded = decode(frameFields(link).link, work);
      const milliseconds = performance.now() - since;
      if (total(work) > total(report.most.work)) report.most = { number, link, work };
      if (milliseconds > report.slowest.milliseconds) report.slowest = { number, link, milliseconds };
      for (const kind of new Set(decoded.notices.map(({ kind }) => kind))) add(report.notices, kind);
      if (decoded.notices.length === 0) add(report.notices, "none");
      add(report.labs, decoded.config.view.lab);
      why = broken(decoded, work, draws.once(againOnceIn));
    } catch (error) {
      why = `thrown: ${error instanceof Error ? error.stack : String(error)}`;
    }
    if (why) report.failures.push({ number, link, why });
    report.links++;
    if (report.links % 10_000 === 0) told(report.links);
  }
  return report;
}
