// Named parameters that outlive graphs: what a model learns, saves and loads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/graph.hpp"

namespace attn {

// The initial distribution of a parameter.
struct Initial {
  enum class Kind { zeros, ones, uniform, normal };
  Kind kind = Kind::zeros;
  double bound = 0;    // uniform: numbers in [-bound, bound)
  double divisor = 1;  // normal: randn / divisor
};

// The name, shape and initial distribution of one parameter of a layer.
struct ParameterSpec {
  std::string name;
  Shape shape;
  Initial initial = {};
};
using ParameterSpecs = std::vector<ParameterSpec>;

// `specs` with "module." before each name.
ParameterSpecs within(const std::string& module, ParameterSpecs specs);

// The concatenation of `parts`.
ParameterSpecs join(std::vector<ParameterSpecs> parts);

// The total bytes of `specs` as parameters of type T: their numbers and the overhead of each.
template <typename T>
double total_bytes(const ParameterSpecs& specs);

// An upper bound on the bytes of an array or parameter beside its numbers: name, shape, origin, and the entry or spec
// that it is created from.
inline constexpr std::uint64_t kOverheadBytes = 1024;

// An array with its name in a file.
struct NamedArray {
  std::string name;
  Array<double> value;
};

// A named array whose numbers are not in memory yet. `read` writes all of them to the span, which has their number. It
// may be called several times; once it has succeeded, it does not fail.
struct ArraySource {
  std::string name;
  Shape shape;
  std::function<void(std::span<double>)> read;
};

// A named parameter with its value, its gradient and the origin of its numbers.
template <typename T>
struct Parameter {
  std::string name;
  Array<T> value;
  std::optional<Array<T>> gradient;  // the sum since the last zero_grad
  Origin origin;
};

// Parameters in the order they were added, under the names of PyTorch's state_dict. A graph copies their values into
// leaves (StateDict). Then either the gradients come back by add_gradient and an optimizer changes the values here,
// or an optimizer changes the leaves of the graph step after step and the values come back by set.
template <typename T>
class Parameters {
 public:
  explicit Parameters(std::uint64_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}
  Parameters(const Parameters&) = delete;  // optimizers identify parameters by identity(), which a copy would share
  Parameters& operator=(const Parameters&) = delete;
  Parameters(Parameters&&) = default;
  Parameters& operator=(Parameters&&) = default;

  // An identity that distinguishes these parameters from all others, valid as long as someone holds it.
  const std::shared_ptr<const char>& identity() const { return identity_; }

  // Throws InputError for an empty name or one that exists already, MemoryError above the limit.
  void add(std::string name, Array<T> value, Origin origin = {{"kind", "literal"}});

  // Throws MemoryError naming `operation` unless `more` bytes fit beside those held.
  void check_memory(double more, std::string_view operation) const;

  // Adds every spec. The numbers of a parameter are those that NumPy draws with the seed crc32(name) XOR seed: they
  // depend on its name, not on the other parameters.
  void draw(const ParameterSpecs& specs, std::uint32_t seed);

  std::size_t size() const { return list_.size(); }
  std::uint64_t count() const;                                // the total number of numbers
  std::uint64_t bytes() const { return cells_ * sizeof(T); }  // values and gradients
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Parameter<T>& at(std::string_view name) const;  // throws InputError for an unknown name

  std::span<const Parameter<T>> list() const { return list_; }
  std::span<Parameter<T>> list() { return list_; }

  // Replaces the numbers. Throws InputError for an unknown name or another shape.
  void set(std::string_view name, Array<T> value);

  // Throws InputError for an unknown name or another shape.
  void add_gradient(std::string_view name, const Array<T>& gradient);
  void zero_grad();

  // Replaces all numbers by those of a file, or changes nothing. Throws InputError naming `operation` when a
  // parameter is missing, has another shape or a number too large for T, or when the file has a parameter that does
  // not exist here. Sources are read one array at a time; throws MemoryError unless the largest fits.
  void load(std::span<const ArraySource> arrays, std::string_view operation = "load");
  void load(std::span<const NamedArray> arrays, std::string_view operation = "load");

  // All arrays by name, in order, for writing a file.
  std::vector<NamedArray> save() const;

 private:
  const Parameter<T>* find(std::string_view name) const;
  Parameter<T>& parameter_at(std::string_view name, std::string_view operation);
  void append(Parameter<T> parameter);

  std::uint64_t max_bytes_;
  std::shared_ptr<const char> identity_ = std::make_shared<const char>();
  std::vector<Parameter<T>> list_;
  std::map<std::string, std::size_t, std::less<>> indices_;  // positions in list_, by name
  std::uint64_t cells_ = 0;                                  // of values and gradients
};

extern template class Parameters<float>;
extern template class Parameters<double>;

}  // namespace attn
