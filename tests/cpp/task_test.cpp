// The tasks: what their examples mean, what is held out, and that the seed decides all of it.
#include "training/task.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
#include <cmath>
#include <map>
#include <set>

namespace {

using attn::Answer;
using attn::Example;
using attn::RandomState;
using attn::Task;
using attn::TaskOptions;
using Catch::Matchers::Message;

constexpr std::size_t kDrawn = 4000;

std::vector<Example> drawn(const Task& task, std::uint32_t seed, std::size_t count = kDrawn) {
  RandomState random(seed);
  std::vector<Example> examples;
  while (examples.size() < count) examples.push_back(task.draw(random));
  return examples;
}

// Held-out and drawn examples.
std::vector<Example> all_examples(const Task& task) {
  std::vector<Example> examples = drawn(task, 1);
  examples.insert(examples.end(), task.held_out.begin(), task.held_out.end());
  return examples;
}

template <typename Ids>
std::string words(const Task& task, const Ids& ids, const std::string& between = " ") {
  std::string text;
  for (const auto id : ids) {
    if (!text.empty()) text += between;
    text += static_cast<std::int64_t>(id) == attn::kNotAsked ? "." : task.vocabulary.at(static_cast<std::size_t>(id));
  }
  return text;
}

std::string text_of(const Task& task, const Example& example) {
  return words(task, example.source) + " -> " + words(task, example.target);
}

}  // namespace

TEST_CASE("The names of the tasks are listed when one is unknown") {
  CHECK_THROWS_MATCHES(attn::make_task({.name = "addition"}), attn::InputError,
                       Message("task: name is \"addition\", expected copy, reverse, sort, parentheses, "
                               "modular-addition, translation, shapes, text, masked-token"));
  CHECK_THROWS_AS(attn::make_task({}), attn::InputError);
}

TEST_CASE("Every task keeps what it states") {
  for (const std::string& name : attn::task_names()) {
    INFO(name);
    const Task task = attn::make_task({.name = name, .seed = 3});
    CHECK(task.name == name);
    CHECK(!task.models.empty());
    const std::set<std::string> tokens(task.vocabulary.begin(), task.vocabulary.end());
    CHECK(tokens.size() == task.vocabulary.size());
    const std::size_t first = task.answer == Answer::image_class ? 0 : task.answer == Answer::masked ? 4 : 3;
    if (first > 0) {
      CHECK(task.vocabulary[attn::kPad] == "<pad>");
      CHECK(task.vocabulary[attn::kBegin] == "<begin>");
      CHECK(task.vocabulary[attn::kEnd] == "<end>");
    }
    if (first > 3) CHECK(task.vocabulary[attn::kMask] == "<mask>");
    std::size_t source_length = 0;
    std::size_t target_length = 0;
    std::set<std::size_t> ids;
    for (const Example& example : all_examples(task)) {
      source_length = std::max(source_length, example.source.size());
      target_length = std::max(target_length, example.target.size());
      REQUIRE(example.image.size() == (task.answer == Answer::image_class ? attn::size_of(task.image) : 0));
      REQUIRE(!example.target.empty());
      if (task.answer == Answer::label || task.answer == Answer::image_class) REQUIRE(example.target.size() == 1);
      if (task.answer == Answer::masked) REQUIRE(example.target.size() == example.source.size());
      REQUIRE(example.source.empty() == (task.answer == Answer::next || task.answer == Answer::image_class));
      ids.insert(example.source.begin(), example.source.end());
      for (const std::int64_t id : example.target) {
        if (task.answer != Answer::masked || id != attn::kNotAsked) ids.insert(static_cast<std::size_t>(id));
      }
    }
    CHECK(source_length == task.source_length);
    CHECK(target_length == task.target_length);
    // Every token is used, and none outside of the vocabulary; begin, end and padding are the trainer's.
    if (task.answer == Answer::masked) ids.insert(attn::kMask);
    CHECK(*ids.begin() == (first > 3 ? attn::kMask : first));
    CHECK(*ids.rbegin() == task.vocabulary.size() - 1);
    CHECK(ids.size() == task.vocabulary.size() - *ids.begin());
  }
}

