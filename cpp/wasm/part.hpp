// The two parts in which the core is shipped: attention, with which the page opens, and transformer, which has
// everything.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// Calls an operation that only this part has and returns its nodes by role; nothing when this part has no such
// `operation`.
template <typename T>
std::optional<emscripten::val> apply_of_part(std::string_view operation, const Call<T>& call);

}  // namespace attn
