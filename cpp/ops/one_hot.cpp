// One-hot encoding of ids.
#include "ops/one_hot.hpp"

#include <algorithm>
#include <cmath>

namespace attn {
namespace {

template <typename T>
class OneHot final : public Op<T> {
 public:
  explicit OneHot(std::size_t num_classes) : num_classes_(num_classes) {}

  std::string_view name() const override { return "one_hot"; }
  Attributes attributes() const override { return {{"num_classes", static_cast<double>(num_classes_)}}; }
  bool differentiable(std::size_t) const override { return false; }
  std::uint64_t flops(std::span<const Shape>, const Shape&) const override { return 0; }

  Shape shape(std::span<const Shape> inputs) const override {
    Shape output = inputs[0];
    output.push_back(num_classes_);
    return output;
  }

  void check(Inputs<T> inputs) const override {
    for (std::size_t i = 0; i < inputs[0]->size(); ++i) {
      const double id = inputs[0]->data()[i];
      if (!(id >= 0 && id < static_cast<double>(num_classes_) && id == std::floor(id)))
        refuse_option("one_hot", "id at " + to_string(index_at(shape_of(*inputs[0]), i)), format_number(id),
                      "one of " + std::to_string(num_classes_) + " classes");
    }
  }

  void forward(Inputs<T> inputs, Array<T>& output, Scratch<T>) const override {
    std::fill_n(output.data(), output.size(), T(0));
    for (std::size_t i = 0; i < inputs[0]->size(); ++i)
      output.data()[i * num_classes_ + static_cast<std::size_t>(inputs[0]->data()[i])] = T(1);
  }

  void backward(Inputs<T>, const Array<T>&, const Array<T>&, Gradients<T>, Scratch<T>) const override {}

  Explanation explain(CellViews inputs, const CellView& output, const Index& index) const override {
    Explanation explanation;
    const double id = add_cell(explanation, "id", inputs, 0, Index(index.begin(), index.end() - 1));
    explanation.row("class").term(static_cast<double>(index.back())).gives(static_cast<double>(index.back()));
    explanation.row("equal").term(id).term(static_cast<double>(index.back())).gives(output[index]);
    return explanation;
  }

  void differentiate(CellViews, const CellView&, std::size_t, const Index&, Contributions&) const override {}

 private:
  std::size_t num_classes_;
};

}  // namespace

template <typename T>
Tensor<T> one_hot(const Tensor<T>& ids, std::size_t num_classes, std::string name) {
  if (num_classes == 0) refuse_option("one_hot", "num_classes", "0", "at least 1");
  return ids.graph->apply(std::make_unique<OneHot<T>>(num_classes), {ids}, std::move(name));
}

template Tensor<float> one_hot(const Tensor<float>&, std::size_t, std::string);
template Tensor<double> one_hot(const Tensor<double>&, std::size_t, std::string);

}  // namespace attn
