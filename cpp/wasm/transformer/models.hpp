// Encoder, decoder and the models made of them, by their names.
#pragma once

#include <optional>
#include <string_view>

#include "wasm/call.hpp"

namespace attn {

// The nodes by role, those of layers in a list; nothing when `model` is not the name of one of these.
template <typename T>
std::optional<emscripten::val> apply_model(std::string_view model, const Call<T>& call);

// The same of models that read ids, and of what attention is compared with.
template <typename T>
std::optional<emscripten::val> apply_sequence_model(std::string_view model, const Call<T>& call);

}  // namespace attn
