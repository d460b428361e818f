// The encoder, the decoder and the models made of them, by name.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// The nodes by role, with those of layers in a list; nothing when no model here is called `model`.
template <typename T>
std::optional<emscripten::val> apply_model(std::string_view model, const Call<T>& call);

// The same for models that read ids, and for the layers that attention is compared with.
template <typename T>
std::optional<emscripten::val> apply_sequence_model(std::string_view model, const Call<T>& call);

}  // namespace attn
