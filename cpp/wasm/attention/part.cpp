// The attention part has no operations beyond those that both parts have.
#include "wasm/part.hpp"

namespace attn {

template <typename T>
std::optional<emscripten::val> apply_of_part(std::string_view, const Call<T>&) {
  return std::nullopt;
}

template std::optional<emscripten::val> apply_of_part(std::string_view, const Call<float>&);
template std::optional<emscripten::val> apply_of_part(std::string_view, const Call<double>&);

}  // namespace attn