TEST_CASE("A task is the same from the same seed, and another from another") {
  for (const std::string& name : attn::task_names()) {
    INFO(name);
    const Task task = attn::make_task({.name = name, .seed = 5});
    const Task again = attn::make_task({.name = name, .seed = 5});
    const Task other = attn::make_task({.name = name, .seed = 6});
    CHECK(task.held_out == again.held_out);
    CHECK(task.held_out != other.held_out);
    CHECK(drawn(task, 7, 100) == drawn(again, 7, 100));
    CHECK(drawn(task, 7, 100) != drawn(task, 8, 100));
  }
}

TEST_CASE("Copy, reverse and sort answer with the symbols in the order that is asked") {
  const auto check_order = [](const char* name, auto order) {
    INFO(name);
    for (const std::size_t symbols : {2, 10, 26}) {
      const Task task = attn::make_task({.name = name, .seed = 11, .longest = 14, .symbols = symbols});
      for (const Example& example : all_examples(task)) {
        std::vector<std::int64_t> expected(example.source.begin(), example.source.end());
        order(expected);
        REQUIRE(example.target == expected);
        REQUIRE(example.source.size() >= 4);
      }
    }
  };
  check_order("copy", [](auto&) {});
  check_order("reverse", [](auto& ids) { std::reverse(ids.begin(), ids.end()); });
  check_order("sort", [](auto& ids) { std::sort(ids.begin(), ids.end()); });
}

TEST_CASE("Copy, reverse and sort hold out sources that are never drawn") {
  for (const char* name : {"copy", "reverse", "sort"}) {
    for (const std::uint32_t seed : {0u, 1u, 4294967295u}) {
      const Task task = attn::make_task({.name = name, .seed = seed, .shortest = 1, .longest = 5, .symbols = 7});
      std::set<std::vector<std::size_t>> held_out;
      for (const Example& example : task.held_out) held_out.insert(example.source);
      CHECK(held_out.size() == 256);
      std::set<std::vector<std::size_t>> trained;
      std::set<std::size_t> lengths;
      for (const Example& example : drawn(task, seed, 20000)) {
        trained.insert(example.source);
        lengths.insert(example.source.size());
      }
      CHECK(lengths == std::set<std::size_t>{1, 2, 3, 4, 5});
      CHECK(std::ranges::none_of(held_out, [&](const auto& source) { return trained.contains(source); }));
      CHECK(trained.size() > 5000);
    }
  }
}

