/** Runs in the page, beside its own script: computes links with the site's own workers and compares their numbers with the stored ones. */
import { relaxedSimd } from "wasm-feature-detect";
import { decode } from "../../web/config/codec.js";
import type { ApApp } from "../../web/page/app.js";
import type { Client } from "../../web/page/client.js";
import { formatNote } from "../../web/marks/numbers.js";
import type { Snapshot } from "../../web/marks/scene.js";
import { numberIn } from "../browser/cell-name.js";
import { compare, type Compared, type LinkNumbers } from "../links/numbers.js";
import { idleStage, note, queryAll } from "./shadow-roots.js";

const app = (): ApApp => document.querySelector<ApApp>("ap-app")!;

const wrong = (complaint: string): Compared => ({ tensors: 0, deviation: 0, complaints: [complaint] });

let client: Client | null = null;
let restarted = "";
let snapshots = new Map<string, Snapshot>();

/** Computes a link as the page would after the previous one, and compares. */
async function compute(line: LinkNumbers): Promise<Compared> {
  client ??= app().startClient((reason) => (restarted = reason));
  const { config } = decode(line.link);
  let answer = await client.compute(config);
  // A run that trains answers with moments on the way.
  while (answer.isUnfinished) answer = await client.compute(config);
  const { all, snapshots: made, error } = answer;
  if (restarted !== "") return wrong(`the worker was started again: ${restarted}`);
  if ("refused" in line)
    return error === line.refused ? compare({}, []) : wrong(`${error} is said, kept is ${line.refused}`);
  if (error !== undefined) return wrong(error);
  snapshots = new Map([...(all ? [] : snapshots), ...made.map((one) => [one.name, one] as const)]);
  return compare(line.tensors, [...snapshots.values()]);
}

/** The address of a cell as the note writes it: "scores[0, 2]". */
const placeOf = (heading: string): { node: string; index: number[] } | null => {
  const [, node, index] = /^(.+)\[([\d, ]*)\]$/.exec(heading.replace(/[\s\u200b]+/g, " ").trim()) ?? [];
  return node === undefined ? null : { node, index: index!.split(", ").map(Number) };
};

/**
 * Compares the numbers that the page shows for the link in its address with the stored ones, to the digits of the note: the number
 * that the note explains, and the cells of every drawn matrix with a tensor's name and shape. Null until the page shows them.
 */
async function shown(line: LinkNumbers): Promise<Compared | null> {
  const cells = queryAll("[role=gridcell]");
  if (!cells.length || !queryAll(idleStage).length) return null;
  const computed = await compute(line);
  if (computed.complaints.length) return computed;
  const complaints: string[] = [];
  let compared = 0;
  const hold = (what: string, shown: string | undefined, value: number | undefined): void => {
    compared += 1;
    const wanted = value === undefined ? "no number" : formatNote(value);
    if (shown !== wanted) complaints.push(`${what} is shown as ${shown}, computed is ${wanted}`);
  };
  const place = placeOf(queryAll(`${note} h2`)[0]?.textContent ?? "");
  const explained = place && snapshots.get(place.node);
  if (!place || !explained) return wrong("the note explains no cell");
  const at = explained.shape.reduce((sum, size, axis) => sum * size + place.index[axis]!, 0);
  const value = formatNote(explained.data[at]!);
  hold(
    `${place.node}[${place.index}]`,
    queryAll(`${note} :is(.body *, .value)`)
      .map((part) => part.textContent.trim())
      .find((part) => part === value),
    explained.data[at],
  );
  for (const cell of cells) {
    const grid = cell.closest<HTMLElement>("[role=grid]")!;
    const tensor = snapshots.get(grid.dataset["board"]!);
    const rows = grid.querySelectorAll("[role=row]");
    const [row, column] = [
      Number((cell as HTMLElement).dataset["row"]),
      Number((cell as HTMLElement).dataset["column"]),
    ];
    const columns = rows[0]!.children.length;
    if (
      !tensor ||
      tensor.shape.length !== 2 ||
      tensor.shape[0] !== rows.length ||
      tensor.shape[1] !== columns
    )
      continue;
    const name = cell.getAttribute("aria-label") ?? "";
    hold(`${tensor.name}[${row}, ${column}]`, numberIn(name), tensor.data[row * columns + column]);
  }
  return { ...computed, tensors: compared, complaints };
}

const linksPage = { compute, shown, relaxed: relaxedSimd };
export type LinksPage = typeof linksPage;

declare global {
  interface Window {
    linksPage: LinksPage;
  }
}
window.linksPage = linksPage;
