// Parentheses: whether every one that opens is closed, and none closes before it was opened.
#include "training/families.hpp"
#include "training/held_out.hpp"

namespace attn {
namespace {

using Ids = std::vector<std::size_t>;

enum : std::size_t { kOpen = 3, kClose, kNo, kYes };

constexpr std::size_t kHeldOut = 256;

bool is_balanced(const Ids& ids) {
  std::size_t depth = 0;
  for (const std::size_t id : ids) {
    if (id == kClose && depth == 0) return false;
    depth = id == kOpen ? depth + 1 : depth - 1;
  }
  return depth == 0;
}

// Every balanced sequence of a length is as probable as the others: of those that can follow at depth d with r places
// left, a share of (r - d) (d + 2) / (2 r (d + 1)) opens (Arnold and Sleep, 1980).
Ids balanced(std::size_t length, RandomState& random) {
  Ids ids;
  std::size_t depth = 0;
  for (std::size_t left = length; left > 0; --left) {
    const bool opens = below(2 * left * (depth + 1), random) < (left - depth) * (depth + 2);
    depth = opens ? depth + 1 : depth - 1;
    ids.push_back(opens ? kOpen : kClose);
  }
  return ids;
}

// A balanced sequence with a mistake between its ends, which are right: one time in four one parenthesis is turned,
// else two change places, so that as many open as close.
Ids near_miss(std::size_t length, RandomState& random) {
  const bool turns_one = below(4, random) == 0;
  while (true) {
    Ids ids = balanced(length, random);
    std::size_t& one = ids[1 + below(length - 2, random)];
    std::size_t& other = ids[1 + below(length - 2, random)];
    if (turns_one) {
      one = one == kOpen ? kClose : kOpen;
    } else {
      std::swap(one, other);
    }
    if (!is_balanced(ids)) return ids;
  }
}

}  // namespace

Task parentheses_task(const TaskOptions& options) {
  // Up to length 18 there are 6902 balanced sequences, of which a sixteenth is well above half of kHeldOut.
  const std::size_t longest = checked_option("longest", options.longest, 20, 18, 64);
  const std::size_t shortest = checked_option("shortest", options.shortest, 8, 6, 16);
  if (longest % 2 != 0) refuse_option("task", "longest", std::to_string(longest), "an even number");
  if (shortest % 2 != 0) refuse_option("task", "shortest", std::to_string(shortest), "an even number");

  Task task;
  task.answer = Answer::label;
  task.vocabulary = {"<pad>", "<begin>", "<end>", "(", ")", "no", "yes"};
  task.source_length = longest;
  task.target_length = 1;
  task.models = {ModelKind::encoder, ModelKind::decoder, ModelKind::encoder_decoder};

  const auto draw_length = [=](RandomState& random) {
    return 2 * (shortest / 2 + below(longest / 2 - shortest / 2 + 1, random));
  };
  // Half of the answers are yes and half no.
  Task right;
  split_by_hash(right, options.seed, kHeldOut / 2, [=](RandomState& random) {
    return Example{.source = balanced(draw_length(random), random), .target = {kYes}};
  });
  Task wrong;
  split_by_hash(wrong, options.seed, kHeldOut / 2, [=](RandomState& random) {
    return Example{.source = near_miss(draw_length(random), random), .target = {kNo}};
  });
  for (std::size_t i = 0; i < kHeldOut / 2; ++i) {
    task.held_out.push_back(right.held_out[i]);
    task.held_out.push_back(wrong.held_out[i]);
  }
  task.draw = [yes = right.draw, no = wrong.draw](RandomState& random) {
    return below(2, random) == 1 ? yes(random) : no(random);
  };
  return task;
}

}  // namespace attn
