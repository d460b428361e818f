// Cross entropy of logits against classes or against probabilities, as torch.nn.CrossEntropyLoss.
#include "ops/cross_entropy.hpp"

#include <cmath>

#include "ops/cross_entropy_explanation.hpp"

namespace attn {
namespace {

template <typename T>
class CrossEntropy final : public Op<T> {
 public:
  explicit CrossEntropy(CrossEntropySettings settings) : settings_(settings) {}

  std::string_view name() const override { return "cross_entropy"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape&) const override { return 5 * cell_count(inputs[0]); }
  Attributes attributes() const override {
    return {{"reduction", to_string(settings_.reduction)},
            {"ignore_index", settings_.rule.ignore_index},
            {"label_smoothing", settings_.rule.smoothing},
            {"spread", std::string(settings_.rule.smooths_only_others ? "others" : "all")},
            {"has_weight", settings_.has_weight}};
  }

  // The class weights are a setting, although they are a tensor: they have no gradient.
  bool differentiable(std::size_t input) const override { return input == 0 || (input == 1 && !settings_.rule.ids); }

  Shape shape(std::span<const Shape> inputs) const override {
    const Shape& logits = inputs[0];
    if (logits.empty() || logits.back() == 0)
      refuse_shape("cross_entropy", "logits", logits, "(..., K) with at least one class");
    const Shape rows(logits.begin(), logits.end() - 1);
    if (inputs[1] != (settings_.rule.ids ? rows : logits))
      refuse_shape("cross_entropy", "target", inputs[1],
                   to_string(rows) + " for class ids or " + to_string(logits) + " for probabilities");
    if (settings_.has_weight && inputs[2] != Shape{logits.back()})
      refuse_shape("cross_entropy", "weight", inputs[2],
                   to_string({logits.back()}) + " to match logits " + to_string(logits));
    if (settings_.rule.smooths_only_others && settings_.rule.smoothing > 0 && logits.back() == 1)
      refuse_shape("cross_entropy", "logits", logits, "other classes to spread over");
    return settings_.reduction == LossReduction::none ? rows : Shape{};
  }

  void check(Inputs<T> inputs) const override {
    if (!settings_.rule.ids) return;
    const std::size_t classes = inputs[0]->shape().back();
    for (std::size_t i = 0; i < inputs[1]->size(); ++i) {
      const T id = inputs[1]->data()[i];
      const bool of_a_class = id >= T(0) && id < static_cast<T>(classes) && id == std::floor(id);
      if (!of_a_class && id != static_cast<T>(settings_.rule.ignore_index))
        refuse_option("cross_entropy", "target at " + to_string(index_at(shape_of(*inputs[1]), i)), format_number(id),
                      "one of " + std::to_string(classes) + " classes");
    }
  }

