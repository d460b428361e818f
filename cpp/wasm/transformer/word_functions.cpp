// Functions of words that need no graph: neighbours, analogies, and the pairs and negatives of word2vec training.
#include <emscripten/bind.h>

#include "nn/bert.hpp"
#include "nn/similarity.hpp"
#include "nn/word2vec.hpp"
#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"
#include "wasm/random_handle.hpp"

namespace attn {
namespace {

Array<double> vectors_of(js::Cells cells, js::Numbers shape, const char* operation) {
  return array_of<double>(cells, sizes_of(shape, operation, "vectors"), operation);
}

js::Numbers nearest_rows(js::Cells cells, js::Numbers shape, double query) {
  const Array<double> vectors = vectors_of(std::move(cells), std::move(shape), "nearest");
  return js::Numbers(list_of(nearest(vectors, static_cast<std::size_t>(query))));
}

double analogy_row(js::Cells cells, js::Numbers shape, js::Numbers words) {
  const Array<double> vectors = vectors_of(std::move(cells), std::move(shape), "analogy");
  const std::vector<std::size_t> rows = sizes_of(words, "analogy", "words");
  return static_cast<double>(analogy(vectors, rows.at(0), rows.at(1), rows.at(2)));
}

// The pairs as word, context, word, context, ...
js::Cells pairs_of(js::Numbers ids, double window, double max_bytes) {
  const std::vector<WordPair> pairs =
      skip_gram_pairs(sizes_of(ids, "skip_gram_pairs", "ids"), static_cast<std::size_t>(window),
                      max_bytes_of(max_bytes, "skipGramPairs"));
  static_assert(sizeof(WordPair) == 2 * sizeof(std::size_t));
  return js::Cells(copy_of(reinterpret_cast<const std::size_t*>(pairs.data()), 2 * pairs.size()));
}

js::Numbers draw_negatives(RandomHandle& random, js::Numbers counts, double number) {
  random.check_size(number);
  return js::Numbers(list_of(negative_samples(numbers_of(counts), static_cast<std::size_t>(number), random.state())));
}

// Returns the ids that the model reads, then the expected ids.
js::Numbers mask_of(js::Numbers ids, double vocabulary, double mask_id, double seed) {
  RandomState random(static_cast<std::uint32_t>(seed));
  const MaskedTokens masked = mask_tokens(sizes_of(ids, "mask_tokens", "ids"), static_cast<std::size_t>(vocabulary),
                                          static_cast<std::size_t>(mask_id), random);
  std::vector<double> flat(masked.ids.begin(), masked.ids.end());
  flat.insert(flat.end(), masked.targets.begin(), masked.targets.end());
  return js::Numbers(emscripten::val::array(flat));
}

}  // namespace

EMSCRIPTEN_BINDINGS(word_functions) {
  using emscripten::function;

  function("nearest", &Guarded<&nearest_rows>::call);
  function("analogy", &Guarded<&analogy_row>::call);
  function("skipGramPairs", &Guarded<&pairs_of>::call);
  function("negativeSamples", &Guarded<&draw_negatives>::call);
  function("maskTokens", &Guarded<&mask_of>::call);
}

}  // namespace attn
