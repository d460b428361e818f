/** The stage of the words lab in lines, by topic: one-hot rows and counts, cosines and an analogy, a map of the learned words, token ids and a table. */
import type { ConfigOf, NumbersOf } from "../../config/config.js";
import { vocabularyOf } from "../../config/labs/words.js";
import type { Room, Snapshots } from "../../marks/scene.js";
import type { Flow, Line } from "../../stage/flow.js";
import type { Block } from "../../stage/place.js";
import { nearChart } from "./charts.js";
import { stringsIn, type Say } from "./strings.js";
import { selectedWord } from "./tensors.js";

type Numbers = NumbersOf["words"];
type BlockOf = (node: string) => Block;

function countLines(of: BlockOf): Line[] {
  return [
    { steps: [0], pieces: [of("onehot"), { tensor: of("vectors"), above: of("E") }] },
    { steps: [1], pieces: [of("counts"), "−", of("counts_other"), "=", of("difference")] },
    { steps: [2], pieces: ["apart.dot", "apart.distance", "table.cosine"].map(of) },
  ];
}

function nearLines({ x }: Numbers, say: Say, of: BlockOf): Line[] {
  const columnNames = x[0]!.map((_, at) => String(at));
  const cos = [say("op.cos")] as const;
  return [
    { steps: [0], pieces: [{ tensor: of("E"), columnNames }, cos, of("table.cosine")] },
    {
      steps: [1],
      pieces: [of("first"), "−", of("less"), "+", of("plus"), "=", of("target"), cos, of("closeness")],
    },
  ];
}

/** Whether the tables have readable rows: then Play begins at a score, else on the map. */
export const isSmallVocabulary = ({ text }: Pick<Numbers, "text">): boolean =>
  vocabularyOf(text).length <= 12;

/** The line of the prediction, which phones show. The map is a picture. */
function learnLines(numbers: Numbers, say: Say, of: BlockOf): Line[] {
  const curve = say(numbers.loss === "softmax" ? "op.softmax" : "op.sigmoid");
  return [
    { pieces: [of("w_in"), of("table.distance")], steps: [0] },
    {
      rowNames: [numbers.method === "skipgram" ? selectedWord(numbers).word : say("row.mean")],
      steps: [1],
      pieces: [
        of("hidden"),
        { tensor: of("scores"), above: of("w_out_T") },
        { operator: "probs", name: [curve] },
        of("both"),
      ],
    },
  ];
}

/** The size, in cells of its line, of a tensor with hundreds of rows or columns. */
const LARGE_TENSOR_SIZE = 8;

/** The lines of the lookup, which phones show. Tensors with hundreds of rows or columns are small there; the picture shows them in full. */
function lookupLines(of: BlockOf): Line[] {
  const table = { ...of("E"), down: LARGE_TENSOR_SIZE };
  return [
    { steps: [0], pieces: [of("ids"), { tensor: of("X"), above: table }] },
    {
      steps: [1],
      pieces: [
        { ...of("onehot"), across: LARGE_TENSOR_SIZE },
        { tensor: of("product"), above: table },
        of("difference"),
      ],
    },
  ];
}

export function flow({ numbers }: ConfigOf<"words">, snapshots: Snapshots, room: Room, of: BlockOf): Flow {
  const say = stringsIn(room.words);
  const { lines, ...aside } = {
    count: () => ({ lines: countLines(of) }),
    near: () => ({ lines: nearLines(numbers, say, of), aside: nearChart(numbers, snapshots, say) }),
    learn: () => ({ lines: learnLines(numbers, say, of) }),
    lookup: () => ({ lines: lookupLines(of) }),
  }[numbers.topic]();
  return { lines, ...aside };
}
