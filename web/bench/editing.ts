/** Times the edit of one cell in every example of the gallery, as the page's worker makes it: until all numbers are computed again. */
import type { Config } from "../config/config.js";
import { settingsOf } from "../config/labs.js";
import type { Core } from "../core/index.js";
import { examples } from "../examples/index.js";
import { wholeBuilds } from "../labs/whole-builds.js";
import { TransformerSession } from "../session/worker/transformer-session.js";
import type { Snapshot } from "../marks/scene.js";
import { median } from "./timing.js";

export interface Edited {
  /** The id of the example. */
  id: string;
  /** The leaf whose cell was edited; null where the example has none. */
  node: string | null;
  /** The number of nodes that were evaluated again. */
  nodes: number;
  /** The time of one edit in the worker, in milliseconds. */
  milliseconds: number;
}

/** The first leaf that a reader may edit, and the number in its first cell. */
function firstCell(
  config: Config,
  snapshots: readonly Snapshot[],
): { node: string; index: number[]; value: number } | null {
  const shapes = settingsOf(config.view.lab).leaves(config.numbers as never);
  for (const [node, shape] of Object.entries(shapes)) {
    const snapshot = snapshots.find(({ name }) => name === node);
    if (snapshot) return { node, index: shape.map(() => 0), value: snapshot.data[0]! };
  }
  return null;
}

function edited(core: Core, id: string, config: Config, times: number): Edited {
  const session = new TransformerSession(core, wholeBuilds);
  try {
    const whole = session.compute(config);
    if (whole.error !== undefined) throw new Error(`${id}: ${whole.error}`);
    const cell = firstCell(config, whole.snapshots);
    if (!cell) return { id, node: null, nodes: 0, milliseconds: 0 };
    const answers = Array.from({ length: times }, (_, turn) => {
      // Each edit writes another number than the present one.
      const edits = [{ ...cell, value: cell.value + (turn % 2 ? 0.5 : 0.25) }];
      const answer = session.compute({
        ...config,
        example: null,
        numbers: { ...config.numbers, edits },
      } as Config);
      if (answer.error !== undefined) throw new Error(`${id}: ${answer.error}`);
      return answer;
    });
    return {
      id,
      node: cell.node,
      nodes: answers[0]!.snapshots.length,
      milliseconds: median(answers.map(({ milliseconds }) => milliseconds)),
    };
  } finally {
    session.delete();
  }
}

/** The longest acceptable time of an edit: one frame at 60 frames a second. */
export const FRAME_MS = 16;

export const editingTimes = (core: Core, times = 7): Edited[] =>
  examples.map(({ id, config }) => edited(core, id, config, times));
