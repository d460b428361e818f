// Which items of a task are held out of training.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "training/task.hpp"

namespace attn {

// Whether an item of a set that cannot be listed is held out: of a sixteenth of all items the hash with the seed says
// so.
bool is_held_out(std::string_view item, std::uint32_t seed);

// The bytes of a source, each id below 256, as an item.
std::string item_of(const std::vector<std::size_t>& source);

// Gives a task whose item is the source its held-out examples, `count` different ones that `draw_any` makes, and the
// function that draws the others. A sixteenth of what `draw_any` makes must hold enough of them.
void split_by_hash(Task& task, std::uint32_t seed, std::size_t count,
                   const std::function<Example(RandomState&)>& draw_any);

}  // namespace attn
