/** The BERT lab: BERT's inputs (section 3 of "BERT") and its predictions of hidden words. */
import { declareLab } from "../../telling/declare-lab.js";
import formula from "./bert.tex?mathml";
import { arrange, flow, opening, stops } from "./flow.js";
import { picture } from "./picture.js";
import { settings } from "./settings.js";
import { stringsIn } from "./strings.js";
import { axes, tensors } from "./tensors.js";

export const lab = declareLab<"bert">({
  id: "bert",
  formulas: { bert: formula },
  strings: stringsIn,
  ...settings,
  lede: ({ numbers }, words, isNarrow) =>
    stringsIn(words)(numbers.parameters ? "lede.given" : isNarrow ? "lede.narrow" : "lede"),
  axes,
  tensors,
  stops,
  arrange,
  flow,
  picture,
  symbols: () => ({
    id: "bert",
    symbols: {
      X0: "embeddings.norm",
      W: "embeddings.tokens",
      P: "embeddings.positions",
      S: "embeddings.segments",
      p: "probabilities",
      H: "head.norm",
      E: "embeddings.word_embeddings.weight",
    },
  }),
  opening,
});
