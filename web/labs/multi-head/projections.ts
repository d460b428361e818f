/** The picture of the projections of the multi-head lab: the words, the weights and their products, and the numbers of parameters. */
import { textWidth } from "../../marks/measure.js";
import type { Scene } from "../../marks/scene.js";
import { hasBiases, hasProjection } from "../../config/labs/multi-head.js";
import { crossingScene } from "../../stage/crossing.js";
import type { Block } from "../../stage/place.js";
import { legendText, projectsKeys } from "./flow.js";
import type { Parts } from "./parts.js";

/** The height of a line of the parameter counts. */
const COUNTS = 18;

/** The number of parameters of each matrix and bias, as a text: the count of numbers that the core returned. */
function parameterCounts({ numbers, snapshots, say }: Parts): string {
  const letters = ["Q", "K", "V", ...(hasProjection(numbers) ? ["O"] : [])];
  const nodes = ["W", ...(hasBiases(numbers) ? ["b"] : [])].flatMap((kind) =>
    letters.map((one) => `${kind}_${one}`),
  );
  const list = nodes.map((node) => `${node} ${snapshots.get(node)!.data.length}`).join(", ");
  return say("labs.multi_head.parameters", { list });
}

/**
 * The scene of the projections: the words on the left, the weights above the queries, keys and values; a phone shows one of these three.
 * Keys and values of other words have a scene of their own.
 */
export function projectionScene(parts: Parts): Scene {
  const { numbers, room, of, alternative, names, keys, say } = parts;
  const ofOthers = numbers.memory !== undefined && projectsKeys(parts);
  const own = alternative === "K" || alternative === "V" ? alternative : ofOthers ? "K" : "Q";
  const all = numbers.memory === undefined ? ["Q", "K", "V"] : ofOthers ? ["K", "V"] : ["Q"];
  const [first, ...others] = parts.isNarrow ? [own] : all;
  const weights = (letter: string): Block => of(`W_${letter}`);
  const left = ofOthers ? "M" : "x";
  const lines = wrapped(parameterCounts(parts), room.width - 16);
  const scene = crossingScene(
    { ...room, height: room.height - lines.length * COUNTS },
    {
      left: of(alternative === `${left}_batch` ? alternative : left),
      above: weights(first!),
      result: of(first!),
      then: others.map(of),
      aboveThen: others.map(weights),
      ...(hasBiases(numbers) && { biases: [first!, ...others].map((letter) => of(`b_${letter}`)) }),
      rowNames: ofOthers ? keys : names,
      legendOf: (family) => legendText(family, say),
    },
  );
  const { step } = weights(first!);
  for (const text of lines) {
    scene.labels.push({ x: 8, y: scene.height + 10, text, kind: "caption", step });
    scene.height += COUNTS;
  }
  return scene;
}

/** A text cut into lines of at most this width. */
function wrapped(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (lines.at(-1) !== "" && textWidth(longer, 12.5) > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
