// Makes a task by its name.
#include "training/task.hpp"

#include <algorithm>
#include <string_view>

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
  };
  return all;
}

template <typename Names>
std::string joined(const Names& names) {
  std::string text;
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
    const auto refuse_foreign = [&](std::string_view option, bool is_given) {
      if (is_given && std::ranges::find(family.options, option) == family.options.end()) {
        refuse_option("task", option, "given",
                      "one of the options of " + options.name + ": seed, " + joined(family.options));
      }
    };
    refuse_foreign("shortest", options.shortest.has_value());
    refuse_foreign("longest", options.longest.has_value());
    refuse_foreign("symbols", options.symbols.has_value());
    Task task = family.make(options);
    task.name = options.name;
    return task;
  }
  refuse_option("task", "name", "\"" + options.name + "\"", joined(task_names()));
}

}  // namespace attn
