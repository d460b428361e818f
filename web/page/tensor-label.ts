/** What a tensor is called where one is chosen: "Q, queries · 4×3". */
import type { Config } from "../config/config.js";
import type { Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import { formatShape } from "../marks/numbers.js";
import type { Snapshots } from "../marks/scene.js";
import { labOf } from "./open-lab.js";

/** `snapshots` are those of `config`, which the node is one of. */
export function tensorLabel(config: Config, node: string, words: Words, snapshots: Snapshots): string {
  const { symbol, name } = labOf(config).nodeWords(config, node, words, snapshots);
  const said = [symbolName(symbol), name].filter((part) => part !== "").join(words("sentence.comma"));
  return `${said || node} · ${formatShape(snapshots.get(node)?.shape ?? [])}`;
}
