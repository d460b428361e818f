// Which items of a task are held out of training.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "training/task.hpp"

namespace attn {

// Whether an item of a set too large to list is held out, as a sixteenth of all items is: by a hash of the item with
// the seed.
bool is_held_out(std::string_view item, std::uint32_t seed);

// The item of an example whose source, of ids below 256, no other example has.
std::string source_item(const Example& example);

// Sets the held-out examples of a task: `count` of different items of those that `draw_any` makes. The task then draws
// the others. A sixteenth of all items must be clearly more than `count`.
void split_by_hash(Task& task, std::uint32_t seed, std::size_t count,
                   const std::function<Example(RandomState&)>& draw_any,
                   std::string (*item_of)(const Example&) = source_item);

// All items of a task, in two parts.
struct Split {
  std::vector<Example> training = {};
  std::vector<Example> held_out = {};
};

// Holds out `count` items: the first of a permutation.
Split split_by_permutation(std::vector<Example> items, std::size_t count, std::uint32_t seed);

// A number below `end`, each as probable as the others.
inline std::size_t below(std::size_t end, RandomState& random) {
  return static_cast<std::size_t>(random.randint(0, static_cast<std::int64_t>(end)));
}

// One of these, each as probable as the others.
template <typename Items>
const auto& drawn_from(const Items& items, RandomState& random) {
  return items[below(items.size(), random)];
}

}  // namespace attn
