/** For each lab, what its stage shows, for readers who cannot see it; `keys` is appended to each. */
import type { LabId } from "../../config/config.js";

export const en: Readonly<Record<LabId | "keys", string>> = {
  keys: "A narrow screen shows one step at a time. Tab goes from tensor to tensor, an arrow key from number to number, and the note says how the number was made. The keys [ and ] go one step back and on.",
  words:
    "For one-hot rows: each sentence as rows of a matrix, the embedding matrix above their product, then the counts of both sentences, their difference, and how near the words are to each other. For given vectors: the embedding matrix, the cosines of all pairs, and below them the analogy, term by term. For learned vectors: a map of the words, and below it the vector of one word, the output embeddings above its scores, and the shares that softmax makes of them. For token ids: the ids at the left, the table as a map with a line from each id to its row, and these rows with their numbers at the right; below, one-hot rows, their product with the table, and its difference from the rows.",
  attention:
    "Every row is one word and stands at one height throughout. From left to right come the words, their queries, keys and values, the score of every query with every key, the scaled scores, the attention weights and the output. What a row is multiplied by stands above the product: a projection above the queries, the keys turned on their side above the scores, the values above the output.",
  scaling:
    "Two charts at the top show how far the scores are spread, at the left as they are and at the right divided by the root of the width. Below them stand two matrices of attention weights in the same order, one row for each width, with their entropy and their gradient beside them. A line chart compares the two entropies.",
  "multi-head":
    "Every column is one head. From top to bottom it has its part of the query of one word, its attention weights with a row for each word that looks and a column for each that is looked at, and its part of the output of that word. Below stand the output of all heads together and, enlarged, the computation inside one head.",
  positions:
    "For one encoding: a matrix with a row for each position and a column for each dimension, some of its columns drawn beside it as waves, and its chosen row below it as a curve. For no encoding: the same words in two orders, one below the other, each with its attention weights and its output, and the difference of the outputs. For every encoding: one column for each, with what attention reads, the attention weights, and what changes when two words change places.",
  block:
    "At the top runs the residual connection from left to right, as small tensors; the branch of attention leaves it and comes back, then that of the network. A chart under it shows the standard deviation of every row at each place. The stop that is looked at stands enlarged below, one row for each word.",
  "encoder-decoder":
    "The encoder stands above: the source words, the attention weights of its heads, and the memory, one row for each source word. The decoder stands below, one row for each step: masked self-attention, cross attention to the memory, and the probabilities of the next word, with the chosen word after each row.",
  vit: "The image stands at the left, cut into square patches; beside it one patch with its pixels, and the row of numbers they become. At the right the image stands again, the clearer the more the chosen patch looks there. Below, all patches stand side by side as a sentence, with the score and the attention weight of each under it; with encoder layers, a row for each head.",
  bert: "At the top stand the words in order: as said, as read with some of them hidden, and as found. Below, every row is one place: the word, position and segment embeddings are added from left to right, each with its embedding matrix above it, and their sum goes into the layer. Later stops show attention, the network and the probabilities of the hidden word. A line chart shows the loss while training.",
  losses:
    "For targets: logits, probabilities and surprisal, one row for each prediction; below them three targets with the loss that each makes, and a chart of the loss by one logit. For KL divergence: the same rows, then cross entropy minus entropy, then the gradient of both. For dropout: the random numbers at the left, the rows that are left of the same numbers at the right, one for each draw, and their mean.",
  optimizers:
    "For a line: the points that the step sees with prediction, target, residual and pull, one row for each point, and their mean, the gradient; a chart draws the line among all points. For a rare feature: the same rows for samples of two features, and a chart of the paths of the two weights. For a surface: a map with the path of each optimizer. Below stands one step, from the gradient to the new parameters, and a chart of the loss by step. For a learning rate: its curve, and the numbers at some steps as rows.",
  complexity:
    "Every row is one kind of layer: self-attention, recurrent, convolution, and attention to near words. The columns are the operations counted at several lengths, the work by formula, the operations that must wait for each other, the longest path between two words, and the attention weights to be kept. A chart below draws the operations by length, one line for each layer.",
};
