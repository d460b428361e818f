// Translation: a small grammar in Chinese and English, whose words are in other orders.
#include <algorithm>

#include "training/families.hpp"
#include "training/held_out.hpp"
#include "training/words.hpp"

namespace attn {
namespace {

struct Person {
  std::string chinese, subject, object;
  bool is_third = false;  // English verbs end in s
  int group = 0;          // of one group are persons that no sentence with a feeling joins, such as I and us
};
const Person kPersons[] = {
    {"我", "I", "me", false, 1},   {"你", "you", "you", false, 2}, {"他", "he", "him", true, 3},
    {"她", "she", "her", true, 4}, {"我们", "we", "us", false, 1}, {"他们", "they", "them", false, 5},
};

struct Word {
  std::string chinese, english;
};
const Word kFeelings[] = {{"爱", "love"}, {"喜欢", "like"}, {"认识", "know"}, {"帮助", "help"}, {"相信", "trust"}};
const Word kTimes[] = {{"昨天", "yesterday"}, {"今天", "today"}, {"上周", "last week"}};
const Word kDeeds[] = {{"看见", "saw"}, {"买", "bought"}, {"卖", "sold"}, {"画", "drew"}};
const Word kQualities[] = {{"大", "big"}, {"漂亮", "pretty"}};

struct Thing {
  std::string chinese, english, measure;
};
const Thing kThings[] = {{"猫", "cat", "只"},   {"狗", "dog", "只"},    {"鱼", "fish", "条"},
                         {"马", "horse", "匹"}, {"花", "flower", "朵"}, {"书", "book", "本"}};

// Every sentence of the grammar with its translation.
std::vector<Word> sentences() {
  std::vector<Word> all;
  for (const Person& person : kPersons) {
    for (const Word& verb : kFeelings) {
      for (const Person& other : kPersons) {
        if (other.group == person.group) continue;
        all.push_back({person.chinese + " " + verb.chinese + " " + other.chinese,
                       person.subject + " " + verb.english + (person.is_third ? "s " : " ") + other.object});
      }
    }
    for (const Word& time : kTimes) {
      for (const Word& verb : kDeeds) {
        const std::string deed = person.chinese + " " + time.chinese + " " + verb.chinese;
        const std::string did = person.subject + " " + verb.english + " ";
        for (const Thing& thing : kThings) {
          all.push_back({deed + " 了 一 " + thing.measure + " " + thing.chinese,
                         did + "a " + thing.english + " " + time.english});
          const Word described = {deed + " 的 " + thing.chinese, "the " + thing.english + " " + did + time.english};
          all.push_back(described);
          for (const Word& quality : kQualities) {
            all.push_back({described.chinese + " 很 " + quality.chinese, described.english + " is " + quality.english});
          }
        }
      }
    }
  }
  return all;
}

// Moves the example of a source to `to`, in exchange for another.
void move_over(const std::vector<std::size_t>& source, std::vector<Example>& from, std::vector<Example>& to) {
  const auto found = std::ranges::find(from, source, &Example::source);
  if (found != from.end()) std::swap(*found, to.front());
}

}  // namespace

Task translation_task(const TaskOptions& options) {
  Task task;
  Words words(kFirstTokens);
  std::vector<Example> examples;
  for (const auto& [chinese, english] : sentences()) {
    examples.push_back({.source = words.ids<std::size_t>(chinese), .target = words.ids<std::int64_t>(english)});
    task.source_length = std::max(task.source_length, examples.back().source.size());
    task.target_length = std::max(task.target_length, examples.back().target.size());
  }
  const std::size_t eighth = examples.size() / 8;
  Split split = split_by_permutation(std::move(examples), eighth, options.seed);
  // With every seed the first is learned, and the second is asked without having been learned.
  move_over(words.ids<std::size_t>("我 爱 你"), split.held_out, split.training);
  move_over(words.ids<std::size_t>("我 昨天 看见 的 猫"), split.training, split.held_out);

  task.answer = Answer::sequence;
  task.vocabulary = words.tokens();
  task.models = {ModelKind::decoder, ModelKind::encoder_decoder};
  task.held_out = std::move(split.held_out);
  task.training_items = split.training.size();
  task.draw = [training = std::move(split.training)](RandomState& random) { return drawn_from(training, random); };
  return task;
}

}  // namespace attn
