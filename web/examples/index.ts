/** The examples, in the order of the gallery. Ids are permanent: an id is never removed and never changes its meaning. */
import type { Config } from "../config/config.js";
import additive from "./additive.json";
import blindRow from "./blind-row.json";
import bothSides from "./both-sides.json";
import catOnTheMat from "./cat-on-the-mat.json";
import catFollowsDog from "./cat-follows-dog.json";
import face from "./face.json";
import fiveOnABowl from "./five-on-a-bowl.json";
import fiftyPositions from "./fifty-positions.json";
import fourWords from "./four-words.json";
import harbour from "./harbour.json";
import harbourEncoder from "./harbour-encoder.json";
import harbourResized from "./harbour-resized.json";
import klAndCrossEntropy from "./kl-and-cross-entropy.json";
import labelSmoothing from "./label-smoothing.json";
import learnFrench from "./learn-french.json";
import learnHiddenWords from "./learn-hidden-words.json";
import learnToReverse from "./learn-to-reverse.json";
import letter from "./letter.json";
import longAndNarrow from "./long-and-narrow.json";
import oldBlackCat from "./old-black-cat.json";
import lineOfDocument004 from "./line-of-document-004.json";
import miniBatchesOf2 from "./mini-batches-of-2.json";
import noam4000 from "./noam-4000.json";
import pe0And4 from "./pe-0-and-4.json";
import rareFeature from "./rare-feature.json";
import rosenbrockValley from "./rosenbrock-valley.json";
import heights from "./heights.json";
import maskedDrawn from "./masked-drawn.json";
import maskedMat from "./masked-mat.json";
import maskedUntrained from "./masked-untrained.json";
import oneMaskTwoReadings from "./one-mask-two-readings.json";
import oneBlock from "./one-block.json";
import preNorm from "./pre-norm.json";
import sixLayers from "./six-layers.json";
import sixEncodings from "./six-encodings.json";
import saturatedRows from "./saturated-rows.json";
import sevenWidths from "./seven-widths.json";
import spreadRestored from "./spread-restored.json";
import sureAndWrong from "./sure-and-wrong.json";
import scoreOf800 from "./score-of-800.json";
import shortAndWide from "./short-and-wide.json";
import tenByTwentyRun1 from "./ten-by-twenty-run-1.json";
import tenByTwentyRun2 from "./ten-by-twenty-run-2.json";
import tenByTwentyRun3 from "./ten-by-twenty-run-3.json";
import threeTokens from "./three-tokens.json";
import twelveDropouts from "./twelve-dropouts.json";
import twoByTwo from "./two-by-two.json";
import oneWordTwoLooks from "./one-word-two-looks.json";
import twoHeads from "./two-heads.json";
import headsWithoutWO from "./heads-without-w-o.json";
import paddedSamples from "./padded-samples.json";
import twoHeadsWide from "./two-heads-4-8-16.json";
import twoOrders from "./two-orders.json";
import curves from "./curves.json";
import dogBitesMan from "./dog-bites-man.json";
import ids1332358 from "./ids-133-23-58.json";
import kingAndQueen from "./king-and-queen.json";
import kingdomOnAMap from "./kingdom-on-a-map.json";
import smallKingdom from "./small-kingdom.json";
import smallKingdomZh from "./small-kingdom-zh.json";
import untrainedTranslator from "./untrained-translator.json";
import whySelfAttention from "./why-self-attention.json";

export { type Printed, countMatches, matchesPrinted } from "./printed.js";
import type { Printed } from "./printed.js";

/** The number of one of the five documents that web/documents describes. */
export type DocumentId = "000" | "001" | "002" | "003" | "004";

export interface Example {
  id: string;
  title: { en: string; "zh-CN": string };
  /** The example's size in short: "4 words, 3 numbers, seed 42". */
  about: { en: string; "zh-CN": string };
  /** The document that the example comes from, and the place in it. */
  source: { en: string; "zh-CN": string };
  /** The documents whose numbers, code or claims it shows. Absent: none of the five. */
  documents?: readonly DocumentId[];
  config: Config;
  /** Every number the source prints, and the cell that must equal it at the printed digits. */
  printed: Printed[];
  /**
   * Numbers that the source does not print but that its code, PyTorch or NumPy gives. A test compares the cells with them; the
   * page does not count them.
   */
  references?: Printed[];
}

/** The cast is needed because TypeScript widens literals in JSON to string and number. A test checks every file against the schema. */
export const examples: readonly Example[] = [
  fourWords,
  threeTokens,
  catOnTheMat,
  additive,
  twoByTwo,
  blindRow,
  oneMaskTwoReadings,
  scoreOf800,
  tenByTwentyRun1,
  tenByTwentyRun2,
  tenByTwentyRun3,
  oneWordTwoLooks,
  twoHeads,
  twoHeadsWide,
  headsWithoutWO,
  paddedSamples,
  fiftyPositions,
  pe0And4,
  twoOrders,
  sixEncodings,
  harbour,
  face,
  letter,
  harbourEncoder,
  harbourResized,
  oldBlackCat,
  catFollowsDog,
  untrainedTranslator,
  lineOfDocument004,
  miniBatchesOf2,
  fiveOnABowl,
  rosenbrockValley,
  rareFeature,
  noam4000,
  oneBlock,
  preNorm,
  sixLayers,
  heights,
  curves,
  labelSmoothing,
  sureAndWrong,
  klAndCrossEntropy,
  twelveDropouts,
  whySelfAttention,
  shortAndWide,
  longAndNarrow,
  sevenWidths,
  saturatedRows,
  spreadRestored,
  maskedMat,
  bothSides,
  maskedUntrained,
  maskedDrawn,
  dogBitesMan,
  ids1332358,
  kingAndQueen,
  kingdomOnAMap,
  smallKingdom,
  smallKingdomZh,
  learnToReverse,
  learnFrench,
  learnHiddenWords,
] as unknown as Example[];

const byId = new Map(examples.map((example) => [example.id, example]));

export function exampleById(id: string): Example | undefined {
  return byId.get(id);
}
