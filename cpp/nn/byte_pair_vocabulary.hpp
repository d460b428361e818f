// Byte-pair encoding: "Neural Machine Translation of Rare Words with Subword Units", section 3.2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/memory.hpp"

namespace attn {

// Two ids that were merged into one.
struct BytePair {
  std::size_t left = 0;
  std::size_t right = 0;
};

// Ids 0 to 255 are the bytes; id 256 + n is merge n. Every text can be encoded, and decode(encode(text)) is the text.
class BytePairVocabulary {
 public:
  // Uses merges that were learned before, in order. Throws InputError when a merge names an id that does not exist
  // yet, or repeats another; MemoryError when the bytes of all ids take more than `max_bytes`, since every merge may
  // double them.
  explicit BytePairVocabulary(std::vector<BytePair> merges, std::uint64_t max_bytes = kMaxBytes);

  // Merges the most frequent pair of neighbours until there are `size` ids or no pair occurs twice. Among equally
  // frequent pairs the one with the smaller left id, then the smaller right id, comes first, so the same text always
  // gives the same merges. A pair never spans two words; a word is a run of bytes other than white space, with the
  // white space before it. Throws InputError when size is below 256, and MemoryError as the constructor.
  static BytePairVocabulary learn(std::string_view text, std::size_t size, std::uint64_t max_bytes = kMaxBytes);

  std::size_t size() const { return bytes_.size(); }
  const std::vector<BytePair>& merges() const { return merges_; }
  const std::string& bytes(std::size_t id) const;  // throws InputError for an unknown id

  // Encodes a text: applies the merges inside each word, in the order they were learned.
  std::vector<std::size_t> encode(std::string_view text) const;

  // Throws InputError for an unknown id, MemoryError when the text is longer than `max_bytes`.
  std::string decode(const std::vector<std::size_t>& ids) const;

 private:
  std::vector<BytePair> merges_;
  std::vector<std::string> bytes_;
  std::uint64_t max_bytes_;
};

}  // namespace attn
