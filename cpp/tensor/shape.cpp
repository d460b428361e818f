// Shapes and indices of tensors, and the errors for refused inputs.
#include "tensor/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn {
namespace {

constexpr std::uint64_t kLargestCount = std::uint64_t(1) << 53;

// The product of the sizes other than 0: if it fits, every partial product fits as well.
std::uint64_t product(const Shape& shape, std::uint64_t limit) {
  std::uint64_t count = 1;
  for (std::size_t size : shape) {
    if (size == 0) continue;
    if (size > limit / count)
      throw InputError("shape: " + to_string(shape) + " has too many cells, expected at most " +
                       format_number(static_cast<double>(limit)));
    count *= size;
  }
  return std::find(shape.begin(), shape.end(), std::size_t(0)) == shape.end() ? count : 0;
}

}  // namespace

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text += shape.size() == 1 ? ",)" : ")";
}

std::string format_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string sign = value < 0 ? "-" : "";
  value = std::abs(value);
  if (value <= static_cast<double>(kLargestCount) && value == std::floor(value))
    return sign + std::to_string(static_cast<std::uint64_t>(value));
  // Six digits and a power of ten. A general formatter would add its size to the download.
  int exponent = static_cast<int>(std::floor(std::log10(value)));
  // For the smallest numbers 10^exponent is not representable as a double, so the number and the power are scaled up
  // first.
  const int lifted = exponent < -300 ? 300 : 0;
  double scaled = std::round(value * std::pow(10.0, lifted) / std::pow(10.0, exponent + lifted) * 1e5);
  if (scaled >= 1e6) {  // rounded up to the next power of ten
    scaled = 1e5;
    ++exponent;
  }
  std::string digits = std::to_string(static_cast<std::uint64_t>(scaled));
  std::string places;
  if (exponent >= -5 && exponent < 0) {
    digits.insert(0, static_cast<std::size_t>(-exponent), '0');
    exponent = 0;
  }
  const std::size_t whole = exponent >= 0 && exponent < 5 ? static_cast<std::size_t>(exponent) + 1 : 1;
  if (whole == 1 && exponent != 0) places = "e" + std::to_string(exponent);
  digits.insert(whole, 1, '.');
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return sign + digits + places;
}

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

void refuse_shape(std::string_view operation, std::string_view argument, const Shape& shape,
                  std::string_view expected) {
  std::string message(operation);
  message.append(": ").append(argument).append(" has shape ").append(to_string(shape));
  throw InputError(message.append(", expected ").append(expected));
}

void refuse_option(std::string_view operation, std::string_view argument, std::string_view actual,
                   std::string_view expected) {
  std::string message(operation);
  message.append(": ").append(argument).append(" is ").append(actual);
  throw InputError(message.append(", expected ").append(expected));
}

std::uint64_t cell_count(const Shape& shape) { return product(shape, kLargestCount); }

std::size_t size_of(const Shape& shape) {
  constexpr std::uint64_t kAddressable = std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(product(shape, std::min(kLargestCount, kAddressable)));
}

Shape strides_of(const Shape& shape) {
  Shape strides(shape.size());
  std::size_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

Shape broadcast_strides(const Shape& shape, const Shape& target) {
  const Shape own = strides_of(shape);
  Shape strides(target.size(), 0);
  const std::size_t added = target.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] != 1) strides[added + axis] = own[axis];
  return strides;
}

std::size_t offset_of(const Shape& shape, const Index& index) {
  bool inside = index.size() == shape.size();
  std::size_t offset = 0;
  for (std::size_t axis = 0; inside && axis < shape.size(); ++axis) {
    inside = index[axis] < shape[axis];
    offset = offset * shape[axis] + index[axis];
  }
  if (!inside) throw InputError("index: " + to_string(index) + " lies outside a tensor of shape " + to_string(shape));
  return offset;
}

Index index_at(const Shape& shape, std::size_t offset) {
  Index index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = offset % shape[axis];
    offset /= shape[axis];
  }
  return index;
}

BatchOffsets::BatchOffsets(const Shape& own, const Shape& batch, std::size_t item)
    : is_contiguous_(size_of(own) == size_of(batch)),
      item_(item),
      sizes_(batch),
      strides_(broadcast_strides(own, batch)) {
  for (std::size_t& stride : strides_) stride *= item;
}

Index broadcast_index(const Shape& shape, const Index& index) {
  Index own(index.end() - static_cast<std::ptrdiff_t>(shape.size()), index.end());
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] == 1) own[axis] = 0;
  return own;
}

BroadcastReaders::BroadcastReaders(const Shape& shape, const Index& index, const Shape& target)
    : first_(target.size(), 0), counts_(target.size(), 1) {
  const std::size_t added = target.size() - shape.size();
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    if (axis < added || shape[axis - added] == 1) {
      counts_[axis] = target[axis];
    } else {
      first_[axis] = index[axis - added];
    }
  }
}

Index BroadcastReaders::Iterator::operator*() const {
  Index reader = index_at(readers.counts_, position);
  for (std::size_t axis = 0; axis < reader.size(); ++axis) reader[axis] += readers.first_[axis];
  return reader;
}

bool broadcasts_to(const Shape& shape, const Shape& target) {
  if (shape.size() > target.size()) return false;
  const std::size_t added = target.size() - shape.size();
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (shape[axis] != 1 && shape[axis] != target[added + axis]) return false;
  return true;
}

Shape broadcast(const Shape& a, const Shape& b, std::string_view operation, std::string_view argument) {
  Shape common(std::max(a.size(), b.size()), 1);
  const std::size_t a_added = common.size() - a.size();
  const std::size_t b_added = common.size() - b.size();
  for (std::size_t axis = 0; axis < common.size(); ++axis) {
    const std::size_t of_a = axis < a_added ? 1 : a[axis - a_added];
    const std::size_t of_b = axis < b_added ? 1 : b[axis - b_added];
    if (of_a != of_b && of_a != 1 && of_b != 1)
      refuse_shape(operation, argument, b, "one that broadcasts with " + to_string(a));
    common[axis] = of_a == 1 ? of_b : of_a;
  }
  return common;
}

std::size_t axis_of(int axis, std::size_t rank, std::string_view operation) {
  const std::int64_t from_front = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
  if (from_front < 0 || from_front >= static_cast<std::int64_t>(rank))
    refuse_option(operation, "axis", std::to_string(axis), "one of the " + std::to_string(rank) + " axes");
  return static_cast<std::size_t>(from_front);
}

}  // namespace attn
