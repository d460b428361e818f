// Arithmetic, activations, norms, losses and additive attention by name.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// The nodes by role; nothing when no operation here is called `operation`.
template <typename T>
std::optional<emscripten::val> apply_arithmetic(std::string_view operation, const Call<T>& call);

}  // namespace attn
