// Shapes and indices of tensors, and the errors every refused input becomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
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

// The number of cells, which may be more than this machine can address. Throws InputError above 2^53.
std::uint64_t cell_count(const Shape& shape);

// The number of cells of a tensor in memory. Throws InputError when it cannot be addressed.
std::size_t size_of(const Shape& shape);

// Steps between neighbours along each axis, in row-major order.
Shape strides_of(const Shape& shape);

// Strides that read `shape` as if it were `target`, which it broadcasts to: 0 along every repeated axis.
Shape broadcast_strides(const Shape& shape, const Shape& target);

// Place of `index` in row-major order. Throws InputError when it lies outside `shape`.
std::size_t offset_of(const Shape& shape, const Index& index);

// The index at `offset` in row-major order.
Index index_at(const Shape& shape, std::size_t offset);

// The cell of `shape` that `index` of the shape it broadcasts to reads.
Index broadcast_index(const Shape& shape, const Index& index);

// The common shape of a and b under NumPy's broadcasting. Throws InputError naming `operation`.
Shape broadcast(const Shape& a, const Shape& b, const std::string& operation);

// The axis meant by `axis`, which counts from the end when negative. Throws InputError naming `operation`.
std::size_t axis_of(int axis, std::size_t rank, const std::string& operation);

}  // namespace attn
