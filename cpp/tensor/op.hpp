// The interface of an operation of the graph: forward, backward, and the explanation of a cell.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tensor/array.hpp"
#include "tensor/cell_view.hpp"
#include "tensor/explanation.hpp"
#include "tensor/gradient_explanation.hpp"
#include "tensor/shape.hpp"
#include "tensor/used_cells.hpp"

namespace attn {

// The values of an op's inputs, in order.
template <typename T>
using Inputs = std::span<const Array<T>* const>;

// The gradients that an op adds to; null where an input has none (ids, masks).
template <typename T>
using Gradients = std::span<Array<T>* const>;

// Scratch memory of at least the op's scratch_bytes, with undefined contents.
template <typename T>
using Scratch = std::span<T>;

// One differentiable operation. It stores its attributes, data derived from the shapes, and data derived from
// constant inputs, but no other numbers, so that a node can be evaluated again and again. forward and backward do not
// allocate.
template <typename T>
class Op {
 public:
  virtual ~Op() = default;

  // The permanent name, such as "matmul".
  virtual std::string_view name() const = 0;
  virtual Attributes attributes() const { return {}; }

  // The shape of the output. Throws InputError when the shapes of the inputs do not fit.
  virtual Shape shape(std::span<const Shape> inputs) const = 0;

  // The bytes that prepare() allocates and the op keeps, where they are more than a few numbers per axis.
  virtual std::uint64_t prepared_bytes(std::span<const Shape>) const { return 0; }

  // Called once, after shape() and the memory check and before everything below: computes what every call needs from
  // the shapes.
  virtual void prepare(std::span<const Shape>, [[maybe_unused]] const Shape& output) {}

  // Throws InputError when the numbers of the inputs are invalid, such as an id outside its table. Called before each
  // call of forward, backward, explain and explain_gradient.
  virtual void check(Inputs<T>) const {}

  // Whether d(output)/d(inputs[input]) is defined: not for ids and masks.
  virtual bool differentiable([[maybe_unused]] std::size_t input) const { return true; }

  // Whether every cell of the output is a copy of an input's cell, so that ids stay ids and a mask stays a mask.
  virtual bool copies_cells() const { return false; }

  // Whether the cells of the output are ids (positions); ids have no gradient.
  virtual bool outputs_ids() const { return false; }

  // The floating point operations of one forward, counted as described in ops/cost.hpp. The default is one for each
  // cell of the output.
  virtual std::uint64_t flops(std::span<const Shape>, const Shape& output) const { return cell_count(output); }

  // The bytes of scratch memory that forward and backward need.
  virtual std::uint64_t scratch_bytes(std::span<const Shape>) const { return 0; }

  // The bytes that store_constant() allocates for inputs[input], where that makes forward faster; otherwise 0.
  virtual std::uint64_t constant_bytes(Inputs<T>, [[maybe_unused]] std::size_t input) const { return 0; }

  // Derives from inputs[input], which is constant until discard_constants(), the data that forward reads in its place.
  virtual void store_constant([[maybe_unused]] std::size_t input, const Array<T>&) {}
  virtual void discard_constants() {}

  // Fills `output`, which has the shape above and undefined contents.
  virtual void forward(Inputs<T> inputs, Array<T>& output, Scratch<T> scratch) const = 0;

  // Adds to each non-null gradient d(loss)/d(input), given d(loss)/d(output).
  virtual void backward(Inputs<T> inputs, const Array<T>& output, const Array<T>& output_gradient,
                        Gradients<T> input_gradients, Scratch<T> scratch) const = 0;

  // How output[index] was computed; the index lies inside the output. The rows contain all their terms.
  virtual Explanation explain(CellViews inputs, const CellView& output, const Index& index) const = 0;

  // Adds every cell of the output that is computed from cell `index` of inputs[input], and its derivative, which may
  // be 0. Called for differentiable inputs only. An op whose derivative is 0 everywhere (histogram) may add none and
  // override add_uses instead.
  virtual void differentiate(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                             Contributions& contributions) const = 0;

  // Adds the cells of the output that are computed from cell `index` of inputs[input]: those that differentiate()
  // adds or, for an input without a derivative, those that have the cell among their sources. An op for which that is
  // slow overrides it.
  virtual void add_uses(CellViews inputs, const CellView& output, std::size_t input, const Index& index,
                        UsedCells& used) const {
    if (differentiable(input)) return differentiate(inputs, output, input, index, used);
    for (std::size_t offset = 0; offset < size_of(output.shape()); ++offset)
      if (is_source(explain(inputs, output, index_at(output.shape(), offset)), input, index)) used.add(offset);
  }

  // The arithmetic of the gradient that backward adds to cell `index` of inputs[input].
  Explanation explain_gradient(CellViews inputs, const CellView& output, const CellView& output_gradient,
                               std::size_t input, const Index& index) const {
    GradientTerms terms(output_gradient);
    differentiate(inputs, output, input, index, terms);
    return terms.explanation();
  }
};

}  // namespace attn
