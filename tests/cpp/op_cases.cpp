// Uses of every operation over shapes drawn at random.
#include "op_cases.hpp"

namespace op_cases {

template <typename T>
std::vector<OpCase<T>> all() {
  std::vector<OpCase<T>> cases;
  add_attention(cases);
  add_places(cases);
  add_arithmetic(cases);
  add_losses(cases);
  return cases;
}

template std::vector<OpCase<float>> all<float>();
template std::vector<OpCase<double>> all<double>();

}  // namespace op_cases
