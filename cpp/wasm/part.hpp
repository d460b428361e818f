// The two parts the core is shipped in: attention, which the page opens with, and transformer, which has everything.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// The nodes, by role, of what this part has beyond the operations and layers of both; nothing when it has no such
// `operation`.
template <typename T>
std::optional<emscripten::val> apply_of_part(std::string_view operation, const Call<T>& call);

}  // namespace attn
