// Makes a task by its name.
#include "training/task.hpp"

#include <algorithm>
#include <string_view>

#include "training/families.hpp"

namespace attn {
namespace {

struct Family {
  std::string_view name;
  std::vector<std::string> options;  // those it has besides the seed
  Task (*make)(const TaskOptions&);
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"copy", {"shortest", "longest", "symbols"}, copy_task},
      {"reverse", {"shortest", "longest", "symbols"}, reverse_task},
      {"sort", {"shortest", "longest", "symbols"}, sort_task},
      {"parentheses", {"shortest", "longest"}, parentheses_task},
      {"modular-addition", {"prime"}, modular_addition_task},
      {"translation", {"language"}, translation_task},
      {"shapes", {}, shapes_task},
      {"text", {"text", "language", "window"}, text_task},
      {"masked-token", {}, masked_token_task},
  };
  return all;
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
    each_task_option(options, [&](const char* name, const auto& option) {
      if (!option || std::ranges::find(family.options, name) != family.options.end()) return;
      std::vector<std::string> known = family.options;
      known.insert(known.begin(), "seed");
      refuse_option("task", name, "given", "only options of " + options.name + ": " + listed(known));
    });
    Task task = family.make(options);
    task.name = options.name;
    return task;
  }
  refuse_option("task", "name", "\"" + options.name + "\"", listed(task_names()));
}

}  // namespace attn
