// Copy, reverse and sort: a sequence of symbols, and the same symbols in the order that is asked.
#include <algorithm>

#include "training/families.hpp"
#include "training/held_out.hpp"

namespace attn {
namespace {

using Ids = std::vector<std::size_t>;

constexpr std::size_t kHeldOut = 256;
constexpr std::size_t kFewestSources = 16384;  // so that a sixteenth of them is well above kHeldOut

Task sequence_task(const TaskOptions& options, void (*order)(Ids&)) {
  const std::size_t symbols = checked_option("symbols", options.symbols, 10, 2, 26);
  const std::size_t shortest = checked_option("shortest", options.shortest, 4, 1, 64);
  const std::size_t longest = checked_option("longest", options.longest, 8, shortest, 64);
  std::size_t sources = 1;
  for (std::size_t place = 0; place < longest && sources < kFewestSources; ++place) sources *= symbols;
  if (sources < kFewestSources) {
    refuse_option("task", "longest", std::to_string(longest),
                  "so many that " + std::to_string(symbols) + " symbols have at least " +
                      std::to_string(kFewestSources) + " sequences of this length");
  }

  Task task;
  task.answer = Answer::sequence;
  task.vocabulary = kFirstTokens;
  const std::size_t first = task.vocabulary.size();
  for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
    const char start = symbols <= 10 ? '0' : 'a';
    task.vocabulary.emplace_back(1, static_cast<char>(start + static_cast<char>(symbol)));
  }
  task.source_length = longest;
  task.target_length = longest;
  task.models = {ModelKind::encoder, ModelKind::decoder, ModelKind::encoder_decoder};

  split_by_hash(task, options.seed, kHeldOut, [=](RandomState& random) {
    Ids source(shortest + below(longest - shortest + 1, random));
    for (std::size_t& id : source) id = first + below(symbols, random);
    Ids target = source;
    order(target);
    return Example{.source = std::move(source), .target = {target.begin(), target.end()}};
  });
  return task;
}

}  // namespace

Task copy_task(const TaskOptions& options) {
  return sequence_task(options, [](Ids&) {});
}

Task reverse_task(const TaskOptions& options) {
  return sequence_task(options, [](Ids& ids) { std::ranges::reverse(ids); });
}

Task sort_task(const TaskOptions& options) {
  return sequence_task(options, [](Ids& ids) { std::ranges::sort(ids); });
}

}  // namespace attn
