// Arithmetic, activations, norms, losses and additive attention by their names.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// The nodes by role; nothing when `operation` is not the name of one of these.
template <typename T>
std::optional<emscripten::val> apply_arithmetic(std::string_view operation, const Call<T>& call);

}  // namespace attn
