// The arithmetic of one cell of a cross entropy and of its gradients.
#include "ops/cross_entropy_explanation.hpp"

#include "ops/softmax_rows.hpp"

namespace attn {
namespace {

Shape rows_of(const CellView& logits) { return Shape(logits.shape().begin(), logits.shape().end() - 1); }

// One row of logits with its target, computed as in the kernel. Nothing is stored per class, since there may be many.
class OneRow {
 public:
  OneRow(const CrossEntropySettings& settings, CellViews inputs, const Index& row)
      : settings_(settings), inputs_(inputs), start_(offset_of(rows_of(inputs[0]), row) * inputs[0].shape().back()) {
    const kernels::Slice slice{classes(), 1};
    const CellView& logits = inputs[0];
    max_ = logits.from(start_, [&](const auto* x) -> double { return kernels::largest(x, slice); });
    log_sum_ = logits.log(logits.from(start_, [&](const auto* x) -> double {
      return kernels::exponential_sum(kernels::Exponentials::log_softmax, x, slice);
    }));
    if (settings.rule.ids) {
      const double id = inputs[1][row];
      ignored = id == logits.rounded(settings.rule.ignore_index);
      if (!ignored) target_class = static_cast<std::size_t>(id);
      share = ignored ? 0 : settings.has_weight ? inputs[2].at(target_class) : 1;
      return;
    }
    for (std::size_t k = 1; k < classes(); ++k)
      if (target(k) > target(target_class)) target_class = k;
  }

  std::size_t classes() const { return inputs_[0].shape().back(); }
  double log_p(std::size_t k) const {
    const CellView& logits = inputs_[0];
    return logits.rounded(logits.rounded(logits.at(start_ + k) - max_) - log_sum_);
  }

  // The weighted target probability of class k, which the explanation calls its count.
  double count(std::size_t k) const {
    const double unweighted = inputs_[0].from(start_, [&]<typename T>(const T*) -> double {
      return kernels::smoothed_target(settings_.rule, static_cast<T>(target(k)), classes());
    });
    return settings_.has_weight ? inputs_[0].rounded(unweighted * inputs_[2].at(k)) : unweighted;
  }

  // The contribution of class k to the loss.
  double product(std::size_t k) const {
    const double counts_for = count(k);
    return counts_for == 0 ? 0 : inputs_[0].rounded(counts_for * -log_p(k));
  }

  double loss() const {
    double sum = 0;
    for (std::size_t k = 0; k < classes() && !ignored; ++k) sum += product(k);
    return inputs_[0].rounded(sum);
  }

  bool ignored = false;
  double share = 1;              // the row's share in the divisor of the mean
  std::size_t target_class = 0;  // the target class of the row

 private:
  double target(std::size_t k) const {
    return settings_.rule.ids ? double(k == target_class) : inputs_[1].at(start_ + k);
  }

  const CrossEntropySettings& settings_;
  CellViews inputs_;
  std::size_t start_;  // offset of the first class
  double max_ = 0, log_sum_ = 0;
};

void explain_row(Explanation& explanation, const CrossEntropySettings& settings, CellViews inputs,
                 const CellView& output, const Index& row) {
  const OneRow one(settings, inputs, row);
  if (one.ignored) {
    add_cell(explanation, "target", inputs, 1, row);
    explanation.row("ignored").gives(output[row]);
    return;
  }
  Index target_cell = row;
  target_cell.push_back(one.target_class);
  const SoftmaxRows slice(kernels::Exponentials::log_softmax, inputs[0], row.size(), target_cell);
  const std::size_t classes = one.classes();
  slice.add_source(explanation);
  slice.add_value(explanation);
  slice.add_exponentials(explanation);
  explanation.row("log_sum").term(slice.sum).gives(output.log(slice.sum));
  slice.add(explanation, "minus_log_p", kNoTensor, false, [&](std::size_t k) { return -one.log_p(k); });
  if (settings.rule.ids) {
    add_cell(explanation, "target", inputs, 1, row);
  } else {
    slice.add(explanation, "target", 1, false, [&](std::size_t k) { return inputs[1].at(slice.start + k); });
    Index last = slice.first;
    last.back() = classes - 1;
    explanation.source(1, slice.first, last);
  }
  if (settings.has_weight) {
    // Without smoothing, a class id needs only its own weight.
    const bool all = !settings.rule.ids || settings.rule.smoothing > 0;
    const std::size_t first = all ? 0 : one.target_class;
    const std::size_t last = all ? classes - 1 : one.target_class;
    TermList weights(all ? slice.chosen : std::vector<std::size_t>());
    for (std::size_t k = first; k <= last; ++k) weights.add(2, {k}, inputs[2].at(k));
    explanation.source(2, {first}, {last});
    weights.move_into(explanation.row("weight"), false);
  }
  slice.add(explanation, "counts", kNoTensor, false, [&](std::size_t k) { return one.count(k); });
  slice.add(explanation, "products", kNoTensor, true, [&](std::size_t k) { return one.product(k); }).gives(output[row]);
}

}  // namespace

Explanation explain_cross_entropy(const CrossEntropySettings& settings, CellViews inputs, const CellView& output,
                                  const Index& index) {
  Explanation explanation;
  if (settings.reduction == LossReduction::none) {
    explain_row(explanation, settings, inputs, output, index);
    return explanation;
  }
  const Shape rows = rows_of(inputs[0]);
  LossTerms losses(output);
  double divisor = 0;
  for (std::size_t row = 0; row < size_of(rows); ++row) {
    const Index row_index = index_at(rows, row);
    const OneRow one(settings, inputs, row_index);
    losses.add(row_index, one.loss());
    divisor += one.share;
  }
  losses.move_into(explanation, settings.reduction, divisor);
  for (int input = 0; input < static_cast<int>(inputs.size()); ++input) {
    const Shape& shape = inputs[static_cast<std::size_t>(input)].shape();
    if (size_of(shape) > 0) explanation.source(input, Index(shape.size(), 0), index_at(shape, size_of(shape) - 1));
  }
  return explanation;
}

void differentiate_cross_entropy(const CrossEntropySettings& settings, CellViews inputs, const CellView& output,
                                 std::size_t input, const Index& index, Contributions& contributions) {
  const Shape rows = rows_of(inputs[0]);
  const Index row(index.begin(), index.end() - 1);
  const std::size_t k = index.back();
  const OneRow one(settings, inputs, row);
  double slope = 0;
  if (input == 1) {
    const double weight = settings.has_weight ? inputs[2][{k}] : 1;
    slope = -weight * kernels::target_derivative<double>(settings.rule, nullptr, k, one.classes()) * one.log_p(k);
  } else if (!one.ignored) {
    double sum = 0;
    for (std::size_t i = 0; i < one.classes(); ++i) sum += one.count(i);
    slope = output.exp(one.log_p(k)) * sum - one.count(k);
  }
  if (settings.reduction == LossReduction::mean) {
    double divisor = 0;
    for (std::size_t i = 0; i < size_of(rows); ++i) divisor += OneRow(settings, inputs, index_at(rows, i)).share;
    slope /= divisor;
  }
  contributions.add(settings.reduction == LossReduction::none ? row : Index{}, slope);
}

}  // namespace attn
