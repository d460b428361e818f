// A vocabulary of words that grows as sentences are written.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

class Words {
 public:
  // `special` are the first tokens, such as "<pad>".
  explicit Words(std::vector<std::string> special) : tokens_(std::move(special)) {}

  // The id of each word of a sentence, words being parted by spaces. A new word gets the next id.
  template <typename Id>
  std::vector<Id> ids(std::string_view sentence) {
    std::vector<Id> ids;
    while (!sentence.empty()) {
      const std::string word(sentence.substr(0, sentence.find(' ')));
      sentence.remove_prefix(word.size() < sentence.size() ? word.size() + 1 : word.size());
      const auto [known, is_new] = id_of_.emplace(word, tokens_.size());
      if (is_new) tokens_.push_back(word);
      ids.push_back(static_cast<Id>(known->second));
    }
    return ids;
  }

  const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  std::vector<std::string> tokens_;
  std::map<std::string, std::size_t> id_of_;
};

}  // namespace attn
