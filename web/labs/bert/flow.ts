/** The stops of Play in the BERT lab, what its picture has in view, and the lines of tensors of all places. */
import type { Block } from "../../stage/place.js";
import {
  arcHead,
  bertVocabulary,
  inShownLayer,
  sequenceOf,
  type BertNumbers,
} from "../../config/labs/bert.js";
import type { ConfigOf } from "../../config/config.js";
import type { Words } from "../../i18n/words.js";
import type { Room, TargetRoom, Snapshots } from "../../marks/scene.js";
import { arrangementOf, readArrangement, writeArrangement } from "../../stage/arrangement.js";
import type { Flow, Line, Piece, TensorPiece } from "../../stage/flow.js";
import { withOperations } from "../../stage/graph/operations.js";
import { cellAt, largestInRow } from "../../telling/largest.js";
import type { Stop, Stops } from "../../telling/declaration.js";

type Config = ConfigOf<"bert">;

/** The largest number of columns of all heads that stand side by side. */
const MOST_COLUMNS = 44;

const attention = "self_attn.weights";
const tables = ["word", "position", "token_type"].map((name) => `embeddings.${name}_embeddings.weight`);
const terms = ["embeddings.tokens", "embeddings.positions", "embeddings.segments"];
const measured = ["input_means", "input_deviations", "losses", "curve"];

/** The rows that enter the layer that is shown. */
export const enteringNode = ({ layer = 0 }: Pick<BertNumbers, "layer">): string =>
  layer === 0 ? "embeddings.norm" : inShownLayer({ layer: layer - 1 }, "norm2");

/** The parts of the picture that stand below the sentences. */
const parts = ["tables", "sum", "attend", "layer", "predict", "score"] as const;
export type Part = (typeof parts)[number];
const isPart = (id: string): id is Part => (parts as readonly string[]).includes(id);

/** The nodes that each part shows. */
function shownIn(numbers: BertNumbers): Record<Part, readonly string[]> {
  const inLayer = (...names: string[]): string[] => names.map((name) => inShownLayer(numbers, name));
  return {
    // A table of many words is too high for a phone.
    tables: [...tables.slice(numbers.vocabulary ? 1 : 0), ...terms],
    sum: [...tables, ...terms, "embeddings.with_segments", "embeddings.norm", "probabilities", ...measured],
    attend: inLayer(attention, "self_attn.output"),
    layer: [enteringNode(numbers), ...inLayer("self_attn.output", "norm1", "linear2", "norm2")],
    predict: ["head.norm", "logits", tables[0]!],
    score: ["asked", "probabilities", "loss", "losses", "curve"],
  };
}

/** The part of each stop; a phone shows the tables, with the rows of all places, apart from the sum of one place. */
const byStop: readonly Part[] = ["sum", "sum", "sum", "attend", "layer", "predict", "score"];
const partAt = ({ step, layout }: Room): Part =>
  layout === "narrow" && step === 0 ? "tables" : (byStop[step] ?? "sum");

/** The part of the room's arrangement, and the stop that it belongs to: the room's own, if that has the part. */
export function partOf(room: Room): { part: Part; step: number } {
  const { id } = readArrangement(room);
  const part = isPart(id) ? id : partAt(room);
  return { part, step: partAt(room) === part ? room.step : Math.max(0, byStop.lastIndexOf(part)) };
}

/** The nodes whose cells are at no place of the sequence. */
const WITHOUT_PLACE = /^(curve|losses|loss|targets|ids|segment_ids|hidden_places)$|bias$|weight$/;

/**
 * The part of the picture, and in it the head, the place and the gap: those of the target cell; a head only while its own weights are
 * the target. -1 is the head of the setting, or the place of the gap.
 */
export function arrange({ numbers }: Config, room: TargetRoom): string {
  const { cell, layout } = room;
  // The weights under the words are in every part; a phone has no cells there.
  const shown = shownIn(numbers);
  const above = layout === "narrow" ? [] : [inShownLayer(numbers, attention)];
  const nodesOf = (id: string): readonly string[] | undefined =>
    isPart(id) ? [...shown[id], ...above] : undefined;
  const { id, memory } = arrangementOf(room, partAt(room), nodesOf);
  const [, place = -1, gap = 0] = memory;
  if (!cell) return writeArrangement(id, [-1, place, gap]);
  const { node, index } = cell;
  if (node === "asked" || node === "probabilities") return writeArrangement(id, [-1, -1, index[0] ?? 0]);
  const hasHeads = index.length === 3;
  const hasPlace = node === tables[1] || (index.length > 1 && !WITHOUT_PLACE.test(node));
  const now = hasPlace ? index[hasHeads ? 1 : 0]! : place;
  const isInSentence = now >= 0 && now < sequenceOf(numbers).length;
  return writeArrangement(id, [hasHeads ? index[0]! : -1, isInSentence ? now : -1, gap]);
}