TEST_CASE("Options outside of their range are refused") {
  const auto refused = [](const TaskOptions& options, const char* message) {
    CHECK_THROWS_MATCHES(attn::make_task(options), attn::InputError, Message(message));
  };
  refused({.name = "copy", .shortest = 0}, "task: shortest is 0, expected a number from 1 to 64");
  refused({.name = "copy", .shortest = 9}, "task: longest is 8, expected a number from 9 to 64");
  refused({.name = "copy", .longest = 3}, "task: longest is 3, expected a number from 4 to 64");
  refused({.name = "copy", .longest = 65}, "task: longest is 65, expected a number from 4 to 64");
  refused({.name = "sort", .symbols = 1}, "task: symbols is 1, expected a number from 2 to 26");
  refused({.name = "sort", .symbols = 27}, "task: symbols is 27, expected a number from 2 to 26");
  refused({.name = "sort", .longest = 13, .symbols = 2},
          "task: longest is 13, expected so many that 2 symbols have at least 16384 sequences of this length");
  refused({.name = "parentheses", .shortest = 4}, "task: shortest is 4, expected a number from 6 to 16");
  refused({.name = "parentheses", .shortest = 7}, "task: shortest is 7, expected an even number");
  refused({.name = "parentheses", .longest = 16}, "task: longest is 16, expected a number from 18 to 64");
  refused({.name = "parentheses", .longest = 21}, "task: longest is 21, expected an even number");
  refused({.name = "modular-addition", .prime = 7}, "task: prime is 7, expected a number from 11 to 199");
  refused({.name = "modular-addition", .prime = 51}, "task: prime is 51, expected a prime number");
  refused({.name = "text", .text = ""}, "task: text is empty, expected a text to learn");
  refused({.name = "text", .text = "short"},
          "task: text is 5 characters long, expected at least 128, which is four windows of 32");
  refused({.name = "text", .text = std::string(100001, 'a')},
          "task: text is 100001 characters long, expected at most 100000");
  refused({.name = "text", .text = std::string(1000, 'a')},
          "task: text is a repetition, expected a text whose windows of 32 differ");
  refused({.name = "text", .text = "\xff"}, "task: text is not UTF-8, expected a text in UTF-8");
  refused({.name = "text", .text = "a", .language = "zh"},
          "task: language is given, expected none with a text of your own");
  refused({.name = "text", .language = "fr"}, "task: language is \"fr\", expected en or zh");
  refused({.name = "translation", .language = "zh"}, "task: language is \"zh\", expected en or fr");
  refused({.name = "text", .window = 1}, "task: window is 1, expected a number from 2 to 512");
  refused({.name = "text", .window = 513}, "task: window is 513, expected a number from 2 to 512");
  refused({.name = "copy", .prime = 53},
          "task: prime is given, expected only options of copy: seed, shortest, longest, symbols");
  refused({.name = "text", .symbols = 3},
          "task: symbols is given, expected only options of text: seed, text, language, window");
  refused({.name = "shapes", .shortest = 3}, "task: shortest is given, expected only options of shapes: seed");
  for (const std::string& name : attn::task_names()) {
    if (name == "text") continue;
    CHECK_THROWS_AS(attn::make_task({.name = name, .text = "a"}), attn::InputError);
    CHECK_THROWS_AS(attn::make_task({.name = name, .window = 8}), attn::InputError);
  }
}

TEST_CASE("A sum of modular addition is a + b by the prime, and a + b is in one part with b + a") {
  for (const std::size_t prime : {11, 53, 199}) {
    const Task task = attn::make_task({.name = "modular-addition", .seed = 2, .prime = prime});
    const auto number = [&](std::size_t id) { return static_cast<std::size_t>(std::stoul(task.vocabulary.at(id))); };
    const auto check_sum = [&](const Example& example) {
      REQUIRE(task.vocabulary.at(example.source.at(1)) == "+");
      const std::size_t sum = number(example.source.at(0)) + number(example.source.at(2));
      REQUIRE(number(static_cast<std::size_t>(example.target.at(0))) == sum % prime);
    };
    std::set<std::vector<std::size_t>> held_out;
    for (const Example& example : task.held_out) {
      check_sum(example);
      held_out.insert(example.source);
    }
    const std::size_t pairs = prime * (prime + 1) / 2;
    CHECK(*task.training_items == pairs - pairs / 5);
    for (const auto& source : held_out) CHECK(held_out.contains({source[2], source[1], source[0]}));
    std::set<std::vector<std::size_t>> trained;
    for (const Example& example : drawn(task, 1, prime == 199 ? kDrawn : 20 * prime * prime)) {
      check_sum(example);
      REQUIRE(!held_out.contains(example.source));
      trained.insert(example.source);
    }
    if (prime != 199) CHECK(trained.size() + held_out.size() == prime * prime);
  }
}

namespace {

// Takes "()" away for as long as there is one: nothing is left of a balanced sequence.
bool vanishes(std::string text) {
  for (std::size_t pair = text.find("()"); pair != std::string::npos; pair = text.find("()")) text.erase(pair, 2);
  return text.empty();
}

}  // namespace

