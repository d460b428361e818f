// Words without a graph: neighbours, analogies, pairs and negatives to learn from, and words cut into pieces of bytes.
#include <emscripten/bind.h>

#include <memory>

#include "nn/bert.hpp"
#include "nn/byte_pair_vocabulary.hpp"
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

// Word, context, word, context, ...
js::Cells pairs_of(js::Numbers ids, double window, double max_bytes) {
  const std::vector<WordPair> pairs = skip_gram_pairs(
      sizes_of(ids, "skip_gram_pairs", "ids"), static_cast<std::size_t>(window), static_cast<std::uint64_t>(max_bytes));
  static_assert(sizeof(WordPair) == 2 * sizeof(std::size_t));
  return js::Cells(copy_of(reinterpret_cast<const std::size_t*>(pairs.data()), 2 * pairs.size()));
}

js::Numbers draw_negatives(RandomHandle& random, js::Numbers counts, double number) {
  random.check_room(number);
  return js::Numbers(list_of(negative_samples(numbers_of(counts), static_cast<std::size_t>(number), random.state())));
}

// What the model reads, then what it must say.
js::Numbers mask_of(js::Numbers ids, double vocabulary, double mask_id, double seed) {
  RandomState random(static_cast<std::uint32_t>(seed));
  const MaskedTokens masked = mask_tokens(sizes_of(ids, "mask_tokens", "ids"), static_cast<std::size_t>(vocabulary),
                                          static_cast<std::size_t>(mask_id), random);
  std::vector<double> flat(masked.ids.begin(), masked.ids.end());
  flat.insert(flat.end(), masked.targets.begin(), masked.targets.end());
  return js::Numbers(emscripten::val::array(flat));
}

// A vocabulary as JavaScript holds it, which ends it with delete().
class BytePairHandle {
 public:
  explicit BytePairHandle(BytePairVocabulary vocabulary) : vocabulary_(std::move(vocabulary)) { count_handle(1); }
  ~BytePairHandle() { count_handle(-1); }
  BytePairHandle(const BytePairHandle&) = delete;
  BytePairHandle& operator=(const BytePairHandle&) = delete;

  double size() { return static_cast<double>(vocabulary_.size()); }

  // Left, right, left, right, ...
  js::Numbers merges() {
    std::vector<std::size_t> flat;
    for (const BytePair& pair : vocabulary_.merges()) {
      flat.push_back(pair.left);
      flat.push_back(pair.right);
    }
    return js::Numbers(list_of(flat));
  }

  js::Record bytes(double id) { return copied(vocabulary_.bytes(static_cast<std::size_t>(id))); }

  js::Numbers encode(js::Text text) { return js::Numbers(list_of(vocabulary_.encode(text_of(text)))); }

  js::Record decode(js::Numbers ids) {
    return copied(vocabulary_.decode(sizes_of(ids, "byte_pair_vocabulary", "ids")));
  }

 private:
  static js::Record copied(const std::string& bytes) {
    return js::Record(copy_of(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  }

  BytePairVocabulary vocabulary_;
};

std::unique_ptr<BytePairHandle> learn_byte_pairs(js::Text text, double size, double max_bytes) {
  return std::make_unique<BytePairHandle>(
      BytePairVocabulary::learn(text_of(text), static_cast<std::size_t>(size), static_cast<std::uint64_t>(max_bytes)));
}

std::unique_ptr<BytePairHandle> create_byte_pairs(js::Numbers merges, double max_bytes) {
  const std::vector<std::size_t> flat = sizes_of(merges, "byte_pair_vocabulary", "merges");
  std::vector<BytePair> pairs;
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) pairs.push_back({flat[i], flat[i + 1]});
  return std::make_unique<BytePairHandle>(BytePairVocabulary(std::move(pairs), static_cast<std::uint64_t>(max_bytes)));
}

}  // namespace

EMSCRIPTEN_BINDINGS(word_functions) {
  using emscripten::function;

  function("nearest", &Guarded<&nearest_rows>::call);
  function("analogy", &Guarded<&analogy_row>::call);
  function("skipGramPairs", &Guarded<&pairs_of>::call);
  function("negativeSamples", &Guarded<&draw_negatives>::call);
  function("maskTokens", &Guarded<&mask_of>::call);

  emscripten::class_<BytePairHandle>("BytePairVocabulary")
      .function("size", &Guarded<&BytePairHandle::size>::call)
      .function("merges", &Guarded<&BytePairHandle::merges>::call)
      .function("bytes", &Guarded<&BytePairHandle::bytes>::call)
      .function("encode", &Guarded<&BytePairHandle::encode>::call)
      .function("decode", &Guarded<&BytePairHandle::decode>::call);
  function("learnBytePairs", &Guarded<&learn_byte_pairs>::call);
  function("createBytePairs", &Guarded<&create_byte_pairs>::call);
}

}  // namespace attn