function visibleHeads({ numbers }: Config, room: Room, head: number): number[] {
  const length = sequenceOf(numbers).length;
  const mostHeads = Math.max(1, Math.min(numbers.heads, Math.floor(MOST_COLUMNS / length)));
  const count = room.layout === "narrow" ? 1 : mostHeads;
  const from = Math.min(Math.floor(head / count) * count, numbers.heads - count);
  return Array.from({ length: count }, (_, at) => from + at);
}

/** The first hidden place; of words that are hidden by chance, as the core drew them. */
const firstHidden = ({ hidden }: Config["numbers"], snapshots: Snapshots): number =>
  snapshots.get("hidden_places")?.data[0] ?? hidden[0] ?? 1;

export function stops({ numbers }: Config, _words: Words, snapshots: Snapshots): Stops {
  // Each stop has a cell in the row of the first hidden place.
  const place = firstHidden(numbers, snapshots);
  const largest = (node: string, ...index: number[]): Stop => largestInRow(snapshots, { node, index });
  const sum = largest("embeddings.with_segments", place, 0);
  const ofHead = (head: number) => largest(inShownLayer(numbers, attention), head, place, 0);
  return {
    embed: largest("embeddings.position_embeddings.weight", place, 0),
    add: sum,
    norm: cellAt("embeddings.norm", place, sum.index[1]!),
    attend: ofHead(arcHead(numbers)),
    layer: largest(inShownLayer(numbers, "norm2"), place, 0),
    predict: largest("logits", place, 0),
    score: largest("probabilities", 0, 0),
  };
}

/** The likeliest word of the first gap. */
export const opening = (_: Config, snapshots: Snapshots): Stop =>
  largestInRow(snapshots, { node: "probabilities", index: [0, 0] });

/** The lines of a stop, for the tensors of all places; the maps of attention are those around a head. */
export function flow(
  config: Config,
  snapshots: Snapshots,
  room: Room,
  of: (node: string) => Block,
  head = arcHead(config.numbers),
): Flow {
  const { numbers } = config;
  const layer = (name: string): Block => of(inShownLayer(numbers, name));
  const shown = shownIn(numbers);
  const line = (...pieces: Piece[]): Line => ({ pieces });
  const equation = (...pieces: (Block | TensorPiece)[]): Line => line(...withOperations(pieces, snapshots));
  const lookup = (name: string, table: string): TensorPiece => {
    const node = `embeddings.${table}.weight`;
    return {
      tensor: of(`embeddings.${name}`),
      ...(shown.tables.includes(node) && {
        above: of(node),
        ...(name === "tokens" && { aboveNames: bertVocabulary(numbers) }),
      }),
    };
  };
  const table = of("embeddings.word_embeddings.weight");
  const transposedTable = {
    ...table,
    symbol: { text: "E", sup: "T" },
    rows: table.columns,
    columns: table.rows,
    letters: "D×V",
    turned: true,
  };
  return {
    lines: [
      // Other screens show the tables beside the sum of one place.
      ...(room.layout === "narrow"
        ? [
            equation(
              lookup("tokens", "word_embeddings"),
              lookup("positions", "position_embeddings"),
              lookup("segments", "token_type_embeddings"),
            ),
          ].map((one) => ({ ...one, steps: [0] }))
        : []),
      line(
        ...visibleHeads(config, room, head).map((head): Piece => ({
          id: `head-${head}`,
          tensor: {
            ...layer(attention),
            at: [head, null, null],
            symbol: { text: "A", sub: String(head) },
          },
        })),
        layer("self_attn.output"),
      ),
      equation(
        { tensor: of(enteringNode(numbers)), id: "entering" },
        { tensor: layer("self_attn.output"), id: "added" },
        layer("norm1"),
        layer("linear2"),
        layer("norm2"),
      ),
      line(of("head.norm"), { tensor: of("logits"), above: transposedTable }),
      equation(of("asked"), of("probabilities"), of("loss")),
    ],
    strip: [
      "embeddings.tokens",
      "embeddings.positions",
      "embeddings.segments",
      "embeddings.norm",
      inShownLayer(numbers, attention),
      inShownLayer(numbers, "norm2"),
      "logits",
      "probabilities",
    ],
  };
}