TEST_CASE("Parentheses are balanced where the answer is yes, and nearly so where it is no") {
  const std::pair<std::size_t, std::size_t> kLengths[] = {{6, 18}, {8, 20}, {16, 64}};
  for (const auto& [shortest, longest] : kLengths) {
    const Task task = attn::make_task({.name = "parentheses", .seed = 4, .shortest = shortest, .longest = longest});
    std::set<std::vector<std::size_t>> held_out;
    const auto check_half = [&](const std::vector<Example>& examples, double tolerance) {
      double yes = 0;
      double count_says_right = 0;
      std::set<std::size_t> lengths;
      for (const Example& example : examples) {
        const std::string text = words(task, example.source, "");
        const bool is_balanced = vanishes(text);
        REQUIRE(words(task, example.target) == (is_balanced ? "yes" : "no"));
        REQUIRE(text.size() % 2 == 0);
        // The ends are right in both.
        REQUIRE(text.front() == '(');
        REQUIRE(text.back() == ')');
        const bool has_as_many = 2 * static_cast<std::size_t>(std::ranges::count(text, '(')) == text.size();
        yes += is_balanced;
        count_says_right += has_as_many == is_balanced;
        lengths.insert(text.size());
      }
      const auto total = static_cast<double>(examples.size());
      CHECK(std::abs(yes / total - 0.5) <= tolerance);
      CHECK(count_says_right / total > 0.55);
      CHECK(count_says_right / total < 0.70);
      CHECK(lengths.size() > (longest - shortest) / 4);
      CHECK(*lengths.rbegin() == longest);
      CHECK(*lengths.begin() >= shortest);
    };
    for (const Example& example : task.held_out) held_out.insert(example.source);
    CHECK(held_out.size() == 256);
    check_half(task.held_out, 0);
    const std::vector<Example> trained = drawn(task, 9, 6000);
    check_half(trained, 0.03);
    for (const Example& example : trained) REQUIRE(!held_out.contains(example.source));
  }
}

TEST_CASE("Every balanced sequence of a length is as probable as the others") {
  const Task task = attn::make_task({.name = "parentheses", .shortest = 8, .longest = 18});
  std::map<std::string, std::size_t> counts;
  for (const Example& example : drawn(task, 1, 12000)) {
    if (example.source.size() == 8 && words(task, example.target) == "yes") ++counts[words(task, example.source, "")];
  }
  // 14 of length 8, some of which are held out.
  CHECK(counts.size() <= 14);
  CHECK(counts.size() >= 10);
  for (const auto& [text, count] : counts) {
    CHECK(count > 40);
    CHECK(count < 110);
  }
}

TEST_CASE("Translations are what a reader of both languages would write") {
  const Task task = attn::make_task({.name = "translation", .seed = 1});
  std::map<std::string, std::string> english;
  for (const Example& example : drawn(task, 1, 40000))
    english[words(task, example.source)] = words(task, example.target);
  CHECK(english.size() == *task.training_items);
  std::size_t held_out = 0;
  for (const Example& example : task.held_out)
    held_out += english.emplace(words(task, example.source), words(task, example.target)).second;
  CHECK(held_out == task.held_out.size());  // none was drawn
  CHECK(english.size() == 1868);
  CHECK(english["我 爱 你"] == "I love you");
  CHECK(english["他 喜欢 我们"] == "he likes us");
  CHECK(english["她 帮助 他们"] == "she helps them");
  CHECK(english["我们 认识 她"] == "we know her");
  CHECK(english["我 昨天 看见 的 猫"] == "the cat I saw yesterday");
  CHECK(english["他们 上周 买 的 马 很 漂亮"] == "the horse they bought last week is pretty");
  CHECK(english["你 今天 画 了 一 朵 花"] == "you drew a flower today");
  CHECK(english["她 上周 卖 了 一 本 书"] == "she sold a book last week");
}

