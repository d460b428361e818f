// The same numbers in the same row-major order under another shape.
#include "ops/reshape.hpp"

#include "ops/rearrangement.hpp"

namespace attn {
namespace {

template <typename T>
class Reshape final : public Rearrangement<T> {
 public:
  explicit Reshape(Shape target) : target_(std::move(target)) {}

  std::string_view name() const override { return "reshape"; }
  Attributes attributes() const override { return {{"shape", std::vector<double>(target_.begin(), target_.end())}}; }

  Shape shape(std::span<const Shape> inputs) const override {
    if (cell_count(target_) != cell_count(inputs[0]))
      refuse_option("reshape", "shape", to_string(target_),
                    std::to_string(cell_count(inputs[0])) + " cells to match x " + to_string(inputs[0]));
    return target_;
  }

 protected:
  Walk walk(const Shape&) const override { return {target_, strides_of(target_)}; }

  std::vector<std::size_t> index_numbers(const Shape& input, const Index& from, const Index&) const override {
    return {offset_of(input, from)};
  }

 private:
  Shape target_;
};

}  // namespace

template <typename T>
Tensor<T> reshape(const Tensor<T>& x, const Shape& shape, std::string name) {
  return x.graph->apply(std::make_unique<Reshape<T>>(shape), {x}, std::move(name));
}

template Tensor<float> reshape(const Tensor<float>&, const Shape&, std::string);
template Tensor<double> reshape(const Tensor<double>&, const Shape&, std::string);

}  // namespace attn
