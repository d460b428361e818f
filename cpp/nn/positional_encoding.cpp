// Positional encodings of the positions of a sequence: "Attention Is All You Need", section 3.5; RoFormer; ALiBi.
#include "nn/positional_encoding.hpp"

#include <numeric>

#include "ops/absolute_index.hpp"
#include "ops/alibi_slopes.hpp"
#include "ops/shift_matrix.hpp"
#include "ops/sinusoidal.hpp"

namespace attn {
namespace {

std::string part(const std::string& name, const char* of) { return name.empty() ? name : name + "." + of; }

template <typename T>
Tensor<T> positions_leaf(Graph<T>& graph, const std::vector<double>& positions, const std::string& name) {
  graph.check_memory(std::uint64_t{positions.size()} * sizeof(T), "positions");
  Array<T> values = full<T>({positions.size()}, T{0});
  for (std::size_t i = 0; i < positions.size(); ++i) values.data()[i] = static_cast<T>(positions[i]);
  return graph.leaf(part(name, "positions"), std::move(values));
}

}  // namespace

template <typename T>
std::vector<double> first_positions(Graph<T>& graph, std::size_t length, std::string_view operation) {
  graph.check_memory(std::uint64_t{length} * sizeof(double), operation);
  std::vector<double> positions(length);
  std::iota(positions.begin(), positions.end(), 0.0);
  return positions;
}

template <typename T>
Tensor<T> sinusoidal_encoding(Graph<T>& graph, const std::vector<double>& positions, std::size_t dim, double base,
                              const std::string& name) {
  return sinusoidal(positions_leaf(graph, positions, name), dim, base, name);
}

template <typename T>
Tensor<T> absolute_index_encoding(Graph<T>& graph, const std::vector<double>& positions, std::size_t dim,
                                  const std::string& name) {
  return absolute_index(positions_leaf(graph, positions, name), dim, name);
}

template <typename T>
Tensor<T> sinusoidal_shift(Graph<T>& graph, double offset, std::size_t dim, double base, const std::string& name) {
  return shift_matrix(graph.leaf(part(name, "offset"), full<T>({}, static_cast<T>(offset))), dim, base, name);
}

template <typename T>
Tensor<T> rotary_encoding(const Tensor<T>& x, const std::vector<double>& positions, const RotaryOptions& options,
                          const std::string& name) {
  return rotary(x, positions_leaf(*x.graph, positions, name), options, name);
}

template <typename T>
AlibiBias<T> alibi_bias(Graph<T>& graph, std::size_t num_heads, const AlibiOptions& options, const std::string& name) {
  AlibiBias<T> steps;
  steps.slopes = alibi_slopes(graph, num_heads, part(name, "slopes"));
  steps.bias = alibi(steps.slopes, options, name);
  return steps;
}

#define INSTANTIATE(T)                                                                                                \
  template std::vector<double> first_positions(Graph<T>&, std::size_t, std::string_view);                             \
  template Tensor<T> sinusoidal_encoding(Graph<T>&, const std::vector<double>&, std::size_t, double,                  \
                                         const std::string&);                                                         \
  template Tensor<T> absolute_index_encoding(Graph<T>&, const std::vector<double>&, std::size_t, const std::string&); \
  template Tensor<T> sinusoidal_shift(Graph<T>&, double, std::size_t, double, const std::string&);                    \
  template Tensor<T> rotary_encoding(const Tensor<T>&, const std::vector<double>&, const RotaryOptions&,              \
                                     const std::string&);                                                             \
  template AlibiBias<T> alibi_bias(Graph<T>&, std::size_t, const AlibiOptions&, const std::string&)
INSTANTIATE(float);
INSTANTIATE(double);
#undef INSTANTIATE

}  // namespace attn