TEST_CASE("French puts colours behind the noun") {
  const Task task = attn::make_task({.name = "translation", .seed = 1, .language = "fr"});
  std::map<std::string, std::string> french;
  std::map<std::size_t, std::size_t> lengths;
  for (const Example& example : drawn(task, 1, 65536)) {
    french[words(task, example.source)] = words(task, example.target);
    ++lengths[example.source.size()];
  }
  // 12 of the 5940 sentences have three words, and 1152 have nine.
  CHECK(lengths[3] > 65536 / 50);
  CHECK(lengths[3] < 65536 / 30);
  CHECK(lengths[9] > 65536 / 6);
  CHECK(lengths[9] < 65536 / 4);
  CHECK(french.size() <= *task.training_items);
  for (const Example& example : task.held_out)
    CHECK(french.emplace(words(task, example.source), words(task, example.target)).second);  // none was drawn
  CHECK(*task.training_items + task.held_out.size() == 5940);
  CHECK(task.held_out.size() == 5940 / 8);
  CHECK(task.vocabulary.size() == 3 + 26);
  CHECK(task.source_length == 9);
  CHECK(task.target_length == 9);
  CHECK(french["the cat sleeps"] == "le chat dort");
  CHECK(french["the old black cat sleeps"] == "le vieux chat noir dort");
  CHECK(french["a small white dog sings"] == "un petit chien blanc chante");
  CHECK(french["the horse sees a black cat"] == "le cheval voit un chat noir");
  CHECK(french["the old black cat follows a small white dog"] == "le vieux chat noir suit un petit chien blanc");
}

TEST_CASE("With every seed one sentence is learned, and another is not") {
  const auto is_held_out = [](const Task& task, const std::string& source) {
    return std::ranges::any_of(task.held_out,
                               [&](const Example& example) { return words(task, example.source) == source; });
  };
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    const Task english = attn::make_task({.name = "translation", .seed = seed});
    CHECK(!is_held_out(english, "我 爱 你"));
    CHECK(is_held_out(english, "我 昨天 看见 的 猫"));
    const Task french = attn::make_task({.name = "translation", .seed = seed, .language = "fr"});
    CHECK(!is_held_out(french, "the cat sleeps"));
    CHECK(is_held_out(french, "the old black cat sleeps"));
  }
}

namespace {

// An image without its noise: no pixel of a shape is below 0.35, and no other above.
std::string without_noise(const Example& example) {
  std::string text;
  for (std::size_t i = 0; i < example.image.size(); ++i) {
    if (i > 0 && i % 16 == 0) text += "\n";
    text += example.image[i] > 0.35 ? '#' : '.';
  }
  return text;
}

}  // namespace

TEST_CASE("A shape stands in the quarter that its class names, and a dot in each of the others") {
  const std::map<std::string, std::string> kShapes = {
      {"square", "#####\n#...#\n#...#\n#...#\n#####"},
      {"plus", "..#..\n..#..\n#####\n..#..\n..#.."},
      {"cross", "#...#\n.#.#.\n..#..\n.#.#.\n#...#"},
      {"triangle", "..#..\n..#..\n.#.#.\n.#.#.\n#####"},
  };
  const std::vector<std::string> kPlaces = {"top left", "top right", "bottom left", "bottom right"};
  const Task task = attn::make_task({.name = "shapes", .seed = 1});
  CHECK(task.vocabulary.size() == 16);
  std::map<std::string, std::size_t> classes;
  const auto check_image = [&](const Example& example) {
    const std::string image = without_noise(example);
    const std::string name = task.vocabulary.at(static_cast<std::size_t>(example.target.at(0)));
    const std::string shape = name.substr(0, name.find(','));
    ++classes[name];
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      std::size_t top = 8;
      std::size_t left = 8;
      std::size_t ink = 0;
      const auto row_of = [&](std::size_t row) {
        return image.substr((quarter / 2 * 8 + row) * 17 + quarter % 2 * 8, 8);
      };
      for (std::size_t row = 0; row < 8; ++row) {
        const std::string pixels = row_of(row);
        ink += static_cast<std::size_t>(std::ranges::count(pixels, '#'));
        if (pixels.find('#') == std::string::npos) continue;
        top = std::min(top, row);
        left = std::min(left, pixels.find('#'));
      }
      if (name != shape + ", " + kPlaces[quarter]) {
        REQUIRE(ink == 1);
        continue;
      }
      std::string drawing;
      for (std::size_t row = 0; row < 5; ++row) drawing += (row > 0 ? "\n" : "") + row_of(top + row).substr(left, 5);
      REQUIRE(drawing == kShapes.at(shape));
      REQUIRE(ink == static_cast<std::size_t>(std::ranges::count(drawing, '#')));
    }
    return image;
  };
  std::set<std::string> held_out;
  for (const Example& example : task.held_out) held_out.insert(check_image(example));
  CHECK(held_out.size() == 256);
  for (const Example& example : drawn(task, 1)) REQUIRE(!held_out.contains(check_image(example)));
  CHECK(classes.size() == 16);
  for (const auto& [name, count] : classes) CHECK(count > 200);
}

