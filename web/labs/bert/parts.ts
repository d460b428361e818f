/** What the parts of the BERT lab's picture share: the sheet, the place in view, and how they draw on the sheet. */
import { arcHead, bertVocabulary } from "../../config/labs/bert.js";
import type { ConfigOf } from "../../config/config.js";
import type { Curve, Label } from "../../marks/scene.js";
import { readArrangement } from "../../stage/arrangement.js";
import { drawOn, writeOn } from "../../stage/pen.js";
import type { Sheet } from "../../stage/sheet.js";
import type { Strings } from "./strings.js";

export interface Parts extends Sheet<ConfigOf<"bert">, Strings> {
  /** The words that BERT reads, by place, and the hidden places. */
  words: readonly string[];
  gaps: readonly number[];
  /** The head of the arcs; the place that they start from; the gap whose candidates are drawn. */
  head: number;
  place: number;
  gap: number;
}

/** The sheet with the head, the place and the gap of the arrangement, or those that the lab opens with. */
export function partsOf(sheet: Sheet<ConfigOf<"bert">, Strings>): Parts {
  const { numbers, snapshots, room } = sheet;
  const vocabulary = bertVocabulary(numbers);
  const words = [...(snapshots.get("ids")?.data ?? [])].map((id) => vocabulary[id]!);
  const gaps = [...(snapshots.get("hidden_places")?.data ?? [])];
  const [wanted = -1, chosen = -1, nth = 0] = readArrangement(room).memory;
  const head = wanted >= 0 && wanted < numbers.heads ? wanted : arcHead(numbers);
  const gap = gaps[nth] ?? gaps[0]!;
  const place = chosen in words ? chosen : gap;
  return { ...sheet, words, gaps, head, place, gap: gaps.includes(place) ? place : gap };
}

/** Draws lines and writes texts that come with a step of Play. The ids of the lines begin with "bert". */
export const penAt = ({ scene }: Parts, step: number) => ({
  line(id: string, points: Curve["points"], more: Partial<Curve> = {}): void {
    drawOn(scene, `bert-${id}`, "activation", "line", points, { step, ...more });
  },
  write(kind: Label["kind"], x: number, y: number, text: string, more: Partial<Label> = {}): void {
    writeOn(scene, kind, x, y, text, { step, ...more });
  },
});
