// Byte-pair encoding: "Neural Machine Translation of Rare Words with Subword Units", section 3.2.
#include "nn/byte_pair_vocabulary.hpp"

#include <map>
#include <utility>

#include "tensor/shape.hpp"

namespace attn {
namespace {

constexpr std::size_t kBytes = 256;
constexpr std::string_view kName = "byte_pair_vocabulary";

using Ids = std::vector<std::size_t>;

bool is_space(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\v' || byte == '\f';
}

// Splits a text into words, each with the white space before it; the last one may be white space only.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = start;
    while (end < text.size() && is_space(text[end])) ++end;
    while (end < text.size() && !is_space(text[end])) ++end;
    words.push_back(text.substr(start, end - start));
    start = end;
  }
  return words;
}

Ids bytes_of(std::string_view word) {
  Ids ids;
  for (const char byte : word) ids.push_back(static_cast<unsigned char>(byte));
  return ids;
}

// Replaces every occurrence of `pair`, from the left, by `id`.
void merge_pair(Ids& ids, const BytePair& pair, std::size_t id) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < ids.size(); ++i, ++length) {
    const bool found = i + 1 < ids.size() && ids[i] == pair.left && ids[i + 1] == pair.right;
    ids[length] = found ? id : ids[i];
    if (found) ++i;
  }
  ids.resize(length);
}

}  // namespace

BytePairVocabulary::BytePairVocabulary(std::vector<BytePair> merges, std::uint64_t max_bytes)
    : merges_(std::move(merges)), max_bytes_(max_bytes) {
  std::uint64_t used = kBytes * sizeof(std::string);
  for (std::size_t byte = 0; byte < kBytes; ++byte) bytes_.emplace_back(1, static_cast<char>(byte));
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> positions;
  for (std::size_t i = 0; i < merges_.size(); ++i) {
    const auto [left, right] = merges_[i];
    const std::string argument = "merges[" + std::to_string(i) + "]";
    if (left >= bytes_.size() || right >= bytes_.size()) {
      refuse_option(kName, argument, std::to_string(left) + " " + std::to_string(right),
                    "ids below " + std::to_string(bytes_.size()));
    }
    if (!positions.emplace(std::pair(left, right), i).second) {
      refuse_option(kName, argument, std::to_string(left) + " " + std::to_string(right) + " again", "each pair once");
    }
    const std::uint64_t more = sizeof(std::string) + bytes_[left].size() + bytes_[right].size();
    check_memory(kName, more, used, max_bytes_);
    used += more;
    bytes_.push_back(bytes_[left] + bytes_[right]);
  }
}

BytePairVocabulary BytePairVocabulary::learn(std::string_view text, std::size_t size, std::uint64_t max_bytes) {
  if (size < kBytes) refuse_option(kName, "size", std::to_string(size), "at least 256, one id per byte");
  std::map<std::string_view, std::size_t> occurrences;
  for (const std::string_view word : words_of(text)) ++occurrences[word];
  std::vector<std::pair<Ids, std::size_t>> words;
  for (const auto& [word, count] : occurrences) words.emplace_back(bytes_of(word), count);

  std::vector<BytePair> merges;
  while (kBytes + merges.size() < size) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> counts;
    for (const auto& [ids, count] : words) {
      for (std::size_t i = 0; i + 1 < ids.size(); ++i) counts[{ids[i], ids[i + 1]}] += count;
    }
    // The map is ordered by ids, so the first of the most frequent pairs is the one with the smaller ids.
    auto best = counts.end();
    for (auto pair = counts.begin(); pair != counts.end(); ++pair) {
      if (best == counts.end() || pair->second > best->second) best = pair;
    }
    if (best == counts.end() || best->second < 2) break;
    merges.push_back({best->first.first, best->first.second});
    for (auto& [ids, count] : words) merge_pair(ids, merges.back(), kBytes + merges.size() - 1);
  }
  return BytePairVocabulary(std::move(merges), max_bytes);
}

const std::string& BytePairVocabulary::bytes(std::size_t id) const {
  if (id >= bytes_.size()) refuse_option(kName, "id", std::to_string(id), "one below " + std::to_string(bytes_.size()));
  return bytes_[id];
}

std::vector<std::size_t> BytePairVocabulary::encode(std::string_view text) const {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> order;
  for (std::size_t i = 0; i < merges_.size(); ++i) order.emplace(std::pair(merges_[i].left, merges_[i].right), i);
  std::map<std::string_view, Ids> encodings;
  Ids encoded;
  for (const std::string_view word : words_of(text)) {
    const auto [entry, is_new] = encodings.try_emplace(word);
    Ids& ids = entry->second;
    if (is_new) {
      ids = bytes_of(word);
      for (;;) {
        std::size_t first = merges_.size();
        for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
          const auto found = order.find({ids[i], ids[i + 1]});
          if (found != order.end() && found->second < first) first = found->second;
        }
        if (first == merges_.size()) break;
        merge_pair(ids, merges_[first], kBytes + first);
      }
    }
    encoded.insert(encoded.end(), ids.begin(), ids.end());
  }
  return encoded;
}

std::string BytePairVocabulary::decode(const std::vector<std::size_t>& ids) const {
  std::uint64_t length = 0;
  for (const std::size_t id : ids) length += bytes(id).size();
  check_memory("decode", length, 0, max_bytes_);
  std::string text;
  text.reserve(static_cast<std::size_t>(length));
  for (const std::size_t id : ids) text += bytes(id);
  return text;
}

}  // namespace attn