TEST_CASE("Windows of a text are held out of a part that no training window overlaps") {
  std::string text;
  RandomState random(1);
  for (std::size_t i = 0; i < 5000; ++i) text += static_cast<char>('a' + random.randint(0, 26));
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    const Task task = attn::make_task({.name = "text", .seed = seed, .text = text, .window = 20});
    CHECK(task.held_out.size() == 31);  // an eighth of 250 windows
    CHECK(task.target_length == 20);
    // Every window of 20 random letters occurs once, so its place is known.
    std::set<std::size_t> places;
    for (const Example& example : task.held_out) {
      const std::size_t place = text.find(words(task, example.target, ""));
      for (std::size_t i = 0; i < 20; ++i) REQUIRE(places.insert(place + i).second);
    }
    CHECK(places.size() == 620);
    CHECK(*places.rbegin() - *places.begin() == 619);
    std::set<std::size_t> trained;
    for (const Example& example : drawn(task, seed, 60000)) {
      const std::string window = words(task, example.target, "");
      REQUIRE(window.size() == 20);
      const std::size_t place = text.find(window);
      REQUIRE(place != std::string::npos);
      trained.insert(place);
    }
    CHECK(trained.size() == *task.training_items);
    for (const std::size_t place : trained) {
      REQUIRE(!places.contains(place));
      REQUIRE(!places.contains(place + 19));
    }
  }
}

TEST_CASE("A held-out window that is repeated elsewhere in the text is left out") {
  // Four of the eight blocks are the same.
  const std::string text = "abcdefghabcdefghabcdefghijklmnopabcdefghqrstuvwx01234567ABCDEFGH";
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    INFO(seed);
    try {
      const Task task = attn::make_task({.name = "text", .seed = seed, .text = text, .window = 8});
      REQUIRE(task.held_out.size() == 1);
      CHECK(words(task, task.held_out[0].target, "") != "abcdefgh");
    } catch (const attn::InputError& error) {
      CHECK(std::string(error.what()) == "task: text is a repetition, expected a text whose windows of 8 differ");
    }
  }
}

TEST_CASE("The characters of a text are its code points") {
  const std::string text = "我爱你 Ünï😀\n我爱他 ok";
  const Task task = attn::make_task({.name = "text", .text = text, .window = 2});
  const std::vector<std::string> expected = {"<pad>", "<begin>", "<end>", "\n", " ",  "k",  "n", "o",
                                             "Ü",     "ï",       "他",    "你", "我", "爱", "😀"};
  CHECK(task.vocabulary == expected);
  for (const Example& example : all_examples(task)) {
    REQUIRE(example.target.size() == 2);
    REQUIRE(text.find(words(task, example.target, "")) != std::string::npos);
  }
}

TEST_CASE("The texts to learn from are long enough in both languages") {
  const Task english = attn::make_task({.name = "text"});
  const Task chinese = attn::make_task({.name = "text", .language = "zh"});
  CHECK(english.held_out.size() == 18);
  CHECK(chinese.held_out.size() == 7);
  CHECK(*english.training_items > 4000);
  CHECK(*chinese.training_items > 1500);
  CHECK(std::ranges::count(chinese.vocabulary, "我") == 1);
}

