/** The ViT lab with an encoder: what CLS looks at in each head of the last layer, and rolled out over all layers. */
import type { ConfigOf } from "../../../config/config.js";
import { encoderOf } from "../../../config/labs/vit.js";
import type { Words } from "../../../i18n/words.js";
import type { Step } from "../../../marks/wording.js";
import { sizeWords } from "../../../telling/phrases.js";
import type { Lab } from "../../../telling/lab.js";
import { notNumbers } from "../../../telling/remarks.js";
import { patchCount } from "../../../config/labs/vit.js";
import { rowCount, stepIds } from "../blocks.js";
import { nodeWords as plainWords, steps as plainSteps } from "../words.js";
import { encoderScene, encoderStrip } from "./stage.js";
import { encoderTensors, layerNode, rolloutNode, sayIn } from "./tensors.js";
import type { Snapshots } from "../../../marks/scene.js";
import { largestInRow } from "../../../telling/largest.js";

type Config = ConfigOf<"vit">;
type Cell = { node: string; index: number[] };

/** One of the last row of patches, as CLS sees it. */
function opening({ numbers }: Config): Cell {
  const key = patchCount(numbers) - numbers.size / numbers.patch + 1;
  return { node: "cls_weights", index: [0, 0, Math.min(key, rowCount(numbers) - 1)] };
}

function stops(config: Config, words: Words, snapshots: Snapshots): Step[] {
  const say = sayIn(words);
  const { numbers } = config;
  const { heads, layers } = encoderOf(numbers);
  const ids = stepIds(numbers);
  const own = ids.slice(ids.indexOf("layer1"));
  const base = plainSteps(config, words, snapshots, ids.slice(0, ids.indexOf("layer1")));
  const tensors = encoderTensors(config, words);
  // The patch that CLS looks at most; at itself it looks as well.
  const most = (cell: Cell): Cell => largestInRow(snapshots, cell, 1);
  const stop = (id: string): Omit<Step, "nodes"> => {
    if (id === "look")
      return { id, title: say("stop.look"), sentence: say("tell.look"), cell: most(opening(config)) };
    if (id === "rollout") {
      const cell = most({ node: "cls_rollout", index: [0, 1] });
      return { id, title: say("stop.rollout"), sentence: say("tell.rollout"), cell };
    }
    const n = own.indexOf(id);
    return {
      id,
      title: say("stop.layer", { n }),
      sentence: say("tell.layer", { n, heads: say(heads === 1 ? "heads.one" : "heads.many", { n: heads }) }),
      cell: most({ node: layerNode(Math.min(n, layers - 1), "self_attn.weights"), index: [0, 0, 1] }),
    };
  };
  return [
    ...base,
    ...own.map((id): Step => {
      const made = stop(id);
      const at = ids.indexOf(id);
      const nodes = tensors.filter(({ step }) => step === at).map(({ node }) => node);
      return {
        ...made,
        nodes: nodes.sort((a, b) => Number(b === made.cell.node) - Number(a === made.cell.node)),
      };
    }),
  ];
}

const formula: Lab<"vit">["formula"] = (config, words) => {
  const { numbers } = config;
  const { layers } = encoderOf(numbers);
  const tensors = new Map(encoderTensors(config, words).map((tensor) => [tensor.node, tensor]));
  const part = (symbol: string, said: string, ...nodes: string[]) => {
    const { rows, columns, name, role } = tensors.get(nodes[0]!)!;
    return {
      symbol,
      nodes,
      role,
      label: sayIn(words)("formula.part", { symbol: said, name, size: sizeWords([rows, columns], words) }),
    };
  };
  const of = (name: string) => Array.from({ length: layers }, (_, layer) => `rollout.${name}_${layer}`);
  const weights = Array.from({ length: layers }, (_, layer) => layerNode(layer, "self_attn.weights"));
  return {
    id: "rollout",
    parts: [
      part("R", "R", rolloutNode(numbers), "cls_rollout"),
      part("L", "Â_n", `rollout.normalised_${layers - 1}`),
      part("F", "Â_1", "rollout.normalised_0"),
      part("N", "Â", ...of("normalised")),
      part("A", "A", ...weights),
    ],
  };
};

/** What the lab is with an encoder; settings are those of the whole lab. */
export const encoder: Omit<Lab<"vit">, "id" | "formulas" | "sentence" | "change"> = {
  title({ numbers }, words) {
    const { layers: n } = encoderOf(numbers);
    return sayIn(words)(n === 1 ? "title.one" : "title.many", { n });
  },
  lede: (_config, words, narrow) => sayIn(words)(narrow ? "lede.narrow" : "lede"),
  scene: encoderScene,
  strip: encoderStrip,
  steps: stops,
  formula,
  nodeWords(config, node, words) {
    const tensor = encoderTensors(config, words).find((one) => one.node === node);
    if (tensor) {
      const { symbol, role, name, single, axes, meaning } = tensor;
      const places = (index: readonly number[]) =>
        index.flatMap((at, axis) => axes[axis]?.[at] ?? []).join(" · ");
      return { symbol, role, name, single, axes, meaning: meaning ?? places };
    }
    if (/^(layers|norm|rollout)\b/.test(node)) {
      // A step inside a layer that is not drawn is called as the graph calls it.
      const text = node.slice(node.lastIndexOf(".") + 1);
      return { symbol: { text }, role: "activation", name: node, single: node, axes: [], meaning: () => "" };
    }
    return plainWords(config, node, words);
  },
  opening,
  remarks(config, snapshots, words) {
    const nodes = encoderTensors(config, words).map(({ node }) => node);
    const base = ["image", "W_E", "b_E", "CLS", "position", "tokens", "sequence"];
    return notNumbers(snapshots, [...base, ...nodes], words);
  },
};
