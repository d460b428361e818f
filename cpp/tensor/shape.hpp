// Shapes and indices of tensors, and the errors every refused input becomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Sizes per axis, outermost first; a scalar has none.
using Shape = std::vector<std::size_t>;

// One cell: a place per axis, each counted from 0.
using Index = std::vector<std::size_t>;

// A refused input. The message names the operation, the argument, what was expected and what came:
// "matmul: b has shape (2, 2), expected 3 rows to match a (2, 3)".
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// A refused amount of memory; the message names both figures.
class MemoryError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "(2, 3)", "(4,)", "()", as NumPy prints a shape.
std::string to_string(const Shape& shape);

// "10000", "0.5", "-inf": a number as an error message shows it, to six digits.
std::string figure(double value);

// Throws the InputError "operation: argument has shape (2, 2), expected ...".
[[noreturn]] void refuse_shape(std::string_view operation, std::string_view argument, const Shape& shape,
                               std::string_view expected);

// Throws the InputError "operation: argument is 3, expected ...".
[[noreturn]] void refuse_option(std::string_view operation, std::string_view argument, std::string_view actual,
                                std::string_view expected);

// The number of cells, which may be more than this machine can address. Throws InputError above 2^53.
std::uint64_t cell_count(const Shape& shape);

// The number of cells of a tensor in memory. Throws InputError when it cannot be addressed.
std::size_t size_of(const Shape& shape);

// The axes before the last `count` ones, of which there must be as many: the batch that a shape of matrices has.
inline Shape leading_axes(const Shape& shape, std::size_t count = 2) {
  return Shape(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(count));
}

// Steps between neighbours along each axis, in row-major order.
Shape strides_of(const Shape& shape);

// Strides that read `shape` as if it were `target`, which it broadcasts to: 0 along every repeated axis.
Shape broadcast_strides(const Shape& shape, const Shape& target);

// Where the items of a batch start in a tensor whose leading axes broadcast to those of the batch.
class BatchOffsets {
 public:
  BatchOffsets() = default;

  // `own` are the leading axes of the tensor, in which an item takes `item` cells.
  BatchOffsets(const Shape& own, const Shape& batch, std::size_t item);

  std::size_t operator[](std::size_t place) const {
    if (in_order_) return place * item_;
    std::size_t offset = 0;
    for (std::size_t axis = sizes_.size(); axis-- > 0; place /= sizes_[axis])
      offset += place % sizes_[axis] * strides_[axis];
    return offset;
  }

 private:
  bool in_order_ = true;
  std::size_t item_ = 0;
  Shape sizes_, strides_;  // of the batch; in cells of the tensor
};

// Place of `index` in row-major order. Throws InputError when it lies outside `shape`.
std::size_t offset_of(const Shape& shape, const Index& index);

// The index at `offset` in row-major order.
Index index_at(const Shape& shape, std::size_t offset);

// The cell of `shape` that cell `index` of a shape it broadcasts to reads.
Index broadcast_index(const Shape& shape, const Index& index);

// Every cell of `target` that reads cell `index` of `shape`, which broadcasts to it, in row-major order; each is made when a
// loop comes to it.
class BroadcastReaders {
 public:
  BroadcastReaders(const Shape& shape, const Index& index, const Shape& target);

  struct Iterator {
    const BroadcastReaders& readers;
    std::size_t place;
    Index operator*() const;
    Iterator& operator++() { return ++place, *this; }
    friend bool operator!=(const Iterator& a, const Iterator& b) { return a.place != b.place; }
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_of(free_)}; }

 private:
  Index first_;
  Shape free_;  // how far a reader may lie from the first along each axis
};

// Whether `shape` broadcasts to `target`, which keeps its own shape.
bool broadcasts_to(const Shape& shape, const Shape& target);

// The common shape of a and b under NumPy's broadcasting. Throws InputError naming `operation` and `argument`, which is b.
Shape broadcast(const Shape& a, const Shape& b, std::string_view operation, std::string_view argument);

// The axis meant by `axis`, which counts from the end when negative. Throws InputError naming `operation`.
std::size_t axis_of(int axis, std::size_t rank, std::string_view operation);

}  // namespace attn