TEST_CASE("Masked words can be told from the rest of the sentence") {
  const Task task = attn::make_task({.name = "masked-token", .seed = 1});
  std::set<std::string> held_out;
  // Puts the asked words back, so that the sentence is whole.
  const auto whole = [&](const Example& example) {
    std::vector<std::size_t> ids = example.source;
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (example.target[i] != attn::kNotAsked) ids[i] = static_cast<std::size_t>(example.target[i]);
    return words(task, ids);
  };
  const auto has = [](const std::string& sentence, std::initializer_list<const char*> any) {
    return std::ranges::any_of(any, [&](const char* word) {
      return (" " + sentence + " ").find(std::string(" ") + word + " ") != std::string::npos;
    });
  };
  double asked = 0;
  double masked = 0;
  double kept = 0;
  double places = 0;
  const auto check_sentence = [&](const Example& example) {
    const std::string sentence = whole(example);
    REQUIRE(has(sentence, {"she"}) == has(sentence, {"queen", "mother", "girl", "aunt"}));
    REQUIRE(has(sentence, {"she"}) == has(sentence, {"her"}));
    REQUIRE(has(sentence, {"he"}) == has(sentence, {"king", "father", "boy", "uncle"}));
    REQUIRE(has(sentence, {"he"}) == has(sentence, {"his"}));
    REQUIRE(has(sentence, {"they"}) == has(sentence, {"sisters", "boys", "parents", "children"}));
    REQUIRE(has(sentence, {"they"}) == has(sentence, {"rest", "smile", "wait", "leave"}));
    REQUIRE(has(sentence, {"they"}) ==
            has(sentence, {"ride", "read", "drink", "eat", "sing", "wash", "open", "paint"}));
    REQUIRE(has(sentence, {"ride", "rides"}) == has(sentence, {"horse"}));
    REQUIRE(has(sentence, {"paint", "paints"}) == has(sentence, {"house"}));
    REQUIRE(has(sentence, {"in"}) == has(sentence, {"summer", "winter"}));
    std::size_t here = 0;
    for (std::size_t i = 0; i < example.source.size(); ++i) {
      REQUIRE(example.source[i] >= attn::kMask);
      if (example.target[i] == attn::kNotAsked) continue;
      ++here;
      masked += example.source[i] == attn::kMask;
      kept += static_cast<std::int64_t>(example.source[i]) == example.target[i];
    }
    REQUIRE(here > 0);
    asked += static_cast<double>(here);
    places += static_cast<double>(example.source.size());
    return sentence;
  };
  for (const Example& example : task.held_out) held_out.insert(check_sentence(example));
  CHECK(held_out.size() == 288);
  std::set<std::string> trained;
  for (const Example& example : drawn(task, 1, 60000)) trained.insert(check_sentence(example));
  CHECK(trained.size() == *task.training_items);
  CHECK(trained.size() == 4608 - 288);
  for (const std::string& sentence : held_out) REQUIRE(!trained.contains(sentence));
  // Of BERT's 15 % only sentences with a chosen word are kept: 0.15 / (1 - 0.85^11).
  CHECK(std::abs(asked / places - 0.180) < 0.005);
  CHECK(std::abs(masked / asked - 0.8) < 0.02);
  CHECK(std::abs(kept / asked - 0.1) < 0.02);
}

TEST_CASE("The unigram loss is the cross entropy under the frequencies of the training data") {
  // Of text: every character outside of the held-out eighth is counted once. The seed 0 chooses the place.
  const std::string text =
      "abcdefgh"
      "aabbccdd"
      "aaaabbbc"
      "hgfedcba";
  const Task task = attn::make_task({.name = "text", .text = text, .window = 8});
  REQUIRE(task.held_out.size() == 1);
  const std::string held_out = words(task, task.held_out[0].target, "");
  std::map<char, double> counts;
  for (const char letter : text) ++counts[letter];
  double loss = 0;
  for (const char letter : held_out) --counts[letter];
  for (const char letter : held_out) loss -= std::log((counts[letter] + 1) / (24 + 8)) / 8;
  CHECK(std::abs(*task.unigram_loss - loss) < 1e-12);

  // Of masked words: the whole set of training sentences is drawn, each counted once.
  const Task sentences = attn::make_task({.name = "masked-token"});
  std::set<std::vector<std::size_t>> trained;
  for (Example& example : drawn(sentences, 1, 60000)) {
    for (std::size_t i = 0; i < example.source.size(); ++i)
      if (example.target[i] != attn::kNotAsked) example.source[i] = static_cast<std::size_t>(example.target[i]);
    trained.insert(example.source);
  }
  REQUIRE(trained.size() == *sentences.training_items);
  std::map<std::size_t, double> words_counted;
  double total = 0;
  for (const auto& sentence : trained)
    for (const std::size_t id : sentence) ++words_counted[id], ++total;
  double sum = 0;
  double asked = 0;
  for (const Example& example : sentences.held_out) {
    for (const std::int64_t id : example.target) {
      if (id == attn::kNotAsked) continue;
      sum -= std::log((words_counted[static_cast<std::size_t>(id)] + 1) / (total + 62));
      ++asked;
    }
  }
  CHECK(sentences.vocabulary.size() == 4 + 62);
  CHECK(std::abs(*sentences.unigram_loss - sum / asked) < 1e-12);
  for (const std::string& name : attn::task_names())
    CHECK(attn::make_task({.name = name}).unigram_loss.has_value() == (name == "text" || name == "masked-token"));
}

