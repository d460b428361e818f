/** What a link asks to look at and its numbers, or its lesson, do not have: a cell, a gradient, a stop, a picture, a paragraph. */
import { cellsText, expecting, type Expected } from "../config/expected.js";
import type { Config, ConfigNotice } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import type { Cell } from "../marks/board.js";
import type { RoomAt, Snapshots } from "../marks/scene.js";
import { hasCell, nearestCell } from "./cells.js";
import { Kept } from "./kept.js";
import { hasGradient, labOf, sceneFor, stopsOf } from "./open-lab.js";
import type { Playground } from "./playground.js";

const cellText = ({ node, index }: Cell): string => [node, ...index].join();

function lost(field: string, given: string, expected: Expected, used: Cell | null = null): ConfigNotice {
  return { kind: "field", field, given, expected, ...(used && { used: cellText(used) }) };
}

/** Of a name that is none of `options`. */
export const lostName = (field: string, given: string, options: readonly string[]): ConfigNotice =>
  lost(field, given, expecting("choice", { options: options.join(", ") || "none" }));

function cellsOf({ node }: Cell, snapshots: Snapshots): Expected {
  const known = snapshots.get(node);
  const tensors = known ? [known] : [...snapshots.values()];
  return expecting("cells", {
    cells: cellsText(Object.fromEntries(tensors.map(({ name, shape }) => [name, shape]))),
  });
}

/** The widths at which a lab may show other pictures. */
const rooms = [
  { width: 1200, height: 900, layout: "wide" },
  { width: 800, height: 900, layout: "two" },
  { width: 360, height: 700, layout: "narrow" },
] as const;

/** Of a picture that the lab shows at no width. */
function lostPicture(picture: string, config: Config, snapshots: Snapshots, words: Words): ConfigNotice[] {
  const cell = config.view.cell ?? labOf(config).opening(config);
  const step = Math.max(
    0,
    stopsOf(config, words, snapshots).findIndex(({ nodes }) => nodes.includes(cell.node)),
  );
  const shown = (arrangement: string | null): string[] =>
    rooms.flatMap((size) => {
      const room: RoomAt = { ...size, step, cell, arrangement, words };
      return sceneFor(config, snapshots, room).arrangement ?? [];
    });
  // A link may name a picture and not what is opened in it.
  const isShown = shown(picture).some((one) => one === picture || one.startsWith(`${picture},`));
  return isShown ? [] : [lostName("picture", picture, [...new Set(shown(null))])];
}

export class LostLooks {
  readonly #found = new Kept<ConfigNotice[]>();

  /**
   * What is to say of `sent`, a link's Config: nothing before its numbers are there, nor once others are. `begun`: the cell that was
   * explained first, where it is not the nearest.
   */
  of(sent: Config | null, playground: Playground, words: Words, begun: Cell | null = null): ConfigNotice[] {
    const { shown, snapshots } = playground;
    if (!sent || shown?.numbers !== sent.numbers) return [];
    const { cell, gradient, stop, picture } = sent.view;
    return this.#found.of([sent, snapshots, words, begun], () => {
      const notices: ConfigNotice[] = [];
      const there: boolean = hasCell(snapshots, cell);
      if (cell && !there) {
        const used = begun ?? nearestCell(snapshots, cell);
        notices.push(
          lost("cell", cellText(cell), cellsOf(cell, snapshots), hasCell(snapshots, used) ? used : null),
        );
      }
      if (gradient && !hasGradient(sent, snapshots, gradient)) {
        const computed = new Map([...snapshots].filter(([, { op }]) => op !== "leaf"));
        notices.push(lost("gradient", cellText(gradient), cellsOf(gradient, computed)));
      }
      const stops = stop === undefined ? [] : stopsOf(sent, words, snapshots).map(({ id }) => id);
      if (stop !== undefined && !stops.includes(stop)) notices.push(lostName("stop", stop, stops));
      if (picture !== undefined) notices.push(...lostPicture(picture, shown, snapshots, words));
      return notices;
    });
  }
}
