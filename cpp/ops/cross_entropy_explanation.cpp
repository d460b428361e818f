// The arithmetic of one cell of a cross entropy, and of its gradients.
#include "ops/cross_entropy_explanation.hpp"

#include <algorithm>

#include "ops/softmax_rows.hpp"

namespace attn {
namespace {

// One row of logits with its target, in double.
class OneRow {
 public:
  OneRow(const CrossEntropySettings& settings, CellViews inputs, const Index& row) {
    const std::size_t classes = inputs[0].shape().back();
    Index place = row;
    place.push_back(0);
    std::vector<double> logits, target, weight;
    for (; place.back() < classes; ++place.back()) {
      logits.push_back(inputs[0][place]);
      if (!settings.rule.ids) target.push_back(inputs[1][place]);
      if (settings.has_weight) weight.push_back(inputs[2][{place.back()}]);
    }
    if (settings.rule.ids) target.push_back(inputs[1][row]);
    const double* weights = settings.has_weight ? weight.data() : nullptr;
    counts.resize(classes);
    log_p.resize(classes);
    ignored = !kernels::target_counts(settings.rule, target.data(), weights, counts.data(), classes);
    share = kernels::target_share(settings.rule, target.data(), weights);
    if (!ignored) loss = kernels::cross_entropy(logits.data(), counts.data(), log_p.data(), classes);
    // The class that the row is about.
    own = settings.rule.ids ? (ignored ? 0 : static_cast<std::size_t>(target[0]))
                            : static_cast<std::size_t>(std::max_element(target.begin(), target.end()) - target.begin());
  }

  std::vector<double> counts, log_p;
  bool ignored = false;
  double share = 0;
  double loss = 0;
  std::size_t own = 0;
};

Shape rows_of(const CellView& logits) { return Shape(logits.shape().begin(), logits.shape().end() - 1); }

void explain_row(Explanation& explanation, const CrossEntropySettings& settings, CellViews inputs,
                 const CellView& output, const Index& row) {
  const OneRow one(settings, inputs, row);
  if (one.ignored) {
    add_cell(explanation, "target", inputs, 1, row);
    explanation.row("ignored").gives(output[row]);
    return;
  }
  Index own = row;
  own.push_back(one.own);
  const SoftmaxRows slice(kernels::Exponentials::log_softmax, inputs[0], row.size(), own);
  const std::size_t classes = one.counts.size();
  slice.add_source(explanation);
  slice.add_value(explanation);
  slice.add_exponentials(explanation);
  explanation.row("log_sum").term(slice.sum).gives(output.log(slice.sum));
  const auto count = [&](std::size_t k) { return one.counts[k]; };
  const auto minus_log_p = [&](std::size_t k) { return output.rounded(-one.log_p[k]); };
  const auto product = [&](std::size_t k) { return count(k) == 0 ? 0 : output.rounded(count(k) * minus_log_p(k)); };
  slice.add(explanation, "minus_log_p", kNowhere, false, minus_log_p);
  if (settings.rule.ids) {
    add_cell(explanation, "target", inputs, 1, row);
  } else {
    slice.add(explanation, "target", 1, false, [&](std::size_t k) { return inputs[1].at(slice.start + k); });
    Index last = slice.first;
    last.back() = classes - 1;
    explanation.source(1, slice.first, last);
  }
  if (settings.has_weight) {
    // Without smoothing a class id needs its own weight only.
    const bool all = !settings.rule.ids || settings.rule.smoothing > 0;
    const std::size_t first = all ? 0 : one.own;
    const std::size_t last = all ? classes - 1 : one.own;
    TermList weights(all ? slice.chosen : std::vector<std::size_t>());
    for (std::size_t k = first; k <= last; ++k) weights.add(2, {k}, inputs[2].at(k));
    explanation.source(2, {first}, {last});
    weights.give_to(explanation.row("weight"), false);
  }
  slice.add(explanation, "counts", kNowhere, false, count);
  slice.add(explanation, "products", kNowhere, true, product).gives(output[row]);
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
    const Index place = index_at(rows, row);
    const OneRow one(settings, inputs, place);
    losses.add(place, output.rounded(one.loss));
    divisor += one.share;
  }
  losses.give_to(explanation, settings.reduction, divisor);
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
    slope = -weight * kernels::target_slope<double>(settings.rule, nullptr, k, one.counts.size()) * one.log_p[k];
  } else if (!one.ignored) {
    double sum = 0;
    for (double count : one.counts) sum += count;
    slope = output.exp(one.log_p[k]) * sum - one.counts[k];
  }
  if (settings.reduction == LossReduction::mean) {
    double divisor = 0;
    for (std::size_t i = 0; i < size_of(rows); ++i) divisor += OneRow(settings, inputs, index_at(rows, i)).share;
    slope /= divisor;
  }
  contributions.add(settings.reduction == LossReduction::none ? row : Index{}, slope);
}

}  // namespace attn
