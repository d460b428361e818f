// Modular addition: a + b, answered by the remainder of the sum by a prime.
#include "training/families.hpp"
#include "training/held_out.hpp"

namespace attn {
namespace {

bool is_prime(std::size_t number) {
  for (std::size_t divisor = 2; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) return false;
  return number >= 2;
}

}  // namespace

Task modular_addition_task(const TaskOptions& options) {
  const std::size_t prime = checked_option("prime", options.prime, 53, 11, 199);
  if (!is_prime(prime)) refuse_option("task", "prime", std::to_string(prime), "a prime number");

  Task task;
  task.answer = Answer::label;
  task.vocabulary = kFirstTokens;
  const std::size_t zero = task.vocabulary.size();
  for (std::size_t number = 0; number < prime; ++number) task.vocabulary.push_back(std::to_string(number));
  const std::size_t plus = task.vocabulary.size();
  task.vocabulary.emplace_back("+");
  task.source_length = 3;
  task.target_length = 1;
  task.models = {ModelKind::encoder, ModelKind::decoder, ModelKind::encoder_decoder};

  // a + b and b + a are one item, or the one in training would give the other away.
  const auto sum = [=](std::size_t a, std::size_t b) {
    return Example{.source = {zero + a, plus, zero + b}, .target = {static_cast<std::int64_t>(zero + (a + b) % prime)}};
  };
  std::vector<Example> pairs;
  for (std::size_t a = 0; a < prime; ++a)
    for (std::size_t b = a; b < prime; ++b) pairs.push_back(sum(a, b));
  const std::size_t fifth = pairs.size() / 5;
  Split split = split_by_permutation(std::move(pairs), fifth, options.seed);
  const auto both_ways = [&](const std::vector<Example>& sums) {
    std::vector<Example> both;
    for (const Example& example : sums) {
      const std::size_t a = example.source[0] - zero;
      const std::size_t b = example.source[2] - zero;
      both.push_back(example);
      if (a != b) both.push_back(sum(b, a));
    }
    return both;
  };
  task.held_out = both_ways(split.held_out);
  std::vector<Example> training = both_ways(split.training);
  task.training_items = split.training.size();
  task.draw = [training = std::move(training)](RandomState& random) { return drawn_from(training, random); };
  return task;
}

}  // namespace attn
