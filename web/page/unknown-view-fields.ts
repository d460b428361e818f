/**
 * The view fields of a link that its numbers or its lesson do not have: a cell, a gradient, a stop, a
 * picture, a paragraph.
 */
import { cellsText, expecting, type Expected } from "../config/expected.js";
import type { Config, ConfigNotice } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { Cell } from "../marks/board.js";
import type { TargetRoom, Snapshots } from "../marks/scene.js";
import { hasCell, isComputed, nearestCell } from "./cells.js";
import { Memo } from "./memo.js";
import { hasGradient, labOf, sceneFor, stopsOf } from "./open-lab.js";
import type { Playground } from "./playground.js";

const cellText = ({ node, index }: Cell): string => [node, ...index].join();

function notice(field: string, given: string, expected: Expected, used: Cell | null = null): ConfigNotice {
  return { kind: "field", field, given, expected, ...(used && { used: cellText(used) }) };
}

/** The notice for a name that is none of `options`. */
export const unknownName = (field: string, given: string, options: readonly string[]): ConfigNotice =>
  notice(field, given, expecting("choice", { options: options.join(", ") || "none" }));

function cellsOf({ node }: Cell, snapshots: Snapshots): Expected {
  const snapshot = snapshots.get(node);
  const tensors = snapshot ? [snapshot] : [...snapshots.values()];
  return expecting("cells", {
    cells: cellsText(Object.fromEntries(tensors.map(({ name, shape }) => [name, shape]))),
  });
}

/** The widths at which a lab may show different pictures. */
const rooms = [
  { width: 1200, height: 900, layout: "wide" },
  { width: 800, height: 900, layout: "two" },
  { width: 360, height: 700, layout: "narrow" },
] as const;

/** The notice for a picture that the lab shows at no width. */
function unknownPicture(picture: string, config: Config, snapshots: Snapshots, words: Words): ConfigNotice[] {
  const cell = config.view.cell ?? labOf(config).opening(config, snapshots);
  const step = Math.max(
    0,
    stopsOf(config, words, snapshots).findIndex(({ nodes }) => nodes.includes(cell.node)),
  );
  const picturesIn = (arrangement: string | null): string[] =>
    rooms.flatMap((size) => {
      const room: TargetRoom = { ...size, step, cell, arrangement, words };
      return sceneFor(config, snapshots, room).arrangement ?? [];
    });
  // A link may name a picture without the part that is opened in it.
  const isShown = picturesIn(picture).some((one) => one === picture || one.startsWith(`${picture},`));
  return isShown ? [] : [unknownName("picture", picture, [...new Set(picturesIn(null))])];
}

export class UnknownViewFields {
  readonly #notices = new Memo<ConfigNotice[]>();

  /**
   * The notices about `linkConfig`, the Config of a link: none before its numbers are shown, and none once others
   * are. `begun` is the cell that is explained first when that is not the nearest one.
   */
  notices(
    linkConfig: Config | null,
    playground: Playground,
    words: Words,
    firstCell: Cell | null = null,
  ): ConfigNotice[] {
    const { computedConfig, snapshots } = playground;
    if (!linkConfig || computedConfig?.numbers !== linkConfig.numbers) return [];
    const { cell, gradient, guess, stop, picture } = linkConfig.view;
    return this.#notices.of([linkConfig, snapshots, words, firstCell], () => {
      const notices: ConfigNotice[] = [];
      const there: boolean = hasCell(snapshots, cell);
      if (cell && !there) {
        const used = firstCell ?? nearestCell(snapshots, cell);
        notices.push(
          notice("cell", cellText(cell), cellsOf(cell, snapshots), hasCell(snapshots, used) ? used : null),
        );
      }
      const computed = new Map([...snapshots].filter(([, { op }]) => op !== "leaf"));
      if (gradient && !hasGradient(linkConfig, snapshots, gradient)) {
        notices.push(notice("gradient", cellText(gradient), cellsOf(gradient, computed)));
      }
      if (guess && !isComputed(snapshots, guess))
        notices.push(notice("guess", cellText(guess), cellsOf(guess, computed)));
      const stops = stop === undefined ? [] : stopsOf(linkConfig, words, snapshots).map(({ id }) => id);
      if (stop !== undefined && !stops.includes(stop)) notices.push(unknownName("stop", stop, stops));
      if (picture !== undefined) notices.push(...unknownPicture(picture, computedConfig, snapshots, words));
      return notices;
    });
  }
}
