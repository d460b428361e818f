// The tasks: what their examples mean, what is held out, and that the seed decides all of it.
#include "training/task.hpp"

#include <algorithm>
#include <catch_amalgamated.hpp>
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
                       Message("task: name is \"addition\", expected copy, reverse, sort"));
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

TEST_CASE("The first examples of copy, reverse and sort") {
  const auto first = [](const char* name) {
    const Task task = attn::make_task({.name = name});
    return text_of(task, task.held_out[0]) + "\n" + text_of(task, drawn(task, 0, 1)[0]);
  };
  CHECK(first("copy") == "5 2 5 7 7 6 1 6 -> 5 2 5 7 7 6 1 6\n5 0 3 3 7 9 3 5 -> 5 0 3 3 7 9 3 5");
  CHECK(first("reverse") == "5 2 5 7 7 6 1 6 -> 6 1 6 7 7 5 2 5\n5 0 3 3 7 9 3 5 -> 5 3 9 7 3 3 0 5");
  CHECK(first("sort") == "5 2 5 7 7 6 1 6 -> 1 2 5 5 6 6 7 7\n5 0 3 3 7 9 3 5 -> 0 3 3 3 5 5 7 9");
}

TEST_CASE("Options of copy, reverse and sort outside of their range are refused") {
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
}
