// Word vectors, what is alike, projections, and functions to watch optimizers on, by their names.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// The nodes by role; nothing when `operation` is not the name of one of these.
template <typename T>
std::optional<emscripten::val> apply_words(std::string_view operation, const Call<T>& call);

}  // namespace attn
