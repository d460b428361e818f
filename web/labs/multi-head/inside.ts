/** The rows that the target is computed from, large enough for their numbers: those of its head, or those of the output projection. */
import { hasBiases } from "../../config/labs/multi-head.js";
import { columnNames } from "../../marks/measure.js";
import { writeOn } from "../../stage/pen.js";
import { inHead, place, type Block } from "../../stage/place.js";
import { stripOf } from "../../stage/strip.js";
import { stopPictures } from "./flow.js";
import { STRIP, isShown, type Parts, type Span } from "./parts.js";
import { logits, mixingNode } from "./tensors.js";

/** The heights of the heading, of the names of words over a strip, and between two strips: with their texts before them, or over them. */
const HEIGHT = { heading: 14, names: 15, before: 10, over: 26 };
/** The width of the texts before the strips, and that of texts and strips under which the texts stand over the strips. */
const WIDTH = { text: 146, least: 250 };

/** One row or column as a strip, and its text. */
type Strip = readonly [block: Block, text: string];

/** The strips of the output projection: the joined row of the word, the column of W_O that gives the number, and the biases. */
function joinStrips({ numbers, of, row, column, say }: Parts): Strip[] {
  const strips: Strip[] = [
    [stripOf(of("concat"), [row, null]), of("concat").name],
    [stripOf(of("W_O"), [null, column]), say("labs.multi_head.row.W_O", { n: column })],
  ];
  return hasBiases(numbers) ? [...strips, [stripOf(of("b_O"), [null]), of("b_O").name]] : strips;
}

/** The strips of a head: query, key, the scores up to the weights, and a column of the values; on a phone, those of its stop. */
function headStrips(parts: Parts): Strip[] {
  const { numbers, of, say, keys, word, head, row, key, column, alternative, picture } = parts;
  const strip = (node: string, at: (number | null)[]): Block => stripOf(inHead(of(node), head), at);
  const ofWord = (node: string, text = of(node).name): Strip => [strip(node, [row, null]), text];
  const keyStrip = alternative === "K_heads" ? strip("K_heads", [key, null]) : strip("K_T", [null, key]);
  const strips: Strip[] = [
    ofWord("Q_heads", say("labs.multi_head.row.Q_heads", { word })),
    [keyStrip, say("labs.multi_head.row.K_T", { word: keys[key] ?? "" })],
    ...[...logits(numbers), mixingNode(numbers)].map((node) => ofWord(node)),
    [strip("V_heads", [null, column]), say("labs.multi_head.row.V_heads", { n: column })],
  ];
  // The maps show the weights where they are on the stage.
  const onMaps = isShown(parts, "attend") ? "weights" : "";
  const ofStop: readonly string[] | undefined = stopPictures[picture as keyof typeof stopPictures];
  return strips.filter(([{ node }]) => node !== onMaps && (ofStop?.includes(node) ?? true));
}

/** Places the strips between two edges, each after its text, or under it where there is little room. Returns the y below them. */
export function placeInside(parts: Parts, [left, right]: Span, top: number): number {
  const { scene, alternative, head, say } = parts;
  const part = alternative === "joined" ? "join" : "head";
  const strips = part === "join" ? joinStrips(parts) : headStrips(parts);
  const heading = say(`labs.multi_head.inside.${part}`, { n: head });
  const step = Math.min(...strips.map(([block]) => block.step));
  writeOn(scene, "heading", left, top + 13, heading, { step, ...(part === "head" && { role: "attention" }) });
  const isOver = right - left < WIDTH.least;
  const x = left + 6 + (isOver ? 0 : WIDTH.text);
  // The words over the first strip of words, where its text does not stand there.
  const first = isOver ? undefined : strips.find(([block]) => block.names?.columns);
  let bottom = top + HEIGHT.heading;
  for (const [block, text] of strips) {
    const { node, role, step } = block;
    const cell = Math.min(STRIP.widest, (right - 6 - x) / block.columns);
    const words = (block === first?.[0] && block.names?.columns) || [];
    const isNamed = words.length > 0 && columnNames(words, cell).degrees === 0;
    const y = bottom + (isOver ? HEIGHT.over : HEIGHT.before) + (isNamed ? HEIGHT.names : 0);
    const placing = { id: `inside-${node}`, ...(isNamed && { columnNames: words }) };
    place(scene, block, x, y, cell, STRIP.height, placing);
    if (isOver) writeOn(scene, "axis", left, y - 9, text, { role, step });
    else writeOn(scene, "axis", x - 12, y + 14, text, { role, step, anchor: "end" });
    bottom = y + STRIP.height;
  }
  return bottom;
}
