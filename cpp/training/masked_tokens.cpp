// Masked words: sentences whose words agree, so that most of them follow from the others.
#include <algorithm>
#include <utility>

#include "nn/bert.hpp"
#include "training/families.hpp"
#include "training/held_out.hpp"
#include "training/unigram.hpp"
#include "training/words.hpp"

namespace attn {
namespace {

// Who does it decides the ending of both verbs and the two words that stand for them.
struct Subject {
  const char *noun, *possessive, *pronoun;
  bool is_plural;
};
constexpr Subject kSubjects[] = {
    {"queen", "her", "she", false},  {"mother", "her", "she", false},    {"girl", "her", "she", false},
    {"aunt", "her", "she", false},   {"king", "his", "he", false},       {"father", "his", "he", false},
    {"boy", "his", "he", false},     {"uncle", "his", "he", false},      {"sisters", "their", "they", true},
    {"boys", "their", "they", true}, {"parents", "their", "they", true}, {"children", "their", "they", true},
};

// What is done decides to what.
struct Deed {
  const char *singular, *plural, *object;
};
constexpr Deed kDeeds[] = {
    {"rides", "ride", "horse"}, {"reads", "read", "book"},  {"drinks", "drink", "tea"},  {"eats", "eat", "bread"},
    {"sings", "sing", "song"},  {"washes", "wash", "coat"}, {"opens", "open", "window"}, {"paints", "paint", "house"},
};
constexpr Deed kEnds[] = {
    {"rests", "rest", ""}, {"smiles", "smile", ""}, {"waits", "wait", ""}, {"leaves", "leave", ""}};
constexpr const char* kTimes[] = {"in summer", "in winter", "on monday", "on sunday", "at noon", "at night"};

std::vector<std::string> sentences() {
  std::vector<std::string> all;
  for (const Subject& subject : kSubjects) {
    const auto form = [&](const Deed& verb) { return std::string(subject.is_plural ? verb.plural : verb.singular); };
    for (const Deed& deed : kDeeds) {
      const std::string act =
          std::string("the ") + subject.noun + " " + form(deed) + " " + subject.possessive + " " + deed.object;
      for (const std::string time : kTimes) {
        for (const Deed& end : kEnds) {
          const std::string then = std::string(" and then ") + subject.pronoun + " " + form(end);
          for (const auto& [first, second] : {std::pair(act, time), std::pair(time, act)})
            all.emplace_back(first).append(" ").append(second).append(then);
        }
      }
    }
  }
  return all;
}

}  // namespace

Task masked_token_task(const TaskOptions& options) {
  Words words({"<pad>", "<begin>", "<end>", "<mask>"});
  std::vector<Example> items;
  std::size_t longest = 0;
  for (const std::string& sentence : sentences()) {
    items.push_back({.source = words.ids<std::size_t>(sentence)});
    longest = std::max(longest, items.back().source.size());
  }
  const std::size_t vocabulary = words.tokens().size();

  // mask_tokens replaces some words by any id: it counts from <mask> on, so that none of the ids before it is put in.
  const auto mask_some = [vocabulary](const Example& sentence, RandomState& random) {
    std::vector<std::size_t> ids = sentence.source;
    for (std::size_t& id : ids) id -= kMask;
    while (true) {
      MaskedTokens masked = mask_tokens(ids, vocabulary - kMask, 0, random);
      if (std::ranges::all_of(masked.targets, [](std::int64_t id) { return id == kNotAsked; })) continue;
      for (std::size_t& id : masked.ids) id += kMask;
      for (std::int64_t& id : masked.targets) {
        if (id != kNotAsked) id += static_cast<std::int64_t>(kMask);
      }
      return Example{.source = std::move(masked.ids), .target = std::move(masked.targets)};
    }
  };

  const std::size_t sixteenth = items.size() / 16;
  Split split = split_by_permutation(std::move(items), sixteenth, options.seed);
  Task task;
  task.answer = Answer::masked;
  task.vocabulary = words.tokens();
  task.source_length = longest;
  task.target_length = longest;
  task.models = {ModelKind::encoder, ModelKind::bert};
  RandomState random(options.seed);
  for (const Example& sentence : split.held_out) task.held_out.push_back(mask_some(sentence, random));
  std::vector<std::uint64_t> counts(vocabulary);
  for (const Example& sentence : split.training)
    for (const std::size_t id : sentence.source) ++counts[id];
  task.unigram_loss = unigram_loss(task.held_out, counts, kMask + 1);
  task.training_items = split.training.size();
  task.draw = [training = std::move(split.training), mask_some](RandomState& stream) {
    return mask_some(drawn_from(training, stream), stream);
  };
  return task;
}

}  // namespace attn
