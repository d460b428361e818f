/** What a tensor is called where one is chosen: "Q, queries · 4×3". */
import type { Config } from "../config/config.js";
import type { Snapshot } from "../core/attention.js";
import type { Words } from "../i18n/words.js";
import { symbolName } from "../marks/lettering.js";
import { formatShape } from "../marks/numbers.js";
import { labOf } from "./open-lab.js";

export function tensorLabel(config: Config, { name: node, shape }: Snapshot, words: Words): string {
  const { symbol, name } = labOf(config).nodeWords(config, node, words);
  const said = [symbolName(symbol), name].filter((part) => part !== "").join(words("sentence.comma"));
  return `${said || node} · ${formatShape(shape)}`;
}
