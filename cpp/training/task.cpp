// Makes a task by its name.
#include "training/task.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "training/families.hpp"

namespace attn {
namespace {

struct Family {
  std::string_view name;
  std::vector<std::string_view> options;  // those it has besides the seed
  Task (*make)(const TaskOptions&);
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"copy", {"shortest", "longest", "symbols"}, copy_task},
      {"reverse", {"shortest", "longest", "symbols"}, reverse_task},
      {"sort", {"shortest", "longest", "symbols"}, sort_task},
      {"parentheses", {"shortest", "longest"}, parentheses_task},
      {"modular-addition", {"prime"}, modular_addition_task},
      {"translation", {}, translation_task},
      {"shapes", {}, shapes_task},
      {"text", {"text", "language", "window"}, text_task},
      {"masked-token", {}, masked_token_task},
  };
  return all;
}

std::vector<std::pair<std::string_view, bool>> given_options(const TaskOptions& options) {
  return {{"shortest", options.shortest.has_value()}, {"longest", options.longest.has_value()},
          {"symbols", options.symbols.has_value()},   {"prime", options.prime.has_value()},
          {"text", options.text.has_value()},         {"language", options.language.has_value()},
          {"window", options.window.has_value()}};
}

template <typename Names>
std::string joined(std::string text, const Names& names) {
  for (const auto& name : names) (text += text.empty() ? "" : ", ") += name;
  return text;
}

}  // namespace

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const Family& family : families()) names.emplace_back(family.name);
  return names;
}

std::size_t checked_option(const char* name, const std::optional<std::size_t>& given, std::size_t otherwise,
                           std::size_t least, std::size_t most) {
  const std::size_t value = given.value_or(otherwise);
  if (value < least || value > most) {
    refuse_option("task", name, std::to_string(value),
                  "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value;
}

Task make_task(const TaskOptions& options) {
  for (const Family& family : families()) {
    if (family.name != options.name) continue;
    for (const auto& [option, is_given] : given_options(options)) {
      if (is_given && std::ranges::find(family.options, option) == family.options.end()) {
        refuse_option("task", option, "given",
                      "only options of " + options.name + ": " + joined("seed", family.options));
      }
    }
    Task task = family.make(options);
    task.name = options.name;
    return task;
  }
  refuse_option("task", "name", "\"" + options.name + "\"", joined("", task_names()));
}

}  // namespace attn
