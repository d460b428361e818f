/** In the page, beside its own script: computes links with the site's own workers and compares the numbers with those kept. */
import { relaxedSimd } from "wasm-feature-detect";
import { decode } from "../../web/config/codec.js";
import type { ApApp } from "../../web/page/app.js";
import type { Client } from "../../web/page/client.js";
import type { Playground } from "../../web/page/playground.js";
import type { Snapshot } from "../../web/marks/scene.js";
import { compare, type Compared, type LinkNumbers } from "../links/numbers.js";

const app = (): ApApp => document.querySelector<ApApp>("ap-app")!;

const wrong = (complaint: string): Compared => ({ tensors: 0, deviation: 0, complaints: [complaint] });

let client: Client | null = null;
let restarted = "";
let snapshots = new Map<string, Snapshot>();

/** Computes a link as the page would after the one before it, and compares. */
async function compute(line: LinkNumbers): Promise<Compared> {
  client ??= app().startClient((reason) => (restarted = reason));
  const { all, snapshots: made, error } = await client.compute(decode(line.link).config);
  if (restarted !== "") return wrong(`the worker was started again: ${restarted}`);
  if ("refused" in line)
    return error === line.refused ? compare({}, []) : wrong(`${error} is said, kept is ${line.refused}`);
  if (error !== undefined) return wrong(error);
  snapshots = new Map([...(all ? [] : snapshots), ...made.map((one) => [one.name, one] as const)]);
  return compare(line.tensors, [...snapshots.values()]);
}

/** Compares what the page itself shows of the link in its address; null until it shows that. */
function shown(line: LinkNumbers): Compared | null {
  const lab = app().shadowRoot?.querySelector("ap-lab") as (Element & { playground: Playground }) | null;
  const stage = lab?.shadowRoot?.querySelector("ap-stage");
  const drawn = stage?.shadowRoot?.querySelector("[role=gridcell]");
  if (!lab || !drawn || !("tensors" in line)) return null;
  const { playground } = lab;
  const { config } = decode(line.link);
  const same = JSON.stringify(playground.shown?.numbers) === JSON.stringify(config.numbers);
  if (playground.trouble) return wrong(playground.trouble.reason);
  return same && !playground.standsBack ? compare(line.tensors, [...playground.snapshots.values()]) : null;
}

const linksPage = { compute, shown, relaxed: relaxedSimd };
export type LinksPage = typeof linksPage;

declare global {
  interface Window {
    linksPage: LinksPage;
  }
}
window.linksPage = linksPage;
