// GPT-2 and its decoding by name.
#pragma once

#include <optional>

#include "nn/gpt2.hpp"
#include "wasm/call.hpp"

namespace attn {

// Each reads the arguments with the names of its fields in camel case. Throws InputError as Arguments does.
SamplingOptions sampling_options_of(const Arguments& arguments);
ContinuationOptions continuation_options_of(const Arguments& arguments);

// The probabilities of each step, as typed arrays.
template <typename T>
emscripten::val probabilities_of(const Continuation<T>& text);

// The nodes of "gpt2" or "gpt2Continuation" by role; nothing for another model.
template <typename T>
std::optional<emscripten::val> apply_gpt2(std::string_view model, const Call<T>& call);

}  // namespace attn
