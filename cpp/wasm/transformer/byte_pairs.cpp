// Byte-pair vocabularies as JavaScript objects.
#include <emscripten/bind.h>

#include <memory>

#include "nn/byte_pair_vocabulary.hpp"
#include "wasm/graph_handle.hpp"
#include "wasm/guarded.hpp"

namespace attn {
namespace {

// A vocabulary as a JavaScript object, which must be freed with delete().
class BytePairHandle {
 public:
  explicit BytePairHandle(BytePairVocabulary vocabulary) : vocabulary_(std::move(vocabulary)) { count_handle(1); }
  ~BytePairHandle() { count_handle(-1); }
  BytePairHandle(const BytePairHandle&) = delete;
  BytePairHandle& operator=(const BytePairHandle&) = delete;

  double size() { return static_cast<double>(vocabulary_.size()); }

  // The merges as left, right, left, right, ...
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
  return std::make_unique<BytePairHandle>(BytePairVocabulary::learn(text_of(text), static_cast<std::size_t>(size),
                                                                    max_bytes_of(max_bytes, "bytePairVocabulary")));
}

std::unique_ptr<BytePairHandle> create_byte_pairs(js::Numbers merges, double max_bytes) {
  const std::vector<std::size_t> flat = sizes_of(merges, "byte_pair_vocabulary", "merges");
  std::vector<BytePair> pairs;
  for (std::size_t i = 0; i + 1 < flat.size(); i += 2) pairs.push_back({flat[i], flat[i + 1]});
  return std::make_unique<BytePairHandle>(
      BytePairVocabulary(std::move(pairs), max_bytes_of(max_bytes, "bytePairVocabulary")));
}

}  // namespace

EMSCRIPTEN_BINDINGS(byte_pairs) {
  emscripten::class_<BytePairHandle>("BytePairVocabulary")
      .function("size", &Guarded<&BytePairHandle::size>::call)
      .function("merges", &Guarded<&BytePairHandle::merges>::call)
      .function("bytes", &Guarded<&BytePairHandle::bytes>::call)
      .function("encode", &Guarded<&BytePairHandle::encode>::call)
      .function("decode", &Guarded<&BytePairHandle::decode>::call);
  emscripten::function("learnBytePairs", &Guarded<&learn_byte_pairs>::call);
  emscripten::function("createBytePairs", &Guarded<&create_byte_pairs>::call);
}

}  // namespace attn
