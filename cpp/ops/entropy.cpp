// Entropy of rows of probabilities, in nats.
#include "ops/entropy.hpp"

#include <cmath>

namespace attn {
namespace {

// p log p, with 0 for p = 0.
template <typename T>
T p_log_p(T p) {
  return p == 0 ? T(0) : p * std::log(p);
}

template <typename T>
class Entropy final : public Op<T> {
 public:
  std::string_view name() const override { return "entropy"; }
  std::uint64_t flops(std::span<const Shape> inputs, const Shape&) const override { return 3 * cell_count(inputs[0]); }

  Shape shape(std::span<const Shape> inputs) const override {
    if (inputs[0].empty()) refuse_shape("entropy", "p", inputs[0], "at least one axis");
    return Shape(inputs[0].begin(), inputs[0].end() - 1);
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    const std::size_t width = inputs[0]->shape().back();
    for (std::size_t row = 0; row < output.size(); ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < width; ++k) sum -= p_log_p(inputs[0]->data()[row * width + k]);
      output.data()[row] = static_cast<T>(sum);
    }
  }

  void backward(Inputs<T> inputs, const Array<T>&, const Array<T>& output_gradient, Gradients<T> input_gradients,
                Scratch<T>) const override {
    if (!input_gradients[0]) return;
    const std::size_t width = inputs[0]->shape().back();
    for (std::size_t i = 0; i < inputs[0]->size(); ++i) {
      const T p = inputs[0]->data()[i];
      if (p != 0) input_gradients[0]->data()[i] -= output_gradient.data()[i / width] * (std::log(p) + 1);
    }
  }

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const std::size_t width = inputs[0].shape().back();
    TermList values, logs, terms;
    Index cell = index;
    cell.push_back(0);
    const Index first = cell;
    for (; cell.back() < width; ++cell.back()) {
      const double p = inputs[0][cell];
      const double minus_log = p == 0 ? 0 : -output.log(p);
      values.add(0, cell, p);
      logs.add(kNoTensor, cell, minus_log);
      terms.add(kNoTensor, cell, output.rounded(p * minus_log));
    }
    if (width > 0) {
      --cell.back();
      explanation.source(0, first, cell);
    }
    values.move_into(explanation.row("value"), false);
    logs.move_into(explanation.row("minus_log"), false);
    terms.move_into(explanation.row("products").gives(output[index]), true);
    return explanation;
  }

  void differentiate(CellViews inputs, const CellView& output, std::size_t, const Index& index,
                     Contributions& contributions) const override {
    const double p = inputs[0][index];
    contributions.add(Index(index.begin(), index.end() - 1), p == 0 ? 0 : -(output.log(p) + 1));
  }
};

}  // namespace

template <typename T>
Tensor<T> entropy(const Tensor<T>& p, std::string name) {
  return p.graph->apply(std::make_unique<Entropy<T>>(), {p}, std::move(name));
}

template Tensor<float> entropy(const Tensor<float>&, std::string);
template Tensor<double> entropy(const Tensor<double>&, std::string);

}  // namespace attn
