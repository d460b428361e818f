// Which items of a task are held out of training.
#include "training/held_out.hpp"

#include <set>

namespace attn {
bool is_held_out(std::string_view item, std::uint32_t seed) {
  // crc32 is linear, so two seeds would hold out shifted copies of one set: the steps of MurmurHash3 that end a hash
  // (Appleby, 2011) mix its bits.
  std::uint32_t hash = token_seed(item, seed);
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  return (hash ^ (hash >> 16)) % 16 == 0;
}

std::string source_item(const Example& example) {
  std::string item;
  for (const std::size_t id : example.source) item += static_cast<char>(static_cast<unsigned char>(id));
  return item;
}

void split_by_hash(Task& task, std::uint32_t seed, std::size_t count,
                   const std::function<Example(RandomState&)>& draw_any, std::string (*item_of)(const Example&)) {
  const auto draw_one = [=](RandomState& random, bool held_out) {
    while (true) {
      Example example = draw_any(random);
      if (is_held_out(item_of(example), seed) == held_out) return example;
    }
  };
  RandomState random(seed);
  std::set<std::string> items;
  while (task.held_out.size() < count) {
    Example example = draw_one(random, true);
    if (items.insert(item_of(example)).second) task.held_out.push_back(std::move(example));
  }
  task.draw = [draw_one](RandomState& stream) { return draw_one(stream, false); };
}

Split split_by_permutation(std::vector<Example> items, std::size_t count, std::uint32_t seed) {
  Split split;
  for (const std::int64_t place : RandomState(seed).permutation(items.size())) {
    std::vector<Example>& part = split.held_out.size() < count ? split.held_out : split.training;
    part.push_back(std::move(items[static_cast<std::size_t>(place)]));
  }
  return split;
}

}  // namespace attn
