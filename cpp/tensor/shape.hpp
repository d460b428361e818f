// Shapes and indices of tensors, and the errors for refused inputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The size of each axis, outermost first; a scalar has no axes.
using Shape = std::vector<std::size_t>;

// The position of a cell along each axis, counted from 0.
using Index = std::vector<std::size_t>;

// A refused input. The message names the operation, the argument, the actual and the expected value: "matmul: b has
// shape (2, 2), expected 3 rows to match a (2, 3)".
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// A refused amount of memory. The message names the amount and the limit.
class MemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "(2, 3)", "(4,)", "()", as NumPy prints a shape.
std::string to_string(const Shape& shape);

// "10000", "0.5", "-inf": a number as in an error message, with up to six digits.
std::string format_number(double value);

// "a, b, c": the names that an error message lists.
std::string listed(const std::vector<std::string>& names);

// Throws the InputError "operation: argument has shape (2, 2), expected ...".
[[noreturn]] void refuse_shape(std::string_view operation, std::string_view argument, const Shape& shape,
                               std::string_view expected);

// Throws the InputError "operation: argument is 3, expected ...".
[[noreturn]] void refuse_option(std::string_view operation, std::string_view argument, std::string_view actual,
                                std::string_view expected);

// The number of cells, which may exceed the address space of this machine. Throws InputError above 2^53.
std::uint64_t cell_count(const Shape& shape);

// The number of cells of a tensor in memory. Throws InputError when it cannot be addressed.
std::size_t size_of(const Shape& shape);

// All axes but the last `count`, which must exist: the batch axes of a shape of matrices.
inline Shape leading_axes(const Shape& shape, std::size_t count = 2) {
  return Shape(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(count));
}

// The strides of a row-major array of this shape.
Shape strides_of(const Shape& shape);

// The strides that read an array of `shape` broadcast to `target`: 0 along every repeated axis.
Shape broadcast_strides(const Shape& shape, const Shape& target);

// The offsets at which the items of a batch start in a tensor whose leading axes broadcast to those of the batch.
class BatchOffsets {
 public:
  BatchOffsets() = default;

  // `own` are the leading axes of the tensor, in which each item takes `item` cells.
  BatchOffsets(const Shape& own, const Shape& batch, std::size_t item);

  std::size_t operator[](std::size_t position) const {
    if (is_contiguous_) return position * item_;
    std::size_t offset = 0;
    for (std::size_t axis = sizes_.size(); axis-- > 0; position /= sizes_[axis])
      offset += position % sizes_[axis] * strides_[axis];
    return offset;
  }

 private:
  bool is_contiguous_ = true;
  std::size_t item_ = 0;
  Shape sizes_, strides_;  // of the batch; strides in cells of the tensor
};

// The row-major offset of `index`. Throws InputError when it lies outside `shape`.
std::size_t offset_of(const Shape& shape, const Index& index);

// The index at `offset` in row-major order.
Index index_at(const Shape& shape, std::size_t offset);

// The cell of `shape` that is read by cell `index` of a shape it broadcasts to.
Index broadcast_index(const Shape& shape, const Index& index);

// All cells of `target` that read cell `index` of `shape`, which broadcasts to it, in row-major order. Each is
// computed when the iteration reaches it.
class BroadcastReaders {
 public:
  BroadcastReaders(const Shape& shape, const Index& index, const Shape& target);

  struct Iterator {
    const BroadcastReaders& readers;
    std::size_t position;
    Index operator*() const;
    Iterator& operator++() { return ++position, *this; }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.position != b.position; }
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_of(counts_)}; }

 private:
  Index first_;
  Shape counts_;  // the number of readers along each axis
};

// Whether `shape` broadcasts to `target` without changing it.
bool broadcasts_to(const Shape& shape, const Shape& target);

// The common shape of a and b under NumPy's broadcasting. Throws InputError naming `operation` and `argument`, the
// name of b.
Shape broadcast(const Shape& a, const Shape& b, std::string_view operation, std::string_view argument);

// The axis given by `axis`, which counts from the end when negative. Throws InputError naming `operation`.
std::size_t axis_of(int axis, std::size_t rank, std::string_view operation);

}  // namespace attn
