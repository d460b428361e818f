// The next character of a text.
#include <algorithm>
#include <map>
#include <string_view>

#include "files/json_text.hpp"
#include "training/families.hpp"
#include "training/held_out.hpp"
#include "training/own_text.hpp"
#include "training/unigram.hpp"

namespace attn {
namespace {

constexpr std::size_t kLongestText = 100000;

// The characters, that is, code points, of a text in UTF-8.
std::vector<std::string> characters_of(const std::string& text) {
  if (!is_utf8(text)) refuse_option("task", "text", "not UTF-8", "a text in UTF-8");
  std::vector<std::string> characters;
  for (const char byte : text) {
    if ((static_cast<unsigned char>(byte) & 0xc0) != 0x80) characters.emplace_back();
    characters.back() += byte;
  }
  return characters;
}

std::string chosen_text(const TaskOptions& options) {
  if (options.text) {
    if (options.language) refuse_option("task", "language", "given", "none with a text of your own");
    if (options.text->empty()) refuse_option("task", "text", "empty", "a text to learn");
    return *options.text;
  }
  const std::string language = options.language.value_or("en");
  if (language != "en" && language != "zh") refuse_option("task", "language", "\"" + language + "\"", "en or zh");
  return std::string(language == "en" ? kEnglishText : kChineseText);
}

}  // namespace

Task text_task(const TaskOptions& options) {
  const std::size_t window = checked_option("window", options.window, 32, 2, 512);
  const std::vector<std::string> characters = characters_of(chosen_text(options));
  const auto refuse_length = [&](const std::string& expected) {
    refuse_option("task", "text", std::to_string(characters.size()) + " characters long", expected);
  };
  if (characters.size() < 4 * window) {
    refuse_length("at least " + std::to_string(4 * window) + ", which is four windows of " + std::to_string(window));
  }
  if (characters.size() > kLongestText) refuse_length("at most " + std::to_string(kLongestText));

  Task task;
  task.answer = Answer::next;
  task.vocabulary = kFirstTokens;
  const std::size_t first = task.vocabulary.size();
  std::map<std::string, std::int64_t> id_of;  // in the order of code points
  for (const std::string& character : characters) id_of.emplace(character, 0);
  for (auto& [character, id] : id_of) {
    id = static_cast<std::int64_t>(task.vocabulary.size());
    task.vocabulary.push_back(character);
  }
  std::vector<std::int64_t> ids;
  for (const std::string& character : characters) ids.push_back(id_of[character]);
  task.target_length = window;
  task.models = {ModelKind::decoder};

  // An eighth of the text is held out, from a place that the seed chooses. Both what is before it and what follows it
  // is longer than a window, or empty.
  const std::size_t blocks = ids.size() / window;
  const std::size_t held_out_blocks = std::max<std::size_t>(1, blocks / 8);
  RandomState random(options.seed);
  const std::size_t start = window * below(blocks - held_out_blocks, random);
  const auto at = [&ids](std::size_t place) { return ids.begin() + static_cast<std::ptrdiff_t>(place); };
  const std::size_t end = start + window * held_out_blocks;
  const std::vector<std::int64_t> before(ids.begin(), at(start));
  const std::vector<std::int64_t> after(at(end), ids.end());

  // A held-out window that stands in the rest of the text as well is left out.
  const auto occurs_in = [](const std::vector<std::int64_t>& part, const std::vector<std::int64_t>& wanted) {
    return std::ranges::search(part, wanted).begin() != part.end();
  };
  for (std::size_t place = start; place < end; place += window) {
    std::vector<std::int64_t> target(at(place), at(place + window));
    if (!occurs_in(before, target) && !occurs_in(after, target)) task.held_out.push_back({.target = std::move(target)});
  }
  if (task.held_out.empty()) {
    refuse_option("task", "text", "a repetition", "a text whose windows of " + std::to_string(window) + " differ");
  }
  std::vector<std::uint64_t> counts(task.vocabulary.size());
  for (const std::int64_t id : before) ++counts[static_cast<std::size_t>(id)];
  for (const std::int64_t id : after) ++counts[static_cast<std::size_t>(id)];
  task.unigram_loss = unigram_loss(task.held_out, counts, first);

  const std::size_t windows_before = before.empty() ? 0 : before.size() - window + 1;
  task.training_items = windows_before + after.size() - window + 1;
  task.draw = [=, count = *task.training_items](RandomState& stream) {
    const std::size_t chosen = below(count, stream);
    const bool is_before = chosen < windows_before;
    const auto from = (is_before ? before.begin() : after.begin()) +
                      static_cast<std::ptrdiff_t>(is_before ? chosen : chosen - windows_before);
    return Example{.target = {from, from + static_cast<std::ptrdiff_t>(window)}};
  };
  return task;
}

}  // namespace attn
