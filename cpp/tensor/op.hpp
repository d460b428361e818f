// What an operation of the graph knows: forward, backward, and how to explain a cell.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tensor/array.hpp"
#include "tensor/explanation.hpp"
#include "tensor/shape.hpp"

namespace attn {

// A setting of an op: enough to write the op down and to build it again.
using Attribute = std::variant<bool, double, std::string, std::vector<double>>;
using Attributes = std::map<std::string, Attribute>;

template <typename T>
using Inputs = std::span<const Array<T>* const>;

// The gradients an op adds to; null where an input needs none (ids, masks).
template <typename T>
using Gradients = std::span<Array<T>* const>;

// One differentiable operation. It holds attributes and no numbers, so a node can be evaluated again after an edit.
template <typename T>
class Op {
 public:
  virtual ~Op() = default;

  // The permanent name: "matmul".
  virtual std::string_view name() const = 0;
  virtual Attributes attributes() const { return {}; }

  // The shape of the output. Throws InputError when the inputs do not fit.
  virtual Shape shape(std::span<const Shape> inputs) const = 0;

  // Bytes of working memory that forward takes beside its output.
  virtual std::size_t scratch_bytes(std::span<const Shape>) const { return 0; }

  // Fills `output`, which has the shape above.
  virtual void forward(Inputs<T> inputs, Array<T>& output) const = 0;

  // Adds to each non-null gradient d(loss)/d(input), given d(loss)/d(output).
  virtual void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient,
                        Gradients<T> input_gradients) const = 0;

  // The arithmetic of output[index].
  virtual Explanation explain(Inputs<T> inputs, const Array<T>& output, const Index& index) const = 0;
};

}  // namespace attn
