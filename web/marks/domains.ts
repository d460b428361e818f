/** The domains of the colour scales: one per family of tensors on screen, or one per tensor. See DESIGN.md, section 2. */
import type { Board } from "./board.js";
import { domainOf } from "./colour.js";
import { memoizedBy } from "./memoized-by.js";
import { valuesOf } from "./plane.js";
import type { Snapshot } from "./scene.js";

/** The largest finite |x| of each drawn plane of a snapshot, memoized. Masked cells (−1e9, for example) do not count. */
const largestByPlane = memoizedBy((_: Snapshot) => new Map<string, number>());

function largestOf(board: Board): number {
  if (!board.tensor) return 0;
  const { plane, drawn, placed } = board.tensor;
  const planes = largestByPlane(drawn);
  const masked = placed.masked?.flat() ?? [];
  const key = `${plane.at.join()} ${masked.map(Number).join("")}`;
  let size = planes.get(key);
  if (size === undefined) {
    size = 0;
    let cell = 0;
    for (const value of valuesOf(plane, drawn.data)) {
      const abs = Math.abs(value);
      if (abs > size && abs < Infinity && !masked[cell]) size = abs;
      cell += 1;
    }
    planes.set(key, size);
  }
  return size;
}

/** The id of the colour scale of a board: its family if scales are shared, else its own. */
export function familyOf(board: Board, scales: "shared" | "own"): string {
  if (!board.tensor) return board.id;
  // Bars have the fills of another node, whose cells stand on one line.
  const { form } = board.tensor.placed;
  if (scales === "own" && form?.kind === "bars") return `${form.filledBy} `;
  return scales === "own" ? `${board.node} ${board.tensor.plane.at.join()}` : board.tensor.placed.family;
}

/** The m of every family on screen. Probabilities have 0 … 1 unless their scale is stretched. `least` gives families a minimum. */
export function domainsOf(
  boards: readonly Board[],
  scales: "shared" | "own",
  least: ReadonlyMap<string, number> | null,
): Map<string, number> {
  const sizes = new Map<string, number[]>();
  const domains = new Map<string, number>();
  for (const board of boards) {
    // Bars have the fills of another node, which is on screen too.
    if (!board.tensor || board.tensor.placed.form?.kind === "bars") continue;
    const family = familyOf(board, scales);
    const { fill, stretched } = board.tensor.placed;
    if (fill === "probability" && !stretched) domains.set(family, 1);
    else sizes.set(family, [...(sizes.get(family) ?? []), largestOf(board)]);
  }
  for (const [family, all] of sizes) domains.set(family, Math.max(domainOf(all), least?.get(family) ?? 0));
  return domains;
}
