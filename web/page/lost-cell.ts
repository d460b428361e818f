/** A cell that a link asks for and its numbers do not have. */
import { cellsText, expecting } from "../config/expected.js";
import type { Config, ConfigNotice } from "../config/config.js";
import type { Cell } from "../marks/board.js";
import { hasCell, nearestCell } from "./cells.js";
import type { Playground } from "./playground.js";

const cellText = ({ node, index }: Cell): string => [node, ...index].join();

/**
 * What is to say of the cell of `sent`, a link's Config: nothing before its numbers are there, nor once others are. `begun`: the cell that
 * was explained first, where it is not the nearest.
 */
export function lostCell(
  sent: Config | null,
  { shown, snapshots }: Playground,
  begun: Cell | null = null,
): ConfigNotice[] {
  const cell = sent?.view.cell;
  if (!cell || shown?.numbers !== sent.numbers) return [];
  const there: boolean = hasCell(snapshots, cell);
  if (there) return [];
  const used = begun ?? nearestCell(snapshots, cell);
  const known = snapshots.get(cell.node);
  const tensors = known ? [known] : [...snapshots.values()];
  const cells = cellsText(Object.fromEntries(tensors.map(({ name, shape }) => [name, shape])));
  return [
    {
      kind: "field",
      field: "cell",
      given: cellText(cell),
      expected: expecting("cells", { cells }),
      ...(hasCell(snapshots, used) && { used: cellText(used) }),
    },
  ];
}
