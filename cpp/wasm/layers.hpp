// The layers by their names: calls that make several nodes.
#pragma once

#include <optional>

#include "wasm/call.hpp"

namespace attn {

// The nodes of a layer by role, { scores: 4, weights: 5, output: 6 }; nothing when `layer` is not the name of one.
template <typename T>
std::optional<emscripten::val> apply_layer(std::string_view layer, const Call<T>& call);

}  // namespace attn
