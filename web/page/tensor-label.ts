/** The label of a tensor in lists: "Q, queries · 4×3". */
import type { Config } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import { formatShape } from "../marks/numbers.js";
import type { Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";

/** `snapshots` are those of `config` and contain the node. */
export function tensorLabel(config: Config, node: string, words: Words, snapshots: Snapshots): string {
  const { symbol, name } = labOf(config).nodeWords(config, node, words, snapshots);
  const label = [symbolName(symbol), name].filter((part) => part !== "").join(words("sentence.comma"));
  return `${label || node} · ${formatShape(snapshots.get(node)?.shape ?? [])}`;
}
