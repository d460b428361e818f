// Translation between two languages whose words are in other orders: a small grammar in Chinese and English, and one in
// English and French.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>

#include "training/families.hpp"
#include "training/held_out.hpp"
#include "training/words.hpp"

namespace attn {
namespace {

// A word or a sentence, and its translation.
struct Pair {
  std::string source, target;
};

struct Person {
  std::string chinese, subject, object;
  bool is_third = false;  // English verbs end in s
  int group = 0;          // of one group are persons that no sentence with a feeling joins, such as I and us
};
const Person kPersons[] = {
    {"我", "I", "me", false, 1},   {"你", "you", "you", false, 2}, {"他", "he", "him", true, 3},
    {"她", "she", "her", true, 4}, {"我们", "we", "us", false, 1}, {"他们", "they", "them", false, 5},
};
const Pair kFeelings[] = {{"爱", "love"}, {"喜欢", "like"}, {"认识", "know"}, {"帮助", "help"}, {"相信", "trust"}};
const Pair kTimes[] = {{"昨天", "yesterday"}, {"今天", "today"}, {"上周", "last week"}};
const Pair kDeeds[] = {{"看见", "saw"}, {"买", "bought"}, {"卖", "sold"}, {"画", "drew"}};
const Pair kQualities[] = {{"大", "big"}, {"漂亮", "pretty"}};

struct Thing {
  std::string chinese, english, measure;
};
const Thing kThings[] = {{"猫", "cat", "只"},   {"狗", "dog", "只"},    {"鱼", "fish", "条"},
                         {"马", "horse", "匹"}, {"花", "flower", "朵"}, {"书", "book", "本"}};

std::vector<Pair> chinese_to_english() {
  std::vector<Pair> all;
  for (const Person& person : kPersons) {
    for (const Pair& verb : kFeelings) {
      for (const Person& other : kPersons) {
        if (other.group == person.group) continue;
        all.push_back({person.chinese + " " + verb.source + " " + other.chinese,
                       person.subject + " " + verb.target + (person.is_third ? "s " : " ") + other.object});
      }
    }
    for (const Pair& time : kTimes) {
      for (const Pair& verb : kDeeds) {
        const std::string deed = person.chinese + " " + time.source + " " + verb.source;
        const std::string did = person.subject + " " + verb.target + " ";
        for (const Thing& thing : kThings) {
          all.push_back(
              {deed + " 了 一 " + thing.measure + " " + thing.chinese, did + "a " + thing.english + " " + time.target});
          const Pair described = {deed + " 的 " + thing.chinese, "the " + thing.english + " " + did + time.target};
          all.push_back(described);
          for (const Pair& quality : kQualities) {
            all.push_back({described.source + " 很 " + quality.source, described.target + " is " + quality.target});
          }
        }
      }
    }
  }
  return all;
}

// An empty word stands for none.
const Pair kArticles[] = {{"the", "le"}, {"a", "un"}};
const Pair kSizes[] = {{"", ""}, {"old", "vieux"}, {"small", "petit"}};
const Pair kColours[] = {{"", ""}, {"black", "noir"}, {"white", "blanc"}};
const Pair kAnimals[] = {{"cat", "chat"}, {"dog", "chien"}, {"horse", "cheval"}};
const Pair kAloneVerbs[] = {{"sleeps", "dort"}, {"sings", "chante"}};
const Pair kObjectVerbs[] = {{"sees", "voit"}, {"follows", "suit"}};

std::string joined(std::initializer_list<std::string> words) {
  std::string sentence;
  for (const std::string& word : words) {
    if (!sentence.empty() && !word.empty()) sentence += " ";
    sentence += word;
  }
  return sentence;
}

// French puts a colour behind its noun. English always has "a", never "an", so that each word has one
// translation.
std::vector<Pair> english_to_french() {
  std::vector<Pair> nouns;
  for (const Pair& article : kArticles) {
    for (const Pair& size : kSizes) {
      for (const Pair& colour : kColours) {
        for (const Pair& animal : kAnimals) {
          nouns.push_back({joined({article.source, size.source, colour.source, animal.source}),
                           joined({article.target, size.target, animal.target, colour.target})});
        }
      }
    }
  }
  std::vector<Pair> all;
  for (const Pair& noun : nouns) {
    for (const Pair& verb : kAloneVerbs)
      all.push_back({joined({noun.source, verb.source}), joined({noun.target, verb.target})});
    for (const Pair& verb : kObjectVerbs) {
      for (const Pair& object : nouns) {
        all.push_back(
            {joined({noun.source, verb.source, object.source}), joined({noun.target, verb.target, object.target})});
      }
    }
  }
  return all;
}

struct Grammar {
  std::vector<Pair> sentences;  // all of them, with their translations
  std::string learned;          // a source that is never held out
  std::string held_out;         // one that is always held out
  bool balances_lengths = false;
};

Grammar grammar_into(const std::string& language) {
  if (language == "en") return {chinese_to_english(), "我 爱 你", "我 昨天 看见 的 猫"};
  if (language == "fr") return {english_to_french(), "the cat sleeps", "the old black cat sleeps", true};
  refuse_option("task", "language", "\"" + language + "\"", "en or fr");
}

// Moves the example of a source to `to`, in exchange for another.
void move_over(const std::vector<std::size_t>& source, std::vector<Example>& from, std::vector<Example>& to) {
  const auto found = std::ranges::find(from, source, &Example::source);
  if (found != from.end()) std::swap(*found, to.front());
}

// First draws a length, with a probability proportional to the square root of the number of its sentences, then one of
// them. Drawn evenly, most sentences are long, and the short ones are hardly seen.
std::function<Example(RandomState&)> drawn_by_length(const std::vector<Example>& sentences) {
  std::map<std::size_t, std::vector<Example>> of_length;
  for (const Example& sentence : sentences) of_length[sentence.source.size()].push_back(sentence);
  std::vector<std::size_t> lengths;
  for (const auto& [length, equally_long] : of_length) {
    const double share = std::ceil(std::sqrt(static_cast<double>(equally_long.size())));
    lengths.insert(lengths.end(), static_cast<std::size_t>(share), length);
  }
  return [of_length = std::move(of_length), lengths = std::move(lengths)](RandomState& random) {
    return drawn_from(of_length.at(drawn_from(lengths, random)), random);
  };
}

}  // namespace

Task translation_task(const TaskOptions& options) {
  Task task;
  Words words(kFirstTokens);
  std::vector<Example> examples;
  const Grammar grammar = grammar_into(options.language.value_or("en"));
  for (const auto& [source, target] : grammar.sentences) {
    examples.push_back({.source = words.ids<std::size_t>(source), .target = words.ids<std::int64_t>(target)});
    task.source_length = std::max(task.source_length, examples.back().source.size());
    task.target_length = std::max(task.target_length, examples.back().target.size());
  }
  const std::size_t eighth = examples.size() / 8;
  Split split = split_by_permutation(std::move(examples), eighth, options.seed);
  move_over(words.ids<std::size_t>(grammar.learned), split.held_out, split.training);
  move_over(words.ids<std::size_t>(grammar.held_out), split.training, split.held_out);

  task.answer = Answer::sequence;
  task.vocabulary = words.tokens();
  task.models = {ModelKind::decoder, ModelKind::encoder_decoder};
  task.held_out = std::move(split.held_out);
  task.training_items = split.training.size();
  if (grammar.balances_lengths) {
    task.draw = drawn_by_length(split.training);
    return task;
  }
  task.draw = [training = std::move(split.training)](RandomState& random) { return drawn_from(training, random); };
  return task;
}

}  // namespace attn