TEST_CASE("The first examples of every task are fixed") {
  const auto first = [](const TaskOptions& options) {
    const Task task = attn::make_task(options);
    return text_of(task, task.held_out[0]) + "\n" + text_of(task, drawn(task, 0, 1)[0]);
  };
  CHECK(first({.name = "copy"}) == "5 2 5 7 7 6 1 6 -> 5 2 5 7 7 6 1 6\n5 0 3 3 7 9 3 5 -> 5 0 3 3 7 9 3 5");
  CHECK(first({.name = "reverse"}) == "5 2 5 7 7 6 1 6 -> 6 1 6 7 7 5 2 5\n5 0 3 3 7 9 3 5 -> 5 3 9 7 3 3 0 5");
  CHECK(first({.name = "sort"}) == "5 2 5 7 7 6 1 6 -> 1 2 5 5 6 6 7 7\n5 0 3 3 7 9 3 5 -> 0 3 3 3 5 5 7 9");
  CHECK(first({.name = "parentheses"}) ==
        "( ) ( ( ( ( ) ) ) ( ) ( ) ( ( ) ( ) ) ) -> yes\n( ) ( ( ) ( ( ) ( ( ( ( ) ) ) ) ( ) -> no");
  CHECK(first({.name = "modular-addition"}) == "29 + 47 -> 23\n40 + 20 -> 7");
  CHECK(first({.name = "translation"}) ==
        "我 昨天 看见 的 猫 -> the cat I saw yesterday\n他们 上周 卖 了 一 本 书 -> they sold a book last week");
  CHECK(first({.name = "translation", .language = "fr"}) ==
        "the old black cat sleeps -> le vieux chat noir dort\na old cat sees a white cat -> un vieux chat voit un chat "
        "blanc");
  CHECK(first({.name = "text", .window = 12}) == " ->   i s   d o n e   s e v\n -> o   t h e   r i g h t  ");
  CHECK(first({.name = "text", .language = "zh", .window = 12}) ==
        " -> 就 是 这 样 才 做 得 出 来 的 ： 一\n -> 一 个 词 和 自 己 。 最 后 一 个 词");
  CHECK(first({.name = "masked-token"}) ==
        "the parents paint <mask> children house noon and then <mask> leave -> . . . their house at . . . they "
        "leave\nthe girl paints her house at night <mask> then she smiles -> . . . . . . . and . . .");
  CHECK(first({.name = "shapes"}) == " -> cross, top right\n -> square, bottom right");
  const Task shapes = attn::make_task({.name = "shapes"});
  CHECK(shapes.held_out[0].image[0] == -0.15553153292204774);
  CHECK(without_noise(shapes.held_out[0]) ==
        "................\n"
        "........#...#...\n"
        ".........#.#....\n"
        "..........#.....\n"
        ".........#.#....\n"
        ".......##...#...\n"
        "................\n"
        "................\n"
        "................\n"
        ".....#..........\n"
        "................\n"
        "................\n"
        "................\n"
        "................\n"
        "................\n"
        ".............#..");
}