  // Scratch numbers of one row: the log-probability and the weighted target of every class.
  std::uint64_t scratch_bytes(std::span<const Shape> inputs) const override {
    return 2 * std::uint64_t(inputs[0].back()) * sizeof(T);
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T> scratch) const override {
    const bool reduced = settings_.reduction != LossReduction::none;
    double sum = 0;
    double divisor = 0;
    Rows rows(*this, inputs, scratch);
    for (std::size_t row = 0; row < rows.count; ++row) {
      const T loss = rows.fill_targets(row) ? rows.loss_at(row) : T(0);
      sum += loss;
      divisor += rows.divisor_term_at(row);
      if (!reduced) output.data()[row] = loss;
    }
    if (reduced) output.data()[0] = static_cast<T>(settings_.reduction == LossReduction::mean ? sum / divisor : sum);
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T> scratch) const override {
    Rows rows(*this, inputs, scratch);
    double divisor = 0;
    for (std::size_t row = 0; row < rows.count; ++row) divisor += rows.divisor_term_at(row);
    if (settings_.reduction != LossReduction::mean) divisor = 1;
    for (std::size_t row = 0; row < rows.count; ++row) {
      if (!rows.fill_targets(row)) continue;
      rows.loss_at(row);  // fills log_p
      const T upstream =
          static_cast<T>(output_gradient.data()[settings_.reduction == LossReduction::none ? row : 0] / divisor);
      const std::size_t start = row * rows.classes;
      if (input_gradients[0])
        kernels::cross_entropy_backward(rows.log_p, rows.targets, upstream, input_gradients[0]->data() + start,
                                        rows.classes);
      if (settings_.rule.ids || !input_gradients[1]) continue;
      for (std::size_t k = 0; k < rows.classes; ++k)
        input_gradients[1]->data()[start + k] -=
            upstream * kernels::target_derivative(settings_.rule, rows.weight, k, rows.classes) * rows.log_p[k];
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    return explain_cross_entropy(settings_, inputs, output, index);
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                     Contributions& contributions) const override {
    differentiate_cross_entropy(settings_, inputs, output, input, index, contributions);
  }

 private:
  // Iterates over the rows of logits with their targets.
  struct Rows {
    Rows(const CrossEntropy& loss, Inputs<T> arrays, Scratch<T> scratch)
        : rule(loss.settings_.rule),
          inputs(arrays),
          classes(inputs[0]->shape().back()),
          count(inputs[0]->size() / classes),
          weight(loss.settings_.has_weight ? inputs[2]->data() : nullptr),
          log_p(scratch.data()),
          targets(scratch.data() + classes) {}

    const T* target_at(std::size_t row) const { return inputs[1]->data() + (rule.ids ? row : row * classes); }
    T divisor_term_at(std::size_t row) const { return kernels::divisor_term(rule, target_at(row), weight); }
    bool fill_targets(std::size_t row) {
      return kernels::weighted_targets(rule, target_at(row), weight, targets, classes);
    }
    T loss_at(std::size_t row) {
      return kernels::cross_entropy(inputs[0]->data() + row * classes, targets, log_p, classes);
    }

    const kernels::TargetRule& rule;
    Inputs<T> inputs;
    std::size_t classes, count;
    const T* weight;
    T *log_p, *targets;
  };

  CrossEntropySettings settings_;
};

}  // namespace

template <typename T>
Tensor<T> cross_entropy(const Tensor<T>& logits, const Tensor<T>& target, const CrossEntropyOptions& options,
                        const OptionalTensor<T>& weight, std::string name) {
  CrossEntropySettings settings;
  settings.reduction = loss_reduction(options.reduction, "cross_entropy");
  settings.has_weight = weight.has_value();
  if (options.spread != "all" && options.spread != "others")
    refuse_option("cross_entropy", "spread", "\"" + options.spread + "\"", "\"all\" or \"others\"");
  if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1))
    refuse_option("cross_entropy", "label_smoothing", format_number(options.label_smoothing),
                  "0 <= label_smoothing <= 1");
  if (options.ignore_index != std::floor(options.ignore_index) || std::isinf(options.ignore_index))
    refuse_option("cross_entropy", "ignore_index", format_number(options.ignore_index), "a whole number");
  const bool ids = target.shape().size() < logits.shape().size();
  settings.rule = {ids, options.ignore_index, options.label_smoothing, options.spread == "others"};
  std::vector<Tensor<T>> inputs = {logits, target};
  if (weight) inputs.push_back(*weight);
  return logits.graph->apply(std::make_unique<CrossEntropy<T>>(settings), inputs, std::move(name));
}

template Tensor<float> cross_entropy(const Tensor<float>&, const Tensor<float>&, const CrossEntropyOptions&,
                                     const OptionalTensor<float>&, std::string);
template Tensor<double> cross_entropy(const Tensor<double>&, const Tensor<double>&, const CrossEntropyOptions&,
                                      const OptionalTensor<double>&, std::string);

}  // namespace attn
